package record

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"weft/bench/registry/archive"
)

// origin is a registry that counts what it is asked and fails the first
// request for flaky with 503.
func origin(t *testing.T) (*httptest.Server, *atomic.Int64) {
	var asked atomic.Int64
	var failed atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.EscapedPath() {
		case "/@s%2fa":
			_, _ = w.Write([]byte(`{"name": "@s/a", "versions": {}}`))
		case "/@s/a/-/a-1.0.0.tgz":
			_, _ = w.Write([]byte("tgz"))
		case "/flaky":
			if failed.CompareAndSwap(false, true) {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write([]byte(`{"name": "flaky"}`))
		case "/forbidden":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

func upstream(t *testing.T, base string, reuse ...*archive.Archive) (*Upstream, *archive.Archive) {
	t.Helper()
	a, err := archive.Create(t.TempDir(), archive.Info{Origin: base + "/"})
	if err != nil {
		t.Fatal(err)
	}
	u := NewUpstream(a, reuse, 2)
	u.pause = 0
	return u, a
}

func TestEachDocumentIsFetchedOnce(t *testing.T) {
	s, asked := origin(t)
	u, a := upstream(t, s.URL)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if doc, err := u.Doc(t.Context(), "@s/a"); err != nil || doc.Name != "@s/a" {
				t.Errorf("packument %+v, %v", doc, err)
			}
			if data, err := u.Tarball(t.Context(), "@s/a/-/a-1.0.0.tgz"); err != nil || string(data) != "tgz" {
				t.Errorf("tarball %q, %v", data, err)
			}
		})
	}
	wg.Wait()
	if n := asked.Load(); n != 2 {
		t.Errorf("the registry was asked %d times", n)
	}
	if fetched, reused := u.Counts(); fetched != 2 || reused != 0 {
		t.Errorf("%d fetched, %d reused", fetched, reused)
	}
	second, _ := upstream(t, s.URL, a)
	if _, err := second.Doc(t.Context(), "@s/a"); err != nil {
		t.Error(err)
	}
	if _, err := second.Tarball(t.Context(), "@s/a/-/a-1.0.0.tgz"); err != nil {
		t.Error(err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("the registry was asked %d times though an archive had all", n)
	}
	if fetched, reused := second.Counts(); fetched != 0 || reused != 2 {
		t.Errorf("%d fetched, %d reused", fetched, reused)
	}
}

func TestFailuresUpstream(t *testing.T) {
	s, asked := origin(t)
	u, a := upstream(t, s.URL)
	if _, err := u.Doc(t.Context(), "flaky"); err != nil {
		t.Errorf("after one 503: %v", err)
	}
	for _, name := range []string{"nobody", "nobody"} {
		if _, err := u.Doc(t.Context(), name); !errors.Is(err, archive.ErrAbsent) {
			t.Errorf("404: %v", err)
		}
	}
	if _, err := a.Doc("nobody"); !errors.Is(err, archive.ErrAbsent) {
		t.Errorf("a 404 was stored: %v", err)
	}
	before := asked.Load()
	if _, err := u.Doc(t.Context(), "forbidden"); err == nil || errors.Is(err, archive.ErrAbsent) {
		t.Errorf("403: %v", err)
	}
	if n := asked.Load() - before; n != 1 {
		t.Errorf("a 403 was asked for %d times", n)
	}
}

package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"weft/bench/registry/archive"
)

const (
	origin = "https://reg.example/"
	full   = `{"name":"@s/a","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"@s/a","version":"1.0.0","license":"MIT",` +
		`"dist":{"tarball":"https://reg.example/@s/a/-/a-1.0.0.tgz"}}},"time":{"1.0.0":"2020-01-01T00:00:00.000Z"}}`
	shortType = "application/vnd.npm.install-v1+json"
)

func start(t *testing.T) *httptest.Server {
	t.Helper()
	a, err := archive.Create(t.TempDir(), archive.Info{Origin: origin})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.PutDoc("@s/a", []byte(full)); err != nil {
		t.Fatal(err)
	}
	if err := a.PutTarball("@s/a/-/a-1.0.0.tgz", []byte("bytes of a")); err != nil {
		t.Fatal(err)
	}
	h := FromArchive(a, Options{})
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	if err := h.Preload(t.Context(), a, strings.TrimPrefix(s.URL, "http://")); err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t *testing.T, method, url string, header ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

func TestAnswers(t *testing.T) {
	s := start(t)
	for _, tc := range []struct {
		name, method, path string
		header             []string
		status             int
		has, lacks         string
	}{
		{"full", "GET", "/@s%2fa", nil, 200, `"license":"MIT"`, origin},
		{"plain slash", "GET", "/@s/a", nil, 200, s.URL + `/@s/a/-/a-1.0.0.tgz`, origin},
		{"other host", "GET", "/@s/a", []string{"Host", "localhost:1"}, 200, `"http://localhost:1/@s/a/-/a-1.0.0.tgz"`, s.URL},
		{"short", "GET", "/@s/a", []string{"Accept", shortType + "; q=1.0, application/json"}, 200, `"modified"`, "license"},
		{"version", "GET", "/@s/a/1.0.0", nil, 200, `"license":"MIT"`, "versions"},
		{"tag", "GET", "/@s/a/latest", nil, 200, `"version":"1.0.0"`, "versions"},
		{"no version", "GET", "/@s/a/2.0.0", nil, 404, "error", ""},
		{"tarball", "GET", "/@s/a/-/a-1.0.0.tgz", nil, 200, "bytes of a", ""},
		{"no tarball", "GET", "/@s/a/-/a-2.0.0.tgz", nil, 404, "error", ""},
		{"no package", "GET", "/b", nil, 404, "error", ""},
		{"audit", "POST", "/-/npm/v1/security/advisories/bulk", nil, 404, "error", ""},
		{"ping", "GET", "/-/ping", nil, 404, "error", ""},
		{"scope alone", "GET", "/@s", nil, 404, "error", ""},
		{"nothing", "GET", "/", nil, 404, "error", ""},
		{"outside", "GET", "/%2e%2e%2fx/-/y.tgz", nil, 404, "error", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp, body := ask(t, tc.method, s.URL+tc.path, tc.header...)
			if resp.StatusCode != tc.status || !strings.Contains(string(body), tc.has) || tc.lacks != "" && strings.Contains(string(body), tc.lacks) {
				t.Errorf("%s: %s", resp.Status, body)
			}
		})
	}
}

func TestGzipAndConditions(t *testing.T) {
	s := start(t)
	plain, want := ask(t, "GET", s.URL+"/@s/a", "Accept", shortType)
	resp, body := ask(t, "GET", s.URL+"/@s/a", "Accept", shortType, "Accept-Encoding", "gzip")
	if resp.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("encodings %q and %q", resp.Header.Get("Content-Encoding"), plain.Header.Get("Content-Encoding"))
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(zr); err != nil || !bytes.Equal(got, want) {
		t.Errorf("gzip holds %q (%v), want %q", got, err, want)
	}
	if resp.Header.Get("Cache-Control") != "public, max-age=300" || resp.Header.Get("Content-Type") != shortType {
		t.Errorf("headers %v", resp.Header)
	}
	tag := resp.Header.Get("ETag")
	if again, body := ask(t, "GET", s.URL+"/@s/a", "Accept", shortType, "If-None-Match", tag); again.StatusCode != 304 || len(body) != 0 {
		t.Errorf("same tag: %s, %q", again.Status, body)
	}
	if other, _ := ask(t, "GET", s.URL+"/@s/a", "If-None-Match", tag); other.StatusCode != 200 {
		t.Errorf("the full form has the short one's tag: %s", other.Status)
	}
	head, body := ask(t, "HEAD", s.URL+"/@s/a/-/a-1.0.0.tgz")
	if head.ContentLength != 10 || len(body) != 0 {
		t.Errorf("HEAD: length %d, body %q", head.ContentLength, body)
	}
}

func TestStats(t *testing.T) {
	s := start(t)
	before, err := FetchStats(s.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	ask(t, "GET", s.URL+"/@s/a/-/a-1.0.0.tgz")
	after, err := FetchStats(s.URL + "/")
	if err != nil || after.Requests != before.Requests+1 || after.Sent != before.Sent+10 {
		t.Errorf("from %+v to %+v, %v", before, after, err)
	}
}

// TestRun starts the whole server on a free port and ends it by its context.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	if _, err := archive.Create(dir, archive.Info{Origin: origin}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- Run(ctx, dir, "127.0.0.1:0", Options{}, func(base string) { ready <- base })
	}()
	base := <-ready
	resp, body := ask(t, "GET", base+"a")
	var answer struct{ Error string }
	if err := json.Unmarshal(body, &answer); err != nil || resp.StatusCode != 404 {
		t.Errorf("%s: %s (%v)", resp.Status, body, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := Run(t.Context(), t.TempDir(), "127.0.0.1:0", Options{}, func(string) {}); err == nil {
		t.Error("a folder that is no archive was served")
	}
}

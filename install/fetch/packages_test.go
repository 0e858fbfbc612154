package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"weft/install/schedule"
	"weft/install/store"
	"weft/internal/regtest"
	"weft/npm/integrity"
	"weft/npm/packument"
	"weft/npm/registry"
	"weft/npm/tarball"
	"weft/task"
)

// TestAskingTwiceIsAskingOnce asks from many tasks and goroutines at once.
func TestAskingTwiceIsAskingOnce(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
	ref := f.ref("a", "1.0.0")
	const askers = 40
	var packages [askers]*store.Package
	var documents [askers]*packument.Packument
	ask := func(ctx context.Context, i int) (err error) {
		if documents[i], err = f.Packument(ctx, "a", false); err == nil {
			packages[i], err = f.Package(ctx, ref)
		}
		return err
	}
	var wg sync.WaitGroup
	var handles []*task.Handle[struct{}]
	for i := range askers {
		if i%2 == 0 {
			wg.Go(func() {
				if err := ask(f.ctx, i); err != nil {
					t.Error(err)
				}
			})
			continue
		}
		handles = append(handles, task.Go(f.ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, ask(ctx, i) }))
	}
	for _, h := range handles {
		if _, err := h.Join(f.ctx); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	for i := range askers {
		if packages[i] != packages[0] || documents[i] != documents[0] {
			t.Fatalf("asker %d got another answer", i)
		}
	}
	for path, n := range f.asked() {
		if n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
}

func TestWhatAPackageIsVerifiedBy(t *testing.T) {
	for _, row := range []struct {
		name, dist string
		ref        func(Ref) Ref // what the lockfile says, from what the registry says
		wrong      bool
	}{
		{name: "sha512"},
		{name: "sha1 alone", dist: `{"integrity": null}`},
		{name: "no hash at all", dist: `{"integrity": null, "shasum": null}`},
		{name: "a wrong sha1", dist: `{"integrity": null, "shasum": "0123456789012345678901234567890123456789"}`, wrong: true},
		{name: "two hashes", ref: func(r Ref) Ref {
			r.Integrity = "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA= " + r.Integrity
			return r
		}},
		{name: "the lockfile has no address", ref: func(r Ref) Ref {
			return Ref{Name: r.Name, Version: "1.0.0", Integrity: r.Integrity}
		}},
		{name: "nor a hash", ref: func(r Ref) Ref { return Ref{Name: r.Name, Version: "1.0.0"} }},
		{name: "no address and a wrong hash", ref: func(r Ref) Ref {
			return Ref{Name: r.Name, Version: "1.0.0", Integrity: "sha512-" + strings.Repeat("A", 86) + "=="}
		}, wrong: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := setUp(t, nil)
			f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0", Dist: row.dist})
			ref := f.ref("a", "1.0.0")
			if row.ref != nil {
				ref = row.ref(ref)
			}
			p, err := f.Package(f.ctx, ref)
			if row.wrong {
				if m := (*integrity.MismatchError)(nil); !errors.As(err, &m) {
					t.Fatalf("error %v, want a mismatch", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			tgz, err := f.reg.Tarball("a", "1.0.0")
			if err != nil {
				t.Fatal(err)
			}
			if err := integrity.Verify(tgz, p.Key); err != nil || !strings.HasPrefix(p.Key, "sha512-") {
				t.Errorf("key %s: %v", p.Key, err)
			}
			if err := f.store.Verify(p.Key); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAVersionWithoutAddressThatNobodyHas(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
	if _, err := f.Package(f.ctx, Ref{Name: "a", Version: "7.0.0"}); err == nil {
		t.Error("no error for a version that does not exist")
	}
	if _, err := f.Package(f.ctx, Ref{Name: "b", Version: "1.0.0"}); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("a package that does not exist: %v", err)
	}
}

// TestDamagedOnTheWay: bytes that are not what was promised are asked for again,
// past every cache, and then given up.
func TestDamagedOnTheWay(t *testing.T) {
	for _, row := range []struct {
		name     string
		fault    regtest.Fault
		requests int
		ok       bool
	}{
		{"once", regtest.Fault{Kind: regtest.Corrupt, Times: 1}, 2, true},
		{"twice", regtest.Fault{Kind: regtest.Corrupt, Times: 2}, 3, true},
		{"always", regtest.Fault{Kind: regtest.Corrupt}, attempts, false},
		{"cut once", regtest.Fault{Kind: regtest.Short, Times: 1}, 2, true},
		{"cut always", regtest.Fault{Kind: regtest.Short}, attempts, false},
		{"a captive portal", regtest.Fault{Kind: regtest.SignIn, Times: 1}, 2, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := setUp(t, nil)
			f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
			row.fault.On = regtest.Tarballs
			f.reg.Fail("a", row.fault)
			ref := f.ref("a", "1.0.0")
			_, err := f.Package(f.ctx, ref)
			log := f.reg.Requests()
			if len(log) != row.requests {
				t.Errorf("%d requests, want %d", len(log), row.requests)
			}
			for i, q := range log {
				if fresh := q.Header.Get("Cache-Control") != ""; fresh != (i > 0) {
					t.Errorf("request %d: Cache-Control %q", i, q.Header.Get("Cache-Control"))
				}
			}
			if row.ok {
				if err != nil {
					t.Fatal(err)
				}
				if err := f.store.Verify(ref.Integrity); err != nil {
					t.Error(err)
				}
				return
			}
			if m := (*integrity.MismatchError)(nil); !errors.As(err, &m) {
				t.Errorf("error %v, want a mismatch", err)
			}
			if _, err := f.store.Get(ref.Integrity); !errors.Is(err, store.ErrAbsent) {
				t.Errorf("the store has it: %v", err)
			}
		})
	}
}

// TestTarballsThatAreNone: where the hash says that this is what was published,
// asking again is no use; without a hash it may have been the way.
func TestTarballsThatAreNone(t *testing.T) {
	for _, row := range []struct {
		name, bytes string
		want        error
	}{
		{"text", "hello", tarball.ErrFormat},
		{"nothing", "", tarball.ErrFormat},
		{"gzip that is cut", "\x1f\x8b\x08\x00\x00\x00\x00\x00", tarball.ErrGzip},
	} {
		for _, hashed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, hashed %v", row.name, hashed), func(t *testing.T) {
				f := setUp(t, nil)
				f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0", Tarball: []byte(row.bytes)})
				ref, tries := f.ref("a", "1.0.0"), 1
				key := ref.Integrity
				if !hashed {
					ref.Integrity, tries = "", attempts
				}
				if _, err := f.Package(f.ctx, ref); !errors.Is(err, row.want) {
					t.Errorf("error %v, want %v", err, row.want)
				}
				if n := len(f.reg.Requests()); n != tries {
					t.Errorf("%d requests, want %d", n, tries)
				}
				if _, err := f.store.Get(key); !errors.Is(err, store.ErrAbsent) {
					t.Errorf("the store has it: %v", err)
				}
			})
		}
	}
}

// TestAFullStoreAsksNobody: neither for a tarball nor for an address.
func TestAFullStoreAsksNobody(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
	ref := f.ref("a", "1.0.0")
	if _, err := f.Package(f.ctx, ref); err != nil {
		t.Fatal(err)
	}
	f.reg.Reset()
	next := setUpAt(t, f.reg, f.store.Dir(), nil)
	for _, r := range []Ref{ref, {Name: "a", Version: "1.0.0", Integrity: ref.Integrity}} {
		if _, err := next.Package(next.ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(f.reg.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestADamagedStore is mended from the registry, and once for all who notice.
func TestADamagedStore(t *testing.T) {
	t.Run("no index", func(t *testing.T) {
		f := setUp(t, nil)
		f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
		ref := f.ref("a", "1.0.0")
		p, err := f.Package(f.ctx, ref)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(p.Dir)
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !e.IsDir() {
				if err := os.WriteFile(filepath.Join(folder, e.Name()), []byte("?"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := f.store.Get(ref.Integrity); !errors.Is(err, store.ErrCorrupt) {
			t.Fatalf("the index was not damaged: %v", err)
		}
		next := setUpAt(t, f.reg, f.store.Dir(), nil)
		if _, err := next.Package(next.ctx, ref); err != nil {
			t.Fatal(err)
		}
		if err := f.store.Verify(ref.Integrity); err != nil {
			t.Error(err)
		}
	})
	t.Run("a file is gone", func(t *testing.T) {
		f := setUp(t, nil)
		f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
		ref := f.ref("a", "1.0.0")
		p, err := f.Package(f.ctx, ref)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(p.Dir, "index.js")); err != nil {
			t.Fatal(err)
		}
		f.reg.Reset()
		const askers = 8
		var wg sync.WaitGroup
		for range askers {
			wg.Go(func() {
				got, err := f.Again(f.ctx, ref, p)
				if err == nil {
					_, err = os.Stat(filepath.Join(got.Dir, "index.js"))
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := len(f.reg.Requests()); n != 1 {
			t.Errorf("%d downloads for %d who noticed", n, askers)
		}
		if err := f.store.Verify(ref.Integrity); err != nil {
			t.Error(err)
		}
	})
}

func TestTarballsOnDisk(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
	tgz, err := f.reg.Tarball("a", "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.tgz")
	if err := os.WriteFile(path, tgz, 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := f.Package(f.ctx, Ref{Name: "a", Resolved: "file:" + filepath.ToSlash(path)})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.store.Verify(p.Key); err != nil {
		t.Error(err)
	}
	u, err := f.Unpacked(f.ctx, "a", "file:"+filepath.ToSlash(path), p.Key)
	if err != nil || u.Integrity != p.Key {
		t.Fatalf("%v, %v", u, err)
	}
	if text, err := fs.ReadFile(u.Files, "index.js"); err != nil || !strings.Contains(string(text), "a@1.0.0") {
		t.Errorf("index.js is %q, %v", text, err)
	}
	if _, err := f.Package(f.ctx, Ref{Name: "a", Resolved: "file:" + filepath.ToSlash(path) + ".absent"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if n := len(f.reg.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// explosive panics instead of asking for one path.
type explosive struct {
	http.RoundTripper
	path string
}

func (e explosive) RoundTrip(q *http.Request) (*http.Response, error) {
	if strings.Contains(q.URL.Path, e.path) {
		panic("boom")
	}
	return e.RoundTripper.RoundTrip(q)
}

// TestAPanicIsThatPackagesError: others come as if nothing had happened, and
// asking again gives the same error.
func TestAPanicIsThatPackagesError(t *testing.T) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	f := setUp(t, func(_ *Options, o *registry.Options) { o.Transport = explosive{transport, "bad-1.0.0.tgz"} })
	f.reg.Add(regtest.Package{Name: "bad", Version: "1.0.0"}, regtest.Package{Name: "good", Version: "1.0.0"})
	bad, good := f.ref("bad", "1.0.0"), f.ref("good", "1.0.0")
	for range 2 {
		_, err := f.Package(f.ctx, bad)
		if p := (*task.PanicError)(nil); !errors.As(err, &p) || fmt.Sprint(p.Value) != "boom" {
			t.Errorf("error %v, want the panic", err)
		}
	}
	if _, err := f.Package(f.ctx, good); err != nil {
		t.Error(err)
	}
}

// TestCancelling ends waits that nothing else would end: the registry hangs.
func TestCancelling(t *testing.T) {
	t.Run("who waits", func(t *testing.T) {
		f := setUp(t, nil)
		f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
		f.reg.Fail("a", regtest.Fault{Kind: regtest.HangBody, On: regtest.Tarballs})
		ref := f.ref("a", "1.0.0")
		ctx, cancel := context.WithCancel(f.ctx)
		defer cancel()
		h := task.Go(ctx, func(ctx context.Context) (*store.Package, error) { return f.Package(ctx, ref) })
		if err := f.reg.Await(f.ctx, 1); err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		f.sched.Close() // ends the job itself
		if _, err := f.store.Get(ref.Integrity); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("the store has it: %v", err)
		}
	})
	t.Run("everything", func(t *testing.T) {
		f := setUp(t, nil)
		f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"})
		f.reg.Fail("a", regtest.Fault{Kind: regtest.Hang})
		h := task.Go(f.ctx, func(ctx context.Context) (*packument.Packument, error) { return f.Packument(ctx, "a", false) })
		if err := f.reg.Await(f.ctx, 1); err != nil {
			t.Fatal(err)
		}
		f.sched.Close()
		if _, err := h.Join(context.Background()); !errors.Is(err, schedule.ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestWasted(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"}, regtest.Package{Name: "b", Version: "1.0.0"}, regtest.Package{Name: "c", Version: "1.0.0"})
	a, b, c := f.ref("a", "1.0.0"), f.ref("b", "1.0.0"), f.ref("c", "1.0.0")
	for _, step := range []struct {
		do   func()
		want int
	}{
		{func() { f.Prefetch(a); f.Prefetch(a); f.Prefetch(b) }, 2},
		{func() { f.Need(a) }, 1},
		{func() { f.Need(c); f.Prefetch(c); f.Prefetch(a) }, 1},
		{func() { _, _ = f.Package(f.ctx, b) }, 0},
	} {
		step.do()
		if got := f.Wasted(); got != step.want {
			t.Errorf("Wasted = %d, want %d", got, step.want)
		}
	}
}

// TestKeys: what has one content is one job, under whatever name it is asked for.
func TestKeys(t *testing.T) {
	sri := "sha512-" + strings.Repeat("A", 86) + "=="
	for _, row := range []struct {
		a, b Ref
		same bool
	}{
		{Ref{Name: "a", Resolved: "http://x/a.tgz", Integrity: sri}, Ref{Name: "b", Resolved: "http://y/b.tgz", Integrity: sri}, true},
		{Ref{Name: "a", Resolved: "http://x/a.tgz"}, Ref{Name: "b", Resolved: "http://x/a.tgz"}, true},
		{Ref{Name: "a", Resolved: "http://x/a.tgz"}, Ref{Name: "a", Resolved: "http://x/b.tgz"}, false},
		{Ref{Name: "a", Version: "1.0.0"}, Ref{Name: "a", Version: "1.0.1"}, false},
		{Ref{Name: "a", Version: "1.0.0"}, Ref{Name: "a", Version: "1.0.0", Integrity: sri}, false},
	} {
		if got := row.a.Key() == row.b.Key(); got != row.same {
			t.Errorf("%+v and %+v: same is %v", row.a, row.b, got)
		}
	}
}

func TestLanes(t *testing.T) {
	for _, sockets := range []int{-1, 0, 1, 15, 1 << 40} {
		for i, n := range Lanes(sockets) {
			if n < 1 || n > 1<<20 {
				t.Errorf("Lanes(%d)[%d] = %d", sockets, i, n)
			}
		}
	}
}

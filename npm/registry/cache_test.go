package registry

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// cached serves one document with an ETag and a Cache-Control.
func cached(t *testing.T, control string) *server {
	return serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Cache-Control", control)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		giveDoc(w, r)
	})
}

// round makes a client of its own, asks once and closes, as one run does.
func round(t *testing.T, dir, config string, clock *fakeClock) error {
	t.Helper()
	c, _ := client(t, config, Options{CacheDir: dir, clock: clock})
	defer c.Close()
	p, err := c.Packument(t.Context(), "a", false)
	if err == nil && len(p.Versions()) != 1 {
		t.Error("the packument is not the one served")
	}
	return err
}

func TestFreshness(t *testing.T) {
	s := cached(t, "public, max-age=300")
	dir, clock := t.TempDir(), newClock()
	ask := func(wantRequests int, what string) {
		t.Helper()
		if err := round(t, dir, s.registry(), clock); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got := s.count("/a"); got != wantRequests {
			t.Errorf("%s: %d requests, want %d", what, got, wantRequests)
		}
	}
	ask(1, "cold")
	clock.advance(299 * time.Second)
	ask(1, "fresh")
	clock.advance(2 * time.Second)
	ask(2, "stale")
	if s.last().Header.Get("If-None-Match") != `"v1"` {
		t.Errorf("not conditional: %v", s.last().Header)
	}
	clock.advance(299 * time.Second)
	ask(2, "fresh again after 304")
	clock.advance(-time.Hour)
	ask(3, "stored in the future")
}

func TestCacheModes(t *testing.T) {
	s := cached(t, "max-age=300")
	dir, clock := t.TempDir(), newClock()
	if err := round(t, dir, s.registry()+"offline=true\n", clock); !errors.Is(err, ErrOffline) {
		t.Errorf("offline, cold: %v", err)
	}
	if err := round(t, dir, s.registry()+"prefer-offline=true\n", clock); err != nil || s.count("/a") != 1 {
		t.Errorf("prefer-offline, cold: %v", err)
	}
	if err := round(t, dir, s.registry()+"prefer-online=true\n", clock); err != nil || s.count("/a") != 2 {
		t.Errorf("prefer-online, fresh: %v, %d", err, s.count("/a"))
	}
	clock.advance(time.Hour)
	for _, config := range []string{"offline=true\n", "prefer-offline=true\n"} {
		if err := round(t, dir, s.registry()+config, clock); err != nil || s.count("/a") != 2 {
			t.Errorf("%s, stale: %v, %d", config, err, s.count("/a"))
		}
	}
	c, _ := client(t, s.registry()+"offline=true\n", Options{CacheDir: dir})
	if _, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{}); !errors.Is(err, ErrOffline) {
		t.Errorf("tarball: %v", err)
	}
	if _, err := c.Packument(t.Context(), "a", true); !errors.Is(err, ErrOffline) {
		t.Errorf("the full document was taken from the abbreviated one: %v", err)
	}
}

func TestWhatMayNotBeStored(t *testing.T) {
	s := cached(t, "no-store, max-age=300")
	dir, clock := t.TempDir(), newClock()
	for want := 1; want <= 2; want++ {
		if err := round(t, dir, s.registry(), clock); err != nil || s.count("/a") != want || s.last().Header.Get("If-None-Match") != "" {
			t.Errorf("%v, %d requests", err, s.count("/a"))
		}
	}
	if files, _ := filepath.Glob(dir + "/????*"); len(files) != 0 {
		t.Errorf("stored %v", files)
	}
}

func TestUnreachableRegistry(t *testing.T) {
	for control, usable := range map[string]bool{"max-age=1": true, "": true, "max-age=1, must-revalidate": false} {
		s := cached(t, control)
		dir, clock := t.TempDir(), newClock()
		if err := round(t, dir, s.registry(), clock); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Hour)
		s.Server.Close()
		if err := round(t, dir, s.registry(), clock); (err == nil) != usable {
			t.Errorf("%q: %v", control, err)
		}
	}
}

func TestBrokenRegistry(t *testing.T) {
	for control, usable := range map[string]bool{"max-age=1": false, "max-age=1, stale-if-error=86400": true, "max-age=1, stale-if-error=60": false} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if n > 1 {
				w.WriteHeader(503)
				return
			}
			w.Header().Set("Cache-Control", control)
			giveDoc(w, r)
		})
		dir, clock := t.TempDir(), newClock()
		if err := round(t, dir, s.registry(), clock); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Hour)
		if err := round(t, dir, s.registry(), clock); (err == nil) != usable {
			t.Errorf("%q: %v", control, err)
		}
	}
}

func TestTokensDoNotShareAnEntry(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Cache-Control", "max-age=300")
		if r.Header.Get("Authorization") != "Bearer good" {
			w.WriteHeader(404)
			return
		}
		giveDoc(w, r)
	})
	dir, clock := t.TempDir(), newClock()
	good, bad := nerf(s.URL)+":_authToken=good\n", nerf(s.URL)+":_authToken=bad\n"
	if err := round(t, dir, s.registry()+good, clock); err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{"", bad} {
		if err := round(t, dir, s.registry()+config, clock); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q saw the document: %v", config, err)
		}
		if err := round(t, dir, s.registry()+config+"offline=true\n", clock); !errors.Is(err, ErrOffline) {
			t.Errorf("%q saw the document offline: %v", config, err)
		}
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if !d.IsDir() {
			if data, _ := os.ReadFile(path); bytes.Contains(data, []byte("good")) {
				t.Errorf("%s holds the token", path)
			}
			if info, _ := d.Info(); info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
		}
		return nil
	})
}

func TestDamagedFilesAreMissing(t *testing.T) {
	s := cached(t, "max-age=300")
	dir, clock := t.TempDir(), newClock()
	if err := round(t, dir, s.registry(), clock); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(dir + "/????*")
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	key := cacheKey{address: s.URL + "/a"}
	found := func(data []byte) bool {
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		return cache{dir}.read(key) != nil
	}
	if !found(whole) {
		t.Fatal("the whole file is not found")
	}
	h, _ := decodeHead(whole)
	content := headFixed + int(uint32(whole[16])|uint32(whole[17])<<8)
	for i := range whole {
		if i >= content && i < h.room {
			continue // padding
		}
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x20
		if found(damaged) {
			t.Errorf("byte %d of %d changed, and found", i, len(whole))
		}
	}
	for i := range whole {
		if found(whole[:i]) {
			t.Errorf("cut to %d of %d bytes, and found", i, len(whole))
		}
	}
	if found(append(bytes.Clone(whole), 0)) {
		t.Error("longer, and found")
	}
	os.Remove(files[0])
	if err := os.Mkdir(files[0], 0o700); err != nil {
		t.Fatal(err)
	}
	if err := round(t, dir, s.registry(), clock); err != nil || s.count("/a") != 2 {
		t.Errorf("a folder in the file's place: %v", err)
	}
}

func TestRefreshKeepsTheBody(t *testing.T) {
	c := newCache(t)
	k := cacheKey{address: "http://h/a"}
	e := entry{validity: validity{ETag: "1", Received: time.UnixMilli(1000)}, body: []byte("body")}
	if err := c.write(k, e); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(c.path(k))
	e.validity.Received, e.validity.CacheControl = time.UnixMilli(2000), "max-age=5"
	if err := c.refresh(k, e); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(c.path(k))
	if got := c.read(k); got == nil || got.validity != e.validity || string(got.body) != "body" || !os.SameFile(before, after) {
		t.Errorf("%+v", got)
	}
	e.validity.ETag = strings.Repeat("long", 100) // more than the room
	if err := c.refresh(k, e); err != nil {
		t.Fatal(err)
	}
	if got := c.read(k); got == nil || got.validity != e.validity {
		t.Errorf("%+v", got)
	}
	other := entry{validity: validity{ETag: "other"}, body: []byte("other body")}
	if err := c.refresh(k, other); err != nil { // another process replaced it
		t.Fatal(err)
	}
	if got := c.read(k); got == nil || string(got.body) != "other body" {
		t.Errorf("%+v", got)
	}
	e.validity.ETag = strings.Repeat("x", roomMax)
	if err := c.write(k, e); err != nil || string(c.read(k).body) != "other body" {
		t.Errorf("headers beyond measure: %v", err)
	}
}

func TestManyProcessesShareTheCache(t *testing.T) {
	dir := newCache(t).dir
	k := cacheKey{address: "http://h/a"}
	var wg sync.WaitGroup
	for writer := range 4 {
		wg.Go(func() {
			c := cache{dir} // as if in a process of its own
			for i := range 100 {
				e := entry{validity: validity{ETag: fmt.Sprint(writer)}, body: bytes.Repeat([]byte{byte('a' + writer)}, 5000)}
				write := c.write
				if i%2 == 1 {
					write = c.refresh
				}
				if err := write(k, e); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			c := cache{dir}
			for range 200 {
				e := c.read(k)
				if e == nil {
					continue
				}
				if want := string(rune('a' + e.validity.ETag[0] - '0')); strings.Trim(string(e.body), want) != "" || len(e.body) != 5000 {
					t.Errorf("head %s with body %.3s", e.validity.ETag, e.body)
				}
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(dir + "/tmp/*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func newCache(t *testing.T) cache {
	c := cache{t.TempDir()}
	if err := os.Mkdir(c.temporary(), 0o700); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSweep(t *testing.T) {
	dir := newCache(t).dir
	now := time.Now()
	for name, age := range map[string]time.Duration{"tmp/old": 2 * time.Hour, "tmp/new": time.Minute, "other": 2 * time.Hour} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(file, now, now.Add(-age))
	}
	cache{dir}.sweep(now)
	left, _ := filepath.Glob(dir + "/tmp/*")
	other, _ := filepath.Glob(dir + "/other")
	if len(left) != 1 || len(other) != 1 {
		t.Errorf("left %v %v", left, other)
	}
}

func TestACacheThatCannotBeWritten(t *testing.T) {
	s := cached(t, "max-age=300")
	dir := t.TempDir()
	var failed []Event
	c, _ := client(t, s.registry(), Options{CacheDir: dir, Observe: func(e Event) {
		if e.Kind == CacheFailed {
			failed = append(failed, e)
		}
	}})
	os.RemoveAll(dir)
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Packument(t.Context(), "a", false); err != nil {
		t.Error(err)
	}
	c.Close()
	if len(failed) != 1 || failed[0].Package != "a" {
		t.Errorf("%v", failed)
	}
}

func TestLifetime(t *testing.T) {
	received := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return received.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		v    validity
		want time.Duration
	}{
		{validity{}, 0},
		{validity{CacheControl: "max-age=300"}, 5 * time.Minute},
		{validity{CacheControl: `public, Max-Age="300"`}, 5 * time.Minute},
		{validity{CacheControl: "max-age=x"}, 0},
		{validity{CacheControl: "max-age=-1"}, 0},
		{validity{CacheControl: "max-age=99999999999999999999"}, 0},
		{validity{CacheControl: "max-age=9999999999"}, 10 * 365 * 24 * time.Hour},
		{validity{CacheControl: "max-age=300, no-cache"}, 0},
		{validity{CacheControl: "max-age=300", Vary: "*"}, 0},
		{validity{CacheControl: "max-age=300", Vary: "accept, accept-encoding"}, 5 * time.Minute},
		{validity{Pragma: "no-cache", LastModified: date(-time.Hour)}, 0},
		{validity{CacheControl: "max-age=300, pre-check=0, post-check=0, no-cache"}, 5 * time.Minute},
		{validity{CacheControl: "immutable"}, 24 * time.Hour},
		{validity{CacheControl: "immutable, max-age=1"}, time.Second},
		{validity{Expires: date(time.Minute)}, time.Minute},
		{validity{Expires: date(time.Hour), Date: date(59 * time.Minute)}, time.Minute},
		{validity{Expires: "0"}, 0},
		{validity{Expires: date(-time.Minute)}, 0},
		{validity{LastModified: date(-10 * time.Hour)}, time.Hour},
		{validity{LastModified: date(time.Hour)}, 0},
		{validity{LastModified: date(-10 * time.Hour), CacheControl: "max-age=1"}, time.Second},
	} {
		c.v.Received = received
		if got := c.v.lifetime(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.v, got, c.want)
		}
	}
}

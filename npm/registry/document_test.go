package registry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"weft/npm/packument"
)

func TestForms(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { giveDoc(w, r) })
	c, _ := client(t, s.registry(), Options{UserAgent: "weft/1"})
	for _, full := range []bool{false, true} {
		p, err := c.Packument(t.Context(), "a", full)
		if err != nil || len(p.Versions()) != 1 {
			t.Fatal(err)
		}
		want := acceptAbbreviated
		if full {
			want = acceptFull
		}
		if h := s.last().Header; h.Get("Accept") != want || h.Get("User-Agent") != "weft/1" || h.Get("Accept-Encoding") != "gzip" {
			t.Errorf("full %v: %v", full, h)
		}
		runtime.KeepAlive(p)
	}
}

func TestOneAnswerServesBothFormsWhereTheyAreTheSame(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "max-age=300")
		w.Write(docJSON("a", true))
	})
	dir := t.TempDir()
	c, _ := client(t, s.registry(), Options{CacheDir: dir})
	short, err := c.Packument(t.Context(), "a", false)
	if err != nil {
		t.Fatal(err)
	}
	full, err := c.Packument(t.Context(), "a", true)
	if err != nil || full != short || s.count("/a") != 1 {
		t.Errorf("%v, %d requests", err, s.count("/a"))
	}
	c.Close()
	later, _ := client(t, s.registry(), Options{CacheDir: dir})
	if _, err := later.Packument(t.Context(), "a", true); err != nil || s.count("/a") != 1 {
		t.Errorf("%v, %d requests", err, s.count("/a"))
	}
}

func TestNames(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { giveDoc(w, r) })
	c, _ := client(t, "registry="+s.URL+"/reg/sub/\n", Options{})
	for name, path := range map[string]string{
		"a": "/reg/sub/a", "@s/a": "/reg/sub/@s%2fa", "A_b.c~d": "/reg/sub/A_b.c~d", "a b?c#d": "/reg/sub/a%20b%3Fc%23d",
		"-": "/reg/sub/-", "constructor": "/reg/sub/constructor", "é": "/reg/sub/%C3%A9", "@s/%2e": "/reg/sub/@s%2f%252e",
	} {
		if _, err := c.Packument(t.Context(), name, false); err != nil {
			t.Errorf("%q: %v", name, err)
		} else if got := s.last().URL.EscapedPath(); got != path {
			t.Errorf("%q asked for %s, want %s", name, got, path)
		}
	}
	before := len(s.reqs)
	for _, name := range []string{"", ".", "..", "@s/..", "@s/", "@/a", "a/b", "@s/a/b", "../a", `@s/a\b`, "/a", "http://x/y", strings.Repeat("a", 600)} {
		if _, err := c.Packument(t.Context(), name, false); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if len(s.reqs) != before {
		t.Error("a bad name was asked for")
	}
}

func TestFullFormWhereTheShortOneIsRefused(t *testing.T) {
	for status, remembered := range map[int]bool{406: true, 415: true, 404: false} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if strings.Contains(r.Header.Get("Accept"), "install-v1") {
				w.WriteHeader(status)
				return
			}
			giveDoc(w, r)
		})
		c, clock := client(t, s.registry(), Options{})
		for _, name := range []string{"a", "b"} {
			if _, err := c.Packument(t.Context(), name, false); err != nil {
				t.Errorf("%d: %v", status, err)
			}
		}
		want := 2
		if remembered {
			want = 1
		}
		if s.count("/a") != 2 || s.count("/b") != want || len(clock.sleeps()) != 0 {
			t.Errorf("%d: %d and %d requests", status, s.count("/a"), s.count("/b"))
		}
	}
}

func TestNotFound(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.WriteHeader(404)
		fmt.Fprint(w, `{"error":"Not found"}`)
	})
	c, _ := client(t, s.registry(), Options{})
	_, err := c.Packument(t.Context(), "a", false)
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "404 not found (Not found)") {
		t.Errorf("%v", err)
	}
	if _, err := c.Tarball(t.Context(), s.URL+"/x.tgz", TarballOptions{}); !errors.Is(err, ErrNotFound) || s.count("/x.tgz") != 1 {
		t.Errorf("%v", err)
	}
}

func TestNonsenseIsAskedForOnceMore(t *testing.T) {
	for name, body := range map[string]string{
		"page": "<html>sign in</html>", "cut": `{"name":"a","versions":{"1.0.0":{"na`, "empty": "", "list": "[]", "text": `"a"`,
	} {
		for _, recovers := range []bool{false, true} {
			s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n > 1 && recovers {
					if r.Header.Get("Cache-Control") != "no-cache" || r.Header.Get("Accept") != acceptFull {
						t.Errorf("%s: %v", name, r.Header)
					}
					giveDoc(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, body)
			})
			c, _ := client(t, s.registry(), Options{CacheDir: t.TempDir()})
			_, err := c.Packument(t.Context(), "a", false)
			var e *DocumentError
			if recovers != (err == nil) || s.count("/a") != 2 {
				t.Errorf("%s, recovers %v: %v", name, recovers, err)
			}
			if !recovers && (!errors.As(err, &e) || e.ContentType != "text/html; charset=utf-8" || !strings.Contains(err.Error(), s.URL+"/a: ")) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func TestPackedDocument(t *testing.T) {
	doc := docJSON("a", false)
	body := packed(doc)
	for name, c := range map[string]struct {
		first []byte
		tries int
	}{
		"whole":        {body, 1},
		"two members":  {append(packed(doc[:50]), packed(doc[50:])...), 1},
		"cut":          {body[:len(body)-20], 2},
		"wrong sum":    {append(body[:len(body)-8:len(body)-8], 1, 2, 3, 4, 5, 6, 7, 8), 2},
		"not packed":   {[]byte("plain"), 2},
		"nothing":      {nil, 2},
		"trailer lies": {append(append([]byte(nil), body...), packed(bytes.Repeat([]byte(" "), 100_000))...), 1},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("Content-Encoding", "gzip")
			if n < c.tries {
				w.Write(c.first)
				return
			}
			if c.tries == 1 {
				w.Write(c.first)
				return
			}
			w.Write(body)
		})
		cl, clock := client(t, s.registry(), Options{})
		p, err := cl.Packument(t.Context(), "a", false)
		if err != nil || len(p.Versions()) != 1 || s.count("/a") != c.tries || len(clock.sleeps()) != c.tries-1 {
			t.Errorf("%s: %v after %d", name, err, s.count("/a"))
		}
	}
}

func TestBytesAreThoseOnTheWire(t *testing.T) {
	body := packed(docJSON("a", false))
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(body)
	})
	c, _ := client(t, s.registry(), Options{})
	if _, err := c.Packument(t.Context(), "a", false); err != nil || c.Bytes() != int64(len(body)) {
		t.Errorf("%v, %d bytes of %d", err, c.Bytes(), len(body))
	}
}

func TestLimits(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 3000)
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch r.URL.Path {
		case "/length":
			w.Header().Set("Content-Length", "3000")
			w.Write(big)
		case "/lie":
			hijacked(t, w, "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n", big, false)
		case "/chunks":
			for i := 0; i < 3000; i += 100 {
				w.Write(big[:100])
				w.(http.Flusher).Flush()
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed(bytes.Repeat([]byte("x"), 1<<20)))
		}
	})
	for _, path := range []string{"length", "lie", "chunks", "bomb"} {
		c, clock := client(t, s.registry(), Options{DocumentMax: 2000, TarballMax: 2000})
		_, err := c.Packument(t.Context(), path, true)
		var e *LimitError
		if !errors.As(err, &e) || e.Limit != 2000 || len(clock.sleeps()) != 0 {
			t.Errorf("document %s: %v", path, err)
		}
		if path == "bomb" {
			continue
		}
		if _, err := c.Tarball(t.Context(), s.URL+"/"+path, TarballOptions{}); !errors.As(err, &e) {
			t.Errorf("tarball %s: %v", path, err)
		}
	}
}

func TestCallsShareARequest(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		<-release
		giveDoc(w, r)
	})
	c, _ := client(t, s.registry(), Options{})
	got := make([]*packument.Packument, 20)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			p, err := c.Packument(t.Context(), "a", false)
			if err != nil {
				t.Error(err)
			}
			got[i] = p
		})
	}
	close(release)
	wg.Wait()
	again, err := c.Packument(t.Context(), "a", false)
	if err != nil || s.count("/a") != 1 {
		t.Errorf("%v, %d requests", err, s.count("/a"))
	}
	for _, p := range got {
		if p != again {
			t.Error("not the same packument")
		}
	}
}

func TestACancelledLeaderLeavesOthersGoing(t *testing.T) {
	entered := make(chan struct{}, 2)
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		entered <- struct{}{}
		select {
		case <-release:
			giveDoc(w, r)
		case <-r.Context().Done():
		}
	})
	c, _ := client(t, s.registry(), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	leader, follower := make(chan error), make(chan error)
	go func() { _, err := c.Packument(ctx, "a", false); leader <- err }()
	<-entered
	go func() { _, err := c.Packument(t.Context(), "a", false); follower <- err }()
	waiter, stop := context.WithCancel(t.Context())
	stop()
	if _, err := c.Packument(waiter, "a", false); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled waiter: %v", err)
	}
	cancel()
	if err := <-leader; !errors.Is(err, context.Canceled) {
		t.Errorf("leader: %v", err)
	}
	<-entered
	close(release)
	if err := <-follower; err != nil {
		t.Errorf("follower: %v", err)
	}
}

func TestAPanickingLeaderLeavesOthersGoing(t *testing.T) {
	var f flights
	started, other := make(chan struct{}), make(chan error)
	go func() {
		defer func() { recover() }()
		f.do(t.Context(), "k", func() (*packument.Packument, error) {
			close(started)
			go func() {
				_, err := f.do(t.Context(), "k", func() (*packument.Packument, error) { return nil, nil })
				other <- err
			}()
			panic("on purpose")
		})
	}()
	<-started
	if err := <-other; err != nil {
		t.Error(err)
	}
}

func TestClosed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { giveDoc(w, r) })
	c, _ := client(t, s.registry(), Options{CacheDir: t.TempDir()})
	if _, err := c.Packument(t.Context(), "a", false); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := c.Packument(t.Context(), "b", false); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := c.Tarball(t.Context(), s.URL+"/x", TarballOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := New(Options{}); err == nil {
		t.Error("made without settings")
	}
}

func TestPlaces(t *testing.T) {
	var mu sync.Mutex
	inside, most := 0, 0
	entered, gate := make(chan struct{}, 12), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		mu.Lock()
		inside++
		most = max(most, inside)
		mu.Unlock()
		entered <- struct{}{}
		<-gate
		mu.Lock()
		inside--
		mu.Unlock()
		giveDoc(w, r)
	})
	c, _ := client(t, s.registry()+"maxsockets=3\n", Options{})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if _, err := c.Packument(t.Context(), "p"+strconv.Itoa(i), false); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 {
		<-entered
	}
	close(gate)
	wg.Wait()
	if most != 3 {
		t.Errorf("%d requests at once, want 3", most)
	}
}

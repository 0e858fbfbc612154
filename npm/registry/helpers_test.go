package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"weft/npm/npmrc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeClock stands still. Sleeping moves it on and is written down; timers fire
// when a test says so.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	slept  []time.Duration
	timers map[*fakeTimer]bool
	resets int
	block  chan struct{} // where set, sleepers wait for it or their context
}

type fakeTimer struct {
	clock *fakeClock
	f     func()
}

func newClock() *fakeClock {
	return &fakeClock{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), timers: map[*fakeTimer]bool{}}
}

func (c *fakeClock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *fakeClock) advance(d time.Duration) { c.mu.Lock(); c.now = c.now.Add(d); c.mu.Unlock() }

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.slept = append(c.slept, d)
	c.now = c.now.Add(d)
	block := c.block
	c.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

func (c *fakeClock) AfterFunc(d time.Duration, f func()) timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{c, f}
	c.timers[t] = true
	return t
}

func (t *fakeTimer) Reset(time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.clock.timers[t]
	t.clock.timers[t] = true
	t.clock.resets++
	return was
}

func (t *fakeTimer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	was := t.clock.timers[t]
	delete(t.clock.timers, t)
	return was
}

// fire lets every running timer fire.
func (c *fakeClock) fire() {
	c.mu.Lock()
	var fs []func()
	for t := range c.timers {
		fs = append(fs, t.f)
	}
	clear(c.timers)
	c.mu.Unlock()
	for _, f := range fs {
		f()
	}
}

func (c *fakeClock) sleeps() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.slept...)
}

// settings loads an .npmrc.
func settings(t testing.TB, content string, env ...string) *npmrc.Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".npmrc"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := npmrc.Load(npmrc.Options{Dir: dir, ProjectDir: dir, Home: dir + "/home", GlobalPrefix: dir + "/global", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// client makes a client with a standing clock; o.Config is made of npmrc
// where it is missing.
func client(t testing.TB, npmrcText string, o Options) (*Client, *fakeClock) {
	t.Helper()
	clock := newClock()
	if o.Config == nil {
		o.Config = settings(t, npmrcText)
	}
	if o.clock == nil {
		o.clock = clock
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, clock
}

// server serves and counts requests by path.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	hits map[string]int
	reqs []*http.Request
}

func serve(t testing.TB, h func(w http.ResponseWriter, r *http.Request, n int)) *server {
	t.Helper()
	s := &server{hits: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.note(r)
		h(w, r, n)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) note(r *http.Request) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits[r.URL.Path]++
	s.reqs = append(s.reqs, r)
	return s.hits[r.URL.Path]
}

func (s *server) count(path string) int { s.mu.Lock(); defer s.mu.Unlock(); return s.hits[path] }

func (s *server) last() *http.Request { s.mu.Lock(); defer s.mu.Unlock(); return s.reqs[len(s.reqs)-1] }

func (s *server) registry() string { return "registry=" + s.URL + "/\n" }

// docJSON is a small packument of one version.
func docJSON(name string, full bool) []byte {
	doc := map[string]any{
		"name": name, "dist-tags": map[string]string{"latest": "1.0.0"},
		"versions": map[string]any{"1.0.0": map[string]any{
			"name": name, "version": "1.0.0",
			"dist": map[string]string{"tarball": "http://localhost/" + name + "/-/x-1.0.0.tgz", "shasum": strings.Repeat("0", 40)},
		}},
	}
	if full {
		doc["time"] = map[string]string{"modified": "2020-01-02T00:00:00.000Z", "1.0.0": "2020-01-01T00:00:00.000Z"}
	}
	data, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return data
}

// giveDoc answers with a packument named after the path.
func giveDoc(w http.ResponseWriter, r *http.Request) {
	full := !strings.Contains(r.Header.Get("Accept"), "install-v1")
	w.Header().Set("Content-Type", acceptFull)
	if !full {
		w.Header().Set("Content-Type", abbreviatedType)
	}
	w.Write(docJSON(strings.TrimPrefix(r.URL.Path, "/"), full))
}

// hijacked takes the connection away from the server after some bytes.
func hijacked(t testing.TB, w http.ResponseWriter, head string, body []byte, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	if reset {
		if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
			tcp.SetLinger(0)
		}
	}
	fmt.Fprint(conn, head)
	conn.Write(body)
}

package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const eager = "fetch-retries=2\nfetch-retry-mintimeout=100\nfetch-retry-maxtimeout=2000\n"

func TestStatusIsRetried(t *testing.T) {
	for _, status := range []int{408, 420, 425, 429, 500, 502, 503, 504, 599} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if n <= 2 {
				w.WriteHeader(status)
				return
			}
			giveDoc(w, r)
		})
		c, clock := client(t, s.registry()+eager, Options{})
		if _, err := c.Packument(t.Context(), "a", false); err != nil {
			t.Errorf("%d: %v", status, err)
		}
		if got := clock.sleeps(); !slices.Equal(got, []time.Duration{100 * time.Millisecond, time.Second}) {
			t.Errorf("%d: waited %v", status, got)
		}
	}
}

func TestStatusIsFinal(t *testing.T) {
	for _, status := range []int{400, 401, 402, 403, 405, 409, 410, 451} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			w.WriteHeader(status)
			fmt.Fprint(w, `{"error":"no","reason":"because \u001b[31mso"}`)
		})
		c, _ := client(t, s.registry()+eager+"//"+strings.TrimPrefix(s.URL, "http://")+"/:_authToken=sesame", Options{})
		_, err := c.Packument(t.Context(), "a", false)
		var e *StatusError
		if !errors.As(err, &e) || e.Status != status || e.Attempts != 1 || !e.Authorized || e.Message != "because [31mso" {
			t.Errorf("%d: %+v, %v", status, e, err)
		}
		if s.count("/a") != 1 || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%d: %d requests, %v", status, s.count("/a"), err)
		}
	}
}

func TestStatusGivesUp(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(503) })
	c, clock := client(t, s.registry()+eager, Options{})
	_, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{})
	var e *StatusError
	if !errors.As(err, &e) || e.Attempts != 3 || s.count("/a.tgz") != 3 || len(clock.sleeps()) != 2 {
		t.Errorf("%v after %d requests", err, s.count("/a.tgz"))
	}
	if !strings.Contains(err.Error(), "/a.tgz: 503 service unavailable, after 3 attempts") {
		t.Errorf("message: %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	clock := newClock()
	for _, c := range []struct {
		header string
		want   time.Duration
		fails  bool
	}{
		{"1", time.Second, false},
		{"0", 100 * time.Millisecond, false},
		{"nonsense", 100 * time.Millisecond, false},
		{"-5", 100 * time.Millisecond, false},
		{"59", 59 * time.Second, false},
		{"61", 0, true},
		{"1e300", 0, true},
		{clock.now.Add(7 * time.Second).Format(http.TimeFormat), 7 * time.Second, false},
		{clock.now.Add(-7 * time.Second).Format(http.TimeFormat), 100 * time.Millisecond, false},
		{clock.now.Add(7 * time.Hour).Format(http.TimeFormat), 0, true},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				w.Header().Set("Retry-After", c.header)
				w.WriteHeader(429)
				return
			}
			giveDoc(w, r)
		})
		clock := newClock()
		cl, _ := client(t, s.registry()+eager, Options{clock: clock})
		_, err := cl.Packument(t.Context(), "a", false)
		if (err != nil) != c.fails {
			t.Errorf("%q: %v", c.header, err)
		}
		if !c.fails && !slices.Equal(clock.sleeps(), []time.Duration{c.want}) {
			t.Errorf("%q: waited %v", c.header, clock.sleeps())
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		npmrc string
		want  []time.Duration
	}{
		{"fetch-retry-mintimeout=100", []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second}},
		{"fetch-retries=4\nfetch-retry-mintimeout=1000\nfetch-retry-factor=2\nfetch-retry-maxtimeout=5000", []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second}},
		{"fetch-retries=1\nfetch-retry-mintimeout=0", []time.Duration{time.Millisecond}},
		{"fetch-retries=0", nil},
		{"fetch-retries=-3", nil},
		{"fetch-retries=2\nfetch-retry-mintimeout=9e9\nfetch-retry-maxtimeout=10", []time.Duration{10 * time.Millisecond, 10 * time.Millisecond}},
	} {
		b := backoffOf(settings(t, c.npmrc))
		var got []time.Duration
		for attempt := 1; ; attempt++ {
			pause, ok := b.after(attempt, 0, retriesMax)
			if !ok {
				break
			}
			got = append(got, pause)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.npmrc, got, c.want)
		}
	}
	b := backoffOf(settings(t, ""))
	for range 1000 {
		for i, want := range []time.Duration{300 * time.Millisecond, 3 * time.Second, 30 * time.Second} {
			got, ok := b.after(i+1, 0, retriesMax)
			if !ok || got < want*3/4 || got > want*5/4 {
				t.Fatalf("default wait %d: %v, %v", i+1, got, ok)
			}
		}
	}
	if _, ok := b.after(4, 0, retriesMax); ok {
		t.Error("a fourth retry by default")
	}
}

func TestBrokenConnectionsAreRetried(t *testing.T) {
	payload := slices.Repeat([]byte("0123456789"), 1000)
	full := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(payload))
	for name, breakOff := range map[string]func(w http.ResponseWriter){
		"reset in the body": func(w http.ResponseWriter) { hijacked(t, w, full, payload[:100], true) },
		"body cut":          func(w http.ResponseWriter) { hijacked(t, w, full, payload[:100], false) },
		"no answer":         func(w http.ResponseWriter) { hijacked(t, w, "", nil, false) },
		"reset at once":     func(w http.ResponseWriter) { hijacked(t, w, "", nil, true) },
		"nonsense":          func(w http.ResponseWriter) { hijacked(t, w, "nonsense\r\n\r\n", nil, false) },
		"chunk cut": func(w http.ResponseWriter) {
			hijacked(t, w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc", nil, false)
		},
		"chunk without an end": func(w http.ResponseWriter) {
			hijacked(t, w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", nil, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n <= 2 {
					breakOff(w)
					return
				}
				w.Write(payload)
			})
			c, _ := client(t, eager, Options{})
			var retried []Event
			c.observeFn = func(e Event) {
				if e.Kind == Retried {
					retried = append(retried, e)
				}
			}
			got, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{Package: "a"})
			if err != nil || !slices.Equal(got.Data, payload) {
				t.Fatalf("%v", err)
			}
			got.Release()
			if n := s.count("/a.tgz"); n < 3 || len(retried) < 1 {
				t.Errorf("%d requests, %d retries", n, len(retried))
			}
		})
	}
}

func TestCutBodyIsAnError(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		hijacked(t, w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", []byte("half"), false)
	})
	c, _ := client(t, eager, Options{})
	_, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{})
	var e *NetworkError
	if !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) || e.Attempts != 3 {
		t.Errorf("%v", err)
	}
}

func TestRefusedConnection(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request, int) {})
	address := s.URL
	s.Close()
	c, clock := client(t, "registry="+address+"\n"+eager, Options{})
	_, err := c.Packument(t.Context(), "a", false)
	var e *NetworkError
	if !errors.As(err, &e) || e.Attempts != 3 || len(clock.sleeps()) != 2 {
		t.Errorf("%v", err)
	}
}

func TestStallBeforeTheAnswer(t *testing.T) {
	asked, release := make(chan struct{}, 10), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	c, clock := client(t, s.registry()+eager+"fetch-timeout=4000", Options{})
	go func() {
		for range 3 {
			<-asked
			clock.fire()
		}
	}()
	_, err := c.Packument(t.Context(), "a", false)
	var e *NetworkError
	if !errors.Is(err, ErrStalled) || !errors.As(err, &e) || e.Attempts != 3 {
		t.Errorf("%v", err)
	}
	if !strings.Contains(err.Error(), "no data for 4s, after 3 attempts") {
		t.Errorf("message: %v", err)
	}
}

func TestStallInTheBody(t *testing.T) {
	payload := slices.Repeat([]byte("x"), 5000)
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Length", "5000")
		if n == 1 {
			w.Write(payload[:100])
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		w.Write(payload)
	})
	c, clock := client(t, eager, Options{})
	first := true
	got, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{Progress: func(done, total int64) {
		if total != 5000 {
			t.Errorf("total %d", total)
		}
		if done == 100 && first {
			first = false
			clock.fire()
		}
	}})
	if err != nil || len(got.Data) != 5000 {
		t.Fatalf("%v", err)
	}
	got.Release()
	if s.count("/a.tgz") != 2 {
		t.Errorf("%d requests", s.count("/a.tgz"))
	}
}

func TestSlowBodyIsNoStall(t *testing.T) {
	step := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		for range 20 {
			w.Write([]byte("chunk"))
			w.(http.Flusher).Flush()
			<-step
		}
	})
	c, clock := client(t, eager, Options{})
	got, err := c.Tarball(t.Context(), s.URL+"/a.tgz", TarballOptions{Progress: func(done, total int64) {
		step <- struct{}{}
	}})
	if err != nil || len(got.Data) != 100 {
		t.Fatalf("%v", err)
	}
	got.Release()
	if clock.resets < 20 {
		t.Errorf("the watch was kept quiet %d times only", clock.resets)
	}
}

func TestCancellation(t *testing.T) {
	t.Run("waiting for the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("ctrl-c")
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			cancel(cause)
			<-r.Context().Done()
		})
		c, _ := client(t, s.registry(), Options{})
		_, err := c.Packument(ctx, "a", false)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) || s.count("/a") != 1 {
			t.Errorf("%v", err)
		}
	})
	t.Run("in the body", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		c, _ := client(t, "", Options{})
		_, err := c.Tarball(ctx, s.URL+"/a", TarballOptions{Progress: func(int64, int64) { cancel() }})
		if !errors.Is(err, context.Canceled) || s.count("/a") != 1 {
			t.Errorf("%v", err)
		}
	})
	t.Run("between attempts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(503) })
		clock := newClock()
		clock.block = make(chan struct{})
		c, _ := client(t, "", Options{clock: clock, Observe: func(e Event) {
			if e.Kind == Retried {
				cancel()
			}
		}})
		if _, err := c.Tarball(ctx, s.URL+"/a", TarballOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	t.Run("waiting for a place", func(t *testing.T) {
		entered, release := make(chan struct{}), make(chan struct{})
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			close(entered)
			<-release
		})
		c, _ := client(t, "", Options{MaxRequests: 1})
		done := make(chan error)
		go func() {
			_, err := c.Tarball(t.Context(), s.URL+"/a", TarballOptions{})
			done <- err
		}()
		<-entered
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Tarball(ctx, s.URL+"/b", TarballOptions{}); !errors.Is(err, context.Canceled) || s.count("/b") != 0 {
			t.Errorf("%v", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

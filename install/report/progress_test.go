package report

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// tape is a writer that may be read while others write.
type tape struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *tape) take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.b.String()
	t.b.Reset()
	return s
}

func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen tape
		r := New(Options{Stderr: &screen, Terminal: true})
		r.Start()
		r.Start() // a second start is the first
		expect := func(after time.Duration, want string) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if got := screen.take(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		r.Add(PackumentsWanted, 3)
		expect(delay-time.Millisecond, "")
		expect(time.Millisecond, eraseLine+"weft: metadata 0/3")
		r.Add(PackumentsDone, 1)
		r.Add(BytesFetched, 1500)
		expect(interval-time.Millisecond, "")
		expect(time.Millisecond, eraseLine+"weft: metadata 1/3, 1.5 kB")
		expect(10*interval, "")
		r.Add(PackumentsDone, 2)
		r.Add(Resolved, 3)
		r.Add(TarballsWanted, 3)
		r.Add(TarballsDone, 2)
		r.Add(LinksWanted, 3)
		r.Add(LinksDone, 1)
		expect(interval, eraseLine+"weft: resolved 3, fetched 2/3, 1.5 kB, linked 1/3")
		if got := r.Count(LinksDone); got != 1 {
			t.Errorf("Count is %d", got)
		}
		r.Stop()
		r.Stop()
		expect(0, eraseLine)
		expect(time.Minute, "")
	})
}

func TestTextTakesTheProgressAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen tape
		r := New(Options{Stderr: &screen, Terminal: true, Verbose: true})
		r.Start()
		r.Add(Resolved, 1)
		time.Sleep(delay)
		synctest.Wait()
		screen.take()
		r.Detail("looked at %s", "a\x1b[1A")
		r.Notice("by the way")
		if got, want := screen.take(), eraseLine+"looked at a\\u001b[1A\nby the way\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		time.Sleep(interval)
		synctest.Wait()
		if got, want := screen.take(), eraseLine+"weft: resolved 1"; got != want {
			t.Errorf("the line did not come back: %q, want %q", got, want)
		}
		_ = r.Finish(Summary{Added: 1, Duration: time.Second})
		if got, want := screen.take(), eraseLine+"added 1 package in 1.0s\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestProgressInALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log tape
		r := New(Options{Stderr: &log})
		r.Start()
		time.Sleep(sparse)
		synctest.Wait()
		r.Add(TarballsWanted, 5)
		time.Sleep(3 * sparse)
		synctest.Wait()
		r.Add(TarballsDone, 5)
		time.Sleep(sparse)
		synctest.Wait()
		r.Stop()
		if got, want := log.take(), "weft: fetched 0/5\nweft: fetched 5/5\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestNoProgressWanted(t *testing.T) {
	for _, o := range []Options{{Quiet: true}, {JSON: true}, {NoProgress: true}} {
		synctest.Test(t, func(t *testing.T) {
			var screen tape
			o.Stderr, o.Terminal = &screen, true
			r := New(o)
			r.Start()
			r.Add(Resolved, 1)
			time.Sleep(time.Minute)
			synctest.Wait()
			r.Stop()
			if got := screen.take(); got != "" {
				t.Errorf("%+v drew %q", o, got)
			}
		})
	}
}

func TestFit(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, tt := range []struct{ width, want int }{{0, 79}, {19, 79}, {20, 19}, {120, 119}, {300, 200}} {
		if got := len(fit(long, func() int { return tt.width })); got != tt.want {
			t.Errorf("%d columns: %d characters, want %d", tt.width, got, tt.want)
		}
	}
	if got := fit(long, nil); len(got) != 79 {
		t.Errorf("unknown width: %d characters", len(got))
	}
}

func TestNilReporter(t *testing.T) {
	var r *Reporter
	r.Start()
	r.Add(Resolved, 1)
	r.Warn(Warning{})
	r.Detail("x")
	r.Notice("x")
	r.Stop()
	if r.Verbose() || r.Count(Resolved) != 0 || r.Finish(Summary{}) != nil {
		t.Error("a nil Reporter does something")
	}
	if p := r.Fail(errCanceled{}); p.Exit != ExitInterrupted {
		t.Errorf("Fail: %+v", p)
	}
}

// TestManyTasks is for the race detector: everything at once.
func TestManyTasks(t *testing.T) {
	var screen tape
	r := New(Options{Stderr: &screen, Terminal: true, Verbose: true})
	r.Start()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				r.Add(TarballsDone, 1)
				r.Warn(Warning{Code: "W", What: "same"})
			}
			r.Detail("one done")
		})
	}
	group.Wait()
	_ = r.Finish(Summary{})
	if n := r.Count(TarballsDone); n != 8000 {
		t.Errorf("counted %d", n)
	}
	if text := screen.take(); strings.Count(text, "one done\n") != 8 || strings.Count(text, "warning:") != 1 {
		t.Errorf("printed %q", text)
	}
}

func BenchmarkAdd(b *testing.B) {
	r := New(Options{})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Add(BytesFetched, 1)
		}
	})
}

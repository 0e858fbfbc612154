package task

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

//go:noinline
func culprit(n int) {
	if n == 0 {
		panic("deep")
	}
	culprit(n - 1)
}

//go:noinline
func nilCulprit(p *int) int { return *p }

func tracesOf(t *testing.T, f func()) []string {
	t.Helper()
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rt.Shutdown(context.Background()) }()
	ctx := rt.Enter(context.Background())
	run := func(context.Context) (int, error) { f(); return 0, nil }
	_, own := Go(ctx, run).Join(ctx)
	_, borrowed := BlockOn(ctx, rt, run)
	_, nested := BlockOn(ctx, rt, func(ctx context.Context) (int, error) { return BlockOn(ctx, rt, run) })
	scoped := Run(ctx, func(s *Scope) error { s.Go(func(context.Context) error { f(); return nil }); return nil })
	polled := GoPoll(ctx, func(context.Context, Waker) (bool, error) { f(); return true, nil })
	_, state := polled.Join(ctx)
	var out []string
	for _, err := range []error{own, borrowed, nested, scoped, state} {
		var p *PanicError
		if !errors.As(err, &p) {
			t.Fatalf("%v is no PanicError", err)
		}
		out = append(out, string(p.Stack))
	}
	return out
}

// TestTraceBeginsAtTheCulprit looks at the first frames of each way to run a task:
// the panic, then who raised it.
func TestTraceBeginsAtTheCulprit(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func()
		want []string // function names, from the top
	}{
		{"panic", func() { culprit(0) }, []string{"panic", "weft/task.culprit"}},
		{"nil", func() { _ = nilCulprit(nil) }, []string{"panic", "runtime.panicmem", "runtime.sigpanic", "weft/task.nilCulprit"}},
	} {
		for i, text := range tracesOf(t, c.f) {
			head, rest, _ := strings.Cut(text, "\n")
			if !strings.HasPrefix(head, "goroutine ") {
				t.Errorf("%s %d: begins with %q", c.name, i, head)
			}
			for _, want := range c.want {
				if !strings.HasPrefix(rest, want+"(...)\n\t") {
					t.Fatalf("%s %d: want %s next in\n%s", c.name, i, want, rest)
				}
				_, rest, _ = strings.Cut(rest, "\n")
				var place string
				place, rest, _ = strings.Cut(rest, "\n")
				if strings.HasPrefix(want, "weft/") && !strings.Contains(place, "panictrace_test.go:") {
					t.Errorf("%s %d: %s is in %s", c.name, i, want, place)
				}
			}
		}
	}
}

// TestTraceIsBounded panics below many frames.
func TestTraceIsBounded(t *testing.T) {
	for _, text := range tracesOf(t, func() { culprit(100_000) }) {
		if n := strings.Count(text, "weft/task.culprit(...)"); n < 50 || n > traceFrames {
			t.Errorf("%d frames of the culprit", n)
		}
		if !strings.HasSuffix(text, "left out\n") {
			t.Errorf("does not say that frames are missing:\n%s", text[max(0, len(text)-200):])
		}
	}
}

// TestTracesAreNotMixed panics in two places from many tasks at once: each gets
// the trace of its own place, though texts are shared.
func TestTracesAreNotMixed(t *testing.T) {
	rt, err := Start(Config{Parallelism: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rt.Shutdown(context.Background()) }()
	ctx := rt.Enter(context.Background())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				_, err := Go(ctx, func(context.Context) (int, error) {
					if i%2 == 0 {
						culprit(i % 14)
					}
					return nilCulprit(nil), nil
				}).Join(ctx)
				var p *PanicError
				if !errors.As(err, &p) {
					t.Errorf("%v is no PanicError", err)
					return
				}
				want := 0
				if i%2 == 0 {
					want = i%14 + 1
				}
				if got := strings.Count(string(p.Stack), "weft/task.culprit("); got != want {
					t.Errorf("%d frames of the culprit, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
}

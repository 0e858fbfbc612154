package task

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestScopes(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	cause := errors.New("first")
	var after atomic.Int32
	err := Run(ctx, func(s *Scope) error {
		for i := range 50 {
			s.Go(func(ctx context.Context) error {
				if i == 5 {
					return cause
				}
				after.Add(1)
				return nil
			})
		}
		return nil
	}, Limit(1))
	if !errors.Is(err, cause) || after.Load() != 5 {
		t.Errorf("first error: %v after %d", err, after.Load())
	}
	out, err := Map(ctx, []int{1, 2, 3}, func(ctx context.Context, v int) (int, error) {
		return Map1(ctx, v)
	}, Limit(2))
	if err != nil || out[0] != 2 || out[2] != 6 {
		t.Errorf("map: %v, %v", out, err)
	}
	func() {
		defer func() {
			if v := recover(); v != "fn" {
				t.Errorf("recovered %v", v)
			}
		}()
		_ = Run(ctx, func(s *Scope) error {
			s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Hour) })
			panic("fn")
		})
	}()
}

// Map1 doubles v by way of a nested scope.
func Map1(ctx context.Context, v int) (int, error) {
	out, err := Map(ctx, []int{v, v}, func(ctx context.Context, v int) (int, error) { Yield(ctx); return v, nil })
	return out[0] + out[1], err
}

func TestHandleDoneAndManyJoiners(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	var gate Waiter
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return 9, gate.Wait(ctx) })
	var wg, impatient sync.WaitGroup
	for i := range 10 {
		if i%3 == 0 {
			impatient.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
				defer cancel()
				if _, err := h.Join(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("impatient joiner: %v", err)
				}
			})
			continue
		}
		wg.Go(func() {
			if i%3 == 1 {
				<-h.Done()
			}
			if v, err := h.Join(context.Background()); v != 9 || err != nil {
				t.Errorf("joiner: %d, %v", v, err)
			}
		})
	}
	if _, done, _ := h.TryJoin(); done {
		t.Error("done before its time")
	}
	impatient.Wait()
	gate.Wake()
	wg.Wait()
	if v, done, err := h.TryJoin(); v != 9 || !done || err != nil {
		t.Errorf("TryJoin: %d, %v, %v", v, done, err)
	}
}

// TestScopeDeadline lets a deadline end a scope: children that wait see it, those
// past the limit do not run, and Run returns it when all have ended.
func TestScopeDeadline(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var begun, ended atomic.Int32
	for limit := 5 * time.Millisecond; ; limit *= 4 {
		begun.Store(0)
		ended.Store(0)
		ctx, cancel := context.WithTimeout(rt.Enter(context.Background()), limit)
		err := Run(ctx, func(s *Scope) error {
			for range 10 {
				s.Go(func(ctx context.Context) error {
					begun.Add(1)
					defer ended.Add(1)
					var w Waiter
					return w.Wait(ctx)
				})
			}
			return nil
		}, Limit(2))
		cancel()
		if begun.Load() < 2 && limit < 10*time.Second {
			continue // the machine is slow: the time was over before the second could begin
		}
		if !errors.Is(err, context.DeadlineExceeded) || begun.Load() != 2 || ended.Load() != 2 {
			t.Errorf("%v, %d began and %d ended", err, begun.Load(), ended.Load())
		}
		return
	}
}

// TestScopeErrors has several children fail: without AllErrors the first is the
// result and cancels the rest; with it, all run and all errors are there in order.
func TestScopeErrors(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	causes := []error{errors.New("one"), errors.New("two"), errors.New("three")}
	fail := func(ran *int) func(s *Scope) error {
		return func(s *Scope) error {
			for _, cause := range causes {
				s.Go(func(context.Context) error { *ran++; return cause })
			}
			return nil
		}
	}
	var ran int
	if err := Run(ctx, fail(&ran), Limit(1)); err != causes[0] || ran != 1 {
		t.Errorf("first error: %v after %d", err, ran)
	}
	ran = 0
	err := Run(ctx, fail(&ran), Limit(1), AllErrors())
	if err == nil || err.Error() != "one\ntwo\nthree" || ran != 3 {
		t.Errorf("all errors: %q after %d", err, ran)
	}
	for _, cause := range causes {
		if !errors.Is(err, cause) {
			t.Errorf("%v is not among them", cause)
		}
	}
	own := errors.New("fn's own")
	err = Run(ctx, func(s *Scope) error {
		s.Go(func(ctx context.Context) error { var w Waiter; return w.Wait(ctx) })
		return own
	})
	if err != own {
		t.Errorf("the function's error: %v", err)
	}
}

func scopeCulprit() { panic(errors.New("culprit")) }

// TestScopePanic has a child panic: the scope's error has the child's stack, and
// the siblings are cancelled.
func TestScopePanic(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var sibling error
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		s.Go(func(ctx context.Context) error { var w Waiter; sibling = w.Wait(ctx); return sibling })
		s.Go(func(ctx context.Context) error { Yield(ctx); scopeCulprit(); return nil })
		return nil
	})
	var pe *PanicError
	if !errors.As(err, &pe) || !strings.Contains(string(pe.Stack), "scopeCulprit") {
		t.Errorf("%v", err)
	}
	if !errors.Is(sibling, context.Canceled) {
		t.Errorf("the sibling: %v", sibling)
	}
	_, err = Map(rt.Enter(context.Background()), []int{1, 2}, func(ctx context.Context, v int) (int, error) {
		if v == 2 {
			scopeCulprit()
		}
		return v, nil
	})
	if !errors.As(err, &pe) || !strings.Contains(string(pe.Stack), "scopeCulprit") {
		t.Errorf("in Map: %v", err)
	}
}

// TestScopesNest runs scopes within scopes with a single permit, each with a limit
// of one, so that every level waits for the next.
func TestScopesNest(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var leaves int
	var nest func(ctx context.Context, n int) error
	nest = func(ctx context.Context, n int) error {
		if n == 0 {
			leaves++
			return nil
		}
		return Run(ctx, func(s *Scope) error {
			for range 2 {
				s.Go(func(ctx context.Context) error { return nest(ctx, n-1) })
			}
			return nil
		}, Limit(1))
	}
	if err := nest(rt.Enter(context.Background()), 9); err != nil || leaves != 512 {
		t.Errorf("%v, %d leaves", err, leaves)
	}
	// The scope may be used from its children.
	var n atomic.Int32
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		var grow func(ctx context.Context) error
		grow = func(ctx context.Context) error {
			if n.Add(1) < 100 {
				s.Go(grow)
			}
			return nil
		}
		s.Go(grow)
		return nil
	}, Limit(1))
	if err != nil || n.Load() != 100 {
		t.Errorf("children of children: %v, %d", err, n.Load())
	}
}

// TestScopeLimit counts how many children of a limited scope run at a time.
func TestScopeLimit(t *testing.T) {
	rt := start(t, Config{Parallelism: 4})
	var running atomic.Int32
	_, err := Map(rt.Enter(context.Background()), make([]int, 500), func(ctx context.Context, _ int) (int, error) {
		if n := running.Add(1); n > 3 {
			t.Errorf("%d children run, at most 3 may", n)
		}
		defer running.Add(-1)
		Yield(ctx)
		return 0, nil
	}, Limit(3))
	if err != nil {
		t.Error(err)
	}
}

// TestScopeGoexit ends Run's function by Goexit: the children are cancelled and
// waited for before it goes on.
func TestScopeGoexit(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var ended atomic.Bool
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		return 0, Run(ctx, func(s *Scope) error {
			s.Go(func(ctx context.Context) error {
				var w Waiter
				err := w.Wait(ctx)
				ended.Store(true)
				return err
			})
			Yield(ctx)
			runtime.Goexit()
			return nil
		})
	})
	if _, err := h.Join(context.Background()); !errors.Is(err, ErrGoexit) || !ended.Load() {
		t.Errorf("%v, child ended: %v", err, ended.Load())
	}
}

// TestScopeRefused queues many children behind a limit in a runtime that shuts
// down: each is refused in turn, however many there are.
func TestScopeRefused(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := 300_000
	if testing.Short() || !inPlace {
		n = 30_000
	}
	// Each would take a kilobyte or two of stack if they nested.
	defer debug.SetMaxStack(debug.SetMaxStack(16 << 20))
	down := make(chan error, 1)
	err = Run(rt.Enter(context.Background()), func(s *Scope) error {
		s.Go(func(ctx context.Context) error {
			go func() { down <- rt.Shutdown(context.Background()) }()
			var w Waiter
			return w.Wait(ctx)
		})
		for range n {
			s.Go(func(context.Context) error { t.Error("ran"); return nil })
		}
		return nil
	}, Limit(1))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("run: %v", err)
	}
	if err := <-down; err != nil {
		t.Errorf("shutdown: %v", err)
	}
}

package task

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestGoexit(t *testing.T) {
	for _, p := range []int{1, 3} {
		rt := start(t, Config{Parallelism: p})
		die := func(context.Context) (int, error) { runtime.Goexit(); return 0, nil }
		h := Go(rt.Enter(context.Background()), die)
		if _, err := h.Join(context.Background()); !errors.Is(err, ErrGoexit) {
			t.Errorf("plain join: %v", err)
		}
		// It passes through joining tasks, running their deferred calls.
		var deferred atomic.Int32
		h = Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			defer deferred.Add(1)
			return Go(ctx, func(ctx context.Context) (int, error) {
				defer deferred.Add(1)
				defer Yield(ctx)
				return Go(ctx, die).Join(ctx)
			}).Join(ctx)
		})
		if _, err := h.Join(context.Background()); !errors.Is(err, ErrGoexit) || deferred.Load() != 2 {
			t.Errorf("through joins: %v, %d deferred calls", err, deferred.Load())
		}
		// A panic on the way does not stop it.
		h = Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			defer panic("on the way")
			runtime.Goexit()
			return 0, nil
		})
		var pe *PanicError
		if _, err := h.Join(context.Background()); !errors.As(err, &pe) {
			t.Errorf("panic while unwinding: %v", err)
		}
		err := Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range 200 {
				s.Go(func(ctx context.Context) error {
					Yield(ctx)
					runtime.Goexit()
					return nil
				})
			}
			return nil
		}, AllErrors())
		if !errors.Is(err, ErrGoexit) {
			t.Errorf("in a scope: %v", err)
		}
	}
}

func TestThreadLocks(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		for _, f := range []func(context.Context) (int, error){
			func(context.Context) (int, error) { runtime.LockOSThread(); return 1, nil },
			func(ctx context.Context) (int, error) { runtime.LockOSThread(); Yield(ctx); return 1, nil },
			func(ctx context.Context) (int, error) {
				runtime.LockOSThread()
				return 1, Sleep(ctx, time.Microsecond)
			},
			func(ctx context.Context) (int, error) { runtime.LockOSThread(); panic("locked") },
		} {
			other := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 0, nil })
			_, _ = Go(ctx, f).Join(ctx)
			if _, err := other.Join(ctx); err != nil {
				return err
			}
		}
		h := Go(ctx, func(ctx context.Context) (int, error) {
			Yield(ctx)
			v, err := Go(ctx, func(ctx context.Context) (int, error) { return 5, Sleep(ctx, time.Microsecond) }).Join(ctx)
			return v, err
		}, Pinned(), Name("pinned"))
		if v, err := h.Join(ctx); v != 5 || err != nil {
			t.Errorf("pinned: %d, %v", v, err)
		}
		return nil
	})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	v, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) {
		return Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 6, nil }).Join(ctx)
	})
	if v != 6 || err != nil {
		t.Errorf("BlockOn from a locked thread: %d, %v", v, err)
	}
}

// TestForeignGoroutines uses a task's context on goroutines that are no tasks, as
// errgroup does: the operations act for a plain goroutine.
func TestForeignGoroutines(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		var wg sync.WaitGroup
		var sum atomic.Int64
		for i := range 20 {
			wg.Go(func() {
				Yield(ctx)
				Checkpoint(ctx)
				_ = Sleep(ctx, time.Microsecond)
				_, _ = Block(ctx, func() (int, error) { return 0, nil })
				v, err := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return i, nil }).Join(ctx)
				if err != nil {
					t.Error(err)
				}
				sum.Add(int64(v))
			})
		}
		_, err := Block(ctx, func() (int, error) { wg.Wait(); return 0, nil })
		if sum.Load() != 190 {
			t.Errorf("sum %d", sum.Load())
		}
		return err
	})
}

func TestHookPanics(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1, Hooks: Hooks{TaskStart: func(_ context.Context, name string) {
		if name == "bad" {
			panic("hook")
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var w Waiter
	waits := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return 0, w.Wait(ctx) })
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return 0, ctx.Err() }, Name("bad"))
	for _, h := range []*Handle[int]{waits, h} {
		if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
			t.Errorf("a task after the hook's panic: %v", err)
		}
	}
	var pe *PanicError
	if err := rt.Shutdown(context.Background()); !errors.As(err, &pe) {
		t.Errorf("shutdown: %v", err)
	}
}

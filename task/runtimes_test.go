package task

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// both runs body in both directions between two runtimes with one permit each, at
// once, n times each.
func both(t *testing.T, a, b *Runtime, n int, body func(ctx context.Context, here, there *Runtime) error) {
	t.Helper()
	var wg sync.WaitGroup
	for _, pair := range [][2]*Runtime{{a, b}, {b, a}} {
		wg.Go(func() {
			err := Run(pair[0].Enter(context.Background()), func(s *Scope) error {
				for range n {
					s.Go(func(ctx context.Context) error { return body(ctx, pair[0], pair[1]) })
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestRuntimesUseEachOther has tasks of two runtimes, one permit each, spawn, join,
// borrow and cancel in the other, and back, in both directions at once.
func TestRuntimesUseEachOther(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b := start(t, Config{Parallelism: 1, Name: "b"})
	one := func(ctx context.Context) (int, error) { Yield(ctx); return 1, Sleep(ctx, time.Microsecond) }
	both(t, a, b, 20, func(ctx context.Context, here, there *Runtime) error {
		joined, err1 := Go(there.Enter(ctx), one).Join(ctx)
		// There, back here, and there once more, nested on one goroutine.
		borrowed, err2 := BlockOn(ctx, there, func(ctx context.Context) (int, error) {
			return BlockOn(ctx, here, func(ctx context.Context) (int, error) {
				v, err := Go(there.Enter(ctx), one).Join(ctx)
				w, err2 := Go(here.Enter(ctx), one).Join(ctx)
				u, err3 := BlockOn(ctx, there, one)
				return v + w + u, errors.Join(err, err2, err3)
			})
		})
		var w Waiter
		woken := Go(there.Enter(ctx), func(ctx context.Context) (int, error) { return 1, w.Wait(ctx) })
		w.Wake()
		v, err3 := woken.Join(ctx)
		stopped := Go(there.Enter(ctx), func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Hour) })
		Yield(ctx)
		stopped.Cancel()
		if _, err := stopped.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled across: %v", err)
		}
		if joined != 1 || borrowed != 3 || v != 1 {
			t.Errorf("joined %d, borrowed %d, woken %d", joined, borrowed, v)
		}
		return errors.Join(err1, err2, err3)
	})
}

// TestCancelReachesThroughRuntimes cancels a task that has gone through two other
// runtimes and waits in the last: from a task of another one.
func TestCancelReachesThroughRuntimes(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b := start(t, Config{Parallelism: 1, Name: "b"})
	for _, deep := range []func(ctx context.Context, last func(context.Context) (int, error)) (int, error){
		func(ctx context.Context, last func(context.Context) (int, error)) (int, error) {
			return BlockOn(ctx, b, func(ctx context.Context) (int, error) { return BlockOn(ctx, a, last) })
		},
		func(ctx context.Context, last func(context.Context) (int, error)) (int, error) {
			return Go(b.Enter(ctx), func(ctx context.Context) (int, error) {
				return Go(a.Enter(ctx), last).Join(context.Background())
			}).Join(context.Background())
		},
	} {
		begun := make(chan struct{})
		top := Go(a.Enter(context.Background()), func(ctx context.Context) (int, error) {
			return deep(ctx, func(ctx context.Context) (int, error) {
				close(begun)
				var w Waiter
				return 0, w.Wait(ctx)
			})
		})
		<-begun
		on(t, b, func(context.Context) error { top.Canceler().Cancel(); return nil })
		if _, err := top.Join(context.Background()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// TestShutdownBesideWaiters shuts one runtime down while tasks of another wait for
// its tasks, in it, and offer it work: they get an error and their runtime goes on.
func TestShutdownBesideWaiters(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b, err := Start(Config{Parallelism: 1, Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	waits := func(ctx context.Context) (int, error) { var w Waiter; return 0, w.Wait(ctx) }
	h := Go(b.Enter(context.Background()), waits)
	var waiting atomic.Int32
	var hs []*Handle[int]
	for i := range 9 {
		hs = append(hs, Go(a.Enter(context.Background()), func(ctx context.Context) (int, error) {
			waiting.Add(1)
			switch i % 3 {
			case 0:
				return h.Join(ctx)
			case 1:
				return BlockOn(ctx, b, waits)
			default:
				for {
					if _, err := Go(b.Enter(ctx), func(context.Context) (int, error) { return 0, nil }).Join(ctx); err != nil {
						return 0, err
					}
					Yield(ctx)
				}
			}
		}))
	}
	eventually(t, "all wait", func() bool { return waiting.Load() == 9 && b.Stats().Borrowing == 3 })
	on(t, a, func(ctx context.Context) error { return b.Shutdown(ctx) })
	for i, h := range hs {
		if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) && !errors.Is(err, ErrClosed) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if v, err := BlockOn(context.Background(), a, func(context.Context) (int, error) { return 4, nil }); v != 4 || err != nil {
		t.Errorf("the other runtime afterwards: %d, %v", v, err)
	}
}

// TestStatsStayApart counts what tasks of one runtime do in the other.
func TestStatsStayApart(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b := start(t, Config{Parallelism: 2, Name: "b"})
	on(t, a, func(ctx context.Context) error { // one task of a
		for i := range 10 {
			_, _ = Go(b.Enter(ctx), func(ctx context.Context) (int, error) {
				if i == 0 {
					panic("in b")
				}
				return Go(ctx, func(context.Context) (int, error) { return 1, nil }).Join(ctx)
			}).Join(ctx)
		}
		_, err := BlockOn(ctx, b, func(context.Context) (int, error) { return 0, nil })
		return err
	})
	sa, sb := a.Stats(), b.Stats()
	if sa.Spawned != 1 || sa.Finished != 1 || sa.Panics != 0 || sa.Parallelism != 1 {
		t.Errorf("a: %d spawned, %d finished, %d panics", sa.Spawned, sa.Finished, sa.Panics)
	}
	if sb.Spawned != 19 || sb.Finished != 19 || sb.Panics != 1 || sb.Parallelism != 2 {
		t.Errorf("b: %d spawned, %d finished, %d panics", sb.Spawned, sb.Finished, sb.Panics)
	}
}

// TestHooksAcrossRuntimes has the hooks of two runtimes call into one another.
func TestHooksAcrossRuntimes(t *testing.T) {
	var rts [2]atomic.Pointer[Runtime]
	var spawned, ran, refused atomic.Int32
	for i := range rts {
		cfg := Config{Parallelism: 1}
		cfg.Hooks = everyHook(func(string) {
			other := rts[1-i].Load()
			if other == nil {
				return
			}
			_ = other.Stats()
			if _, err := BlockOn(context.Background(), other, func(context.Context) (int, error) { return 0, nil }); errors.Is(err, ErrInHook) {
				refused.Add(1)
			}
			if n := spawned.Add(1); n <= 200 {
				h := Go(other.Enter(context.Background()), func(context.Context) (int, error) { ran.Add(1); return 0, nil })
				if n%4 == 0 {
					h.Cancel()
				}
			}
		})
		rt, err := Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := rt.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		rts[i].Store(rt)
	}
	both(t, rts[0].Load(), rts[1].Load(), 10, func(ctx context.Context, _, there *Runtime) error {
		_, err := Go(there.Enter(ctx), func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Microsecond) }).Join(ctx)
		return err
	})
	eventually(t, "tasks that hooks spawned run", func() bool { return ran.Load() > 10 && refused.Load() > 10 })
}

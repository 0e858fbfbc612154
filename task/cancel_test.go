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

func TestCancelQueuedParkedRunning(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		ran := false
		queued := Go(ctx, func(context.Context) (int, error) { ran = true; return 0, nil })
		queued.Cancel()
		if _, err := queued.Join(ctx); !errors.Is(err, ErrCanceled) || !errors.Is(err, context.Canceled) || ran {
			t.Errorf("queued: ran %v, err %v", ran, err)
		}
		var w Waiter
		parked := Go(ctx, func(ctx context.Context) (int, error) { return 0, w.Wait(ctx) })
		Yield(ctx)
		parked.Cancel()
		if _, err := parked.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("parked: %v", err)
		}
		running := Go(ctx, func(ctx context.Context) (int, error) {
			for ctx.Err() == nil {
				Yield(ctx)
			}
			<-ctx.Done()
			return 7, nil
		})
		Yield(ctx)
		c := running.Canceler()
		c.Cancel()
		if v, err := running.Join(ctx); v != 7 || err != nil {
			t.Errorf("running: %d, %v", v, err)
		}
		c.Cancel() // stale
		if ctx.Err() != nil {
			t.Error("cancel reached the parent")
		}
		return nil
	})
}

// TestCancelReachesDescendants cancels the top of a chain whose every link waits
// in another way: in place, parked, in a scope, behind a derived context.
func TestCancelReachesDescendants(t *testing.T) {
	for _, p := range []int{1, 2} {
		rt := start(t, Config{Parallelism: p})
		on(t, rt, func(ctx context.Context) error {
			var w, ready Waiter
			top := Go(ctx, func(ctx context.Context) (int, error) {
				return Go(ctx, func(ctx context.Context) (int, error) {
					return Go(ctx, func(ctx context.Context) (int, error) {
						err := Run(ctx, func(s *Scope) error {
							s.Go(func(ctx context.Context) error {
								ctx, cancel := context.WithTimeout(ctx, time.Hour)
								defer cancel()
								_, err := Go(ctx, func(ctx context.Context) (int, error) {
									ready.Wake()
									return 0, w.Wait(ctx)
								}).Join(ctx)
								return err
							})
							return nil
						})
						return 0, err
					}).Join(ctx)
				}).Join(ctx)
			})
			if err := ready.Wait(ctx); err != nil {
				return err
			}
			top.Cancel()
			if _, err := top.Join(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("p=%d: %v", p, err)
			}
			return nil
		})
	}
}

// TestCancelInPlace cancels tasks that wait for children run on their stacks.
func TestCancelInPlace(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		const depth = 150
		var w, ready Waiter
		handles := make([]atomic.Pointer[Handle[int]], depth)
		var chain func(ctx context.Context, n int) (int, error)
		chain = func(ctx context.Context, n int) (int, error) {
			if n == depth {
				ready.Wake()
				return 0, w.Wait(ctx)
			}
			h := Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, n+1) })
			handles[n].Store(h)
			return h.Join(ctx)
		}
		top := Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, 0) })
		_ = ready.Wait(ctx)
		handles[depth/2].Load().Cancel()
		if _, err := top.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestOutsideContexts(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
	var w Waiter
	h := Go(ctx, func(ctx context.Context) (int, error) {
		_, err := Go(ctx, func(ctx context.Context) (int, error) { return 0, w.Wait(ctx) }).Join(ctx)
		return 0, err
	})
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancel from outside: %v", err)
	}
	ctx, cancel = context.WithTimeout(rt.Enter(context.Background()), time.Millisecond)
	defer cancel()
	h = Go(ctx, func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Hour) })
	if _, err := h.Join(context.Background()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline from outside: %v", err)
	}
	type key struct{}
	h = Go(context.WithValue(rt.Enter(context.Background()), key{}, 3), func(ctx context.Context) (int, error) {
		return ctx.Value(key{}).(int), nil
	})
	if v, err := h.Join(context.Background()); v != 3 || err != nil {
		t.Errorf("value: %d, %v", v, err)
	}
}

// TestDerivedContexts derives many contexts from a task's: no goroutine is
// started for them, and a cancel reaches each.
func TestDerivedContexts(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		h := Go(ctx, func(ctx context.Context) (int, error) {
			before := runtime.NumGoroutine()
			const n = 1000
			ctxs := make([]context.Context, n)
			for i := range ctxs {
				var cancel context.CancelFunc
				ctxs[i], cancel = context.WithCancel(ctx)
				if i%2 == 0 {
					cancel() // leaves early
				} else {
					defer cancel()
				}
			}
			if now := runtime.NumGoroutine(); now > before+10 {
				t.Errorf("%d goroutines became %d", before, now)
			}
			Yield(ctx)
			for i, c := range ctxs {
				if c.Err() == nil {
					t.Errorf("context %d was not cancelled", i)
				}
			}
			return 0, nil
		})
		Yield(ctx)
		h.Cancel()
		_, err := h.Join(ctx)
		return err
	})
}

// TestLateAfterFunc derives contexts from a task's while it is cancelled: the
// callback that the context package registers takes a lock that it holds itself.
func TestLateAfterFunc(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	ctx := rt.Enter(context.Background())
	called := make(chan struct{})
	h := Go(ctx, func(ctx context.Context) (int, error) {
		ctx.(*task).cancel()
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		stop := ctx.(*task).AfterFunc(func() {
			mu.Lock()
			defer mu.Unlock()
			close(called)
		})
		if stop() {
			t.Error("taken back after it was called")
		}
		return 0, nil
	})
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	<-called
}

// TestDerivedAfterTheEnd derives contexts from that of a task which has ended:
// Shutdown and the outside context still reach them, and a stop in time holds.
func TestDerivedAfterTheEnd(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	outside, cancel := context.WithCancel(context.Background())
	defer cancel()
	contextOf := func(base context.Context) (kept context.Context) {
		t.Helper()
		_, err := Go(rt.Enter(base), func(ctx context.Context) (int, error) {
			kept = ctx
			return 0, Sleep(ctx, 1) // so that it has a place in the tree
		}).Join(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	byBase, stopBase := context.WithCancel(contextOf(outside))
	defer stopBase()
	byShutdown, stopShutdown := context.WithCancel(contextOf(context.Background()))
	defer stopShutdown()
	var called atomic.Int32
	if stop := context.AfterFunc(contextOf(outside), func() { called.Add(1) }); !stop() {
		t.Error("a stop in time says that it was late")
	}
	cancel()
	<-byBase.Done()
	if byShutdown.Err() != nil {
		t.Error("cancelled by another's outside context")
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-byShutdown.Done()
	if n := called.Load(); n != 0 {
		t.Errorf("a callback that was taken back was called %d times", n)
	}
}

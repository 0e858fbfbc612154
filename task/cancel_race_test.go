package task

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// dice is a generator whose seed the test prints.
func dice(t testing.TB) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func rounds(n int) int {
	if testing.Short() || runtime.GOARCH == "wasm" {
		return n / 10
	}
	return n
}

// TestDerivingMeetsCancel derives contexts while the task is being cancelled. The
// context package calls AfterFunc with a lock that the callback takes as well.
func TestDerivingMeetsCancel(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	on(t, rt, func(ctx context.Context) error {
		for i := range rounds(500) {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				for ctx.Err() == nil {
					giveTurn()
					derived, cancel := context.WithCancel(ctx)
					_, cancelToo := context.WithTimeout(derived, time.Hour)
					cancelToo()
					cancel()
				}
				last, cancel := context.WithCancel(ctx)
				defer cancel()
				<-last.Done()
				return 0, nil
			})
			Yield(ctx)
			for range i % 100 {
				runtime.Gosched()
			}
			h.Cancel()
			if _, err := h.Join(ctx); err != nil && !errors.Is(err, ErrCanceled) {
				return err
			}
		}
		return nil
	})
}

// TestAfterFuncTooLate registers with a context that is cancelled already, holding
// a lock that the callback wants.
func TestAfterFuncTooLate(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		h := Go(ctx, func(ctx context.Context) (int, error) {
			for ctx.Err() == nil {
				Yield(ctx)
			}
			var mu sync.Mutex
			called := make(chan struct{})
			mu.Lock()
			stop := ctx.(interface{ AfterFunc(func()) func() bool }).AfterFunc(func() {
				mu.Lock()
				defer mu.Unlock()
				close(called)
			})
			if stop() {
				t.Error("stop came in time, after the cancel")
			}
			mu.Unlock()
			<-called
			return 0, nil
		})
		Yield(ctx)
		h.Cancel()
		_, err := h.Join(ctx)
		return err
	})
}

// TestCancelMeetsCompletion cancels tasks at about the moment at which they are
// queued, run, park and end. Each ends once, with a result of its own or the
// error of the cancel, and what was cancelled before it ran did not run.
func TestCancelMeetsCompletion(t *testing.T) {
	r := dice(t)
	for _, p := range []int{1, 3} {
		rt := start(t, Config{Parallelism: p})
		ctx := rt.Enter(context.Background())
		for range rounds(5000) {
			var ran atomic.Bool
			var w Waiter
			kind := r.IntN(3)
			h := Go(ctx, func(ctx context.Context) (int, error) {
				ran.Store(true)
				switch kind {
				case 1:
					Yield(ctx)
				case 2:
					if err := w.Wait(ctx); err != nil {
						return 0, err
					}
				}
				return 5, nil
			})
			var wg sync.WaitGroup
			spin := r.IntN(50)
			wg.Go(func() {
				for range spin {
					runtime.Gosched()
				}
				h.Cancel()
			})
			if kind == 2 {
				wg.Go(w.Wake)
			}
			v, err := h.Join(context.Background())
			wg.Wait()
			switch {
			case err == nil && v == 5 && ran.Load():
			case errors.Is(err, ErrCanceled) && !ran.Load():
			case errors.Is(err, context.Canceled) && !errors.Is(err, ErrCanceled) && kind == 2 && ran.Load():
			default:
				t.Fatalf("p=%d kind %d: ran %v, %d, %v", p, kind, ran.Load(), v, err)
			}
		}
	}
}

// TestCancelMeetsJoin cancels joiner and joined at the same time, from outside.
func TestCancelMeetsJoin(t *testing.T) {
	r := dice(t)
	rt := start(t, Config{Parallelism: 2})
	ctx := rt.Enter(context.Background())
	for range rounds(3000) {
		var w Waiter
		inner := Go(ctx, func(ctx context.Context) (int, error) { return 0, w.Wait(ctx) })
		outer := Go(ctx, func(ctx context.Context) (int, error) { return inner.Join(ctx) })
		var wg sync.WaitGroup
		for _, cancel := range []func(){inner.Cancel, outer.Cancel, w.Wake} {
			spin := r.IntN(30)
			wg.Go(func() {
				for range spin {
					runtime.Gosched()
				}
				cancel()
			})
		}
		for _, h := range []*Handle[int]{outer, inner} {
			if _, err := h.Join(context.Background()); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		wg.Wait()
	}
	assertTreeEmpty(t, rt)
}

// assertTreeEmpty checks that no task is linked for cancels once all have ended.
func assertTreeEmpty(t testing.TB, rt *Runtime) {
	t.Helper()
	eventually(t, "the cancellation tree is empty", func() bool {
		b := rt.root.place()
		mu := rt.root.lock(b)
		defer mu.Unlock()
		return b.kids() == nil
	})
}

// TestCancelMeetsShutdown shuts down while others spawn, cancel and wait.
func TestCancelMeetsShutdown(t *testing.T) {
	r := dice(t)
	for range rounds(200) {
		rt, err := Start(Config{Parallelism: 2})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
		var wg sync.WaitGroup
		var w Waiter
		for range 3 {
			spin := r.IntN(20)
			wg.Go(func() {
				for i := range 20 {
					h := Go(ctx, func(ctx context.Context) (int, error) {
						return Go(ctx, func(ctx context.Context) (int, error) {
							var w Waiter
							return 0, w.Wait(ctx)
						}).Join(ctx)
					})
					if i%2 == 0 {
						h.Cancel()
					}
					for range spin {
						runtime.Gosched()
					}
				}
				w.Wake()
			})
		}
		if r.IntN(2) == 0 {
			_ = w.Wait(context.Background())
		}
		wg.Go(cancel)
		late, stop := context.WithTimeout(context.Background(), 20*time.Second)
		if err := rt.Shutdown(late); err != nil {
			t.Fatal(err)
		}
		stop()
		wg.Wait()
	}
}

// TestStaleCancelers keeps the cancelers of tasks that have ended, in the memory
// of many, and uses them beside live tasks: none of those notices.
func TestStaleCancelers(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		Canceler{}.Cancel() // the zero one
		var stale []Canceler
		for i := range 200 {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				if i%2 == 0 {
					Yield(ctx)
				}
				return 0, nil
			})
			if _, err := h.Join(ctx); err != nil {
				return err
			}
			stale = append(stale, h.Canceler())
		}
		runtime.GC()
		var gates [200]Waiter
		var live []*Handle[int]
		for i := range gates {
			live = append(live, Go(ctx, func(ctx context.Context) (int, error) { return i, gates[i].Wait(ctx) }))
		}
		Yield(ctx)
		for _, c := range stale {
			c.Cancel()
			c.Cancel()
		}
		for i := range gates {
			gates[i].Wake()
		}
		for i, h := range live {
			if v, err := h.Join(ctx); v != i || err != nil {
				t.Errorf("task %d: %d, %v", i, v, err)
			}
		}
		return ctx.Err()
	})
}

// TestCancelShards waits with many tasks at one permit: their registrations are
// spread over at least 16 locks.
func TestCancelShards(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		used := map[uint8]bool{}
		var gates [64]Waiter
		var hs []*Handle[int]
		for i := range gates {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) { return 0, gates[i].Wait(ctx) }))
		}
		Yield(ctx)
		for i, h := range hs {
			used[h.task.place().shard] = true
			gates[i].Wake()
			if _, err := h.Join(ctx); err != nil {
				return err
			}
		}
		if len(used) < 16 {
			t.Errorf("%d shards are used", len(used))
		}
		return nil
	})
}

// TestDerivedContextsAllFire cancels a task below which 1,000 contexts were
// derived, all with deadlines, some twice, without a goroutine: each ends.
func TestDerivedContextsAllFire(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		const n = 1000
		var fired atomic.Int32
		h := Go(ctx, func(ctx context.Context) (int, error) {
			before := runtime.NumGoroutine()
			for i := range n {
				derived, cancel := context.WithTimeout(ctx, time.Hour)
				defer cancel()
				if i%2 == 0 {
					derived, cancel = context.WithCancel(derived)
					defer cancel()
				}
				context.AfterFunc(derived, func() { fired.Add(1) })
			}
			if now := runtime.NumGoroutine(); now > before+10 {
				t.Errorf("%d goroutines instead of %d", now, before)
			}
			var w Waiter
			return 0, w.Wait(ctx)
		})
		Yield(ctx)
		h.Cancel()
		if _, err := h.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("joined: %v", err)
		}
		_, err := Block(ctx, func() (int, error) {
			eventually(t, "all callbacks ran", func() bool { return fired.Load() == n })
			return 0, nil
		})
		return err
	})
	assertTreeEmpty(t, rt)
}

// TestCallbackPanics lets a cancellation callback panic: whoever cancels goes on,
// and so does everything else.
func TestCallbackPanics(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		var others atomic.Int32
		var w Waiter
		h := Go(ctx, func(ctx context.Context) (int, error) {
			after := ctx.(interface{ AfterFunc(func()) func() bool }).AfterFunc
			after(func() { others.Add(1) })
			after(func() { panic("in the callback") })
			after(func() { others.Add(1) })
			err := w.Wait(ctx)
			after(func() { panic("in a late callback") })
			return 0, err
		})
		Yield(ctx)
		h.Cancel()
		if _, err := h.Join(ctx); !errors.Is(err, context.Canceled) || others.Load() != 2 {
			t.Errorf("%v, %d other callbacks", err, others.Load())
		}
		return nil
	})
}

// TestContextsOutliveTheirTask derives a context from a task that then ends. A
// cancel above still reaches it, and leaves nothing of the task behind.
func TestContextsOutliveTheirTask(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		var w Waiter
		top := Go(ctx, func(ctx context.Context) (int, error) {
			derived, cancel := context.WithCancel(ctx)
			defer cancel()
			below, err := Go(ctx, func(ctx context.Context) (context.Context, error) {
				below, cancel := context.WithCancel(ctx)
				context.AfterFunc(derived, cancel) // not before the cancel from above
				return below, nil
			}).Join(ctx)
			if err != nil {
				return 0, err
			}
			err = w.Wait(ctx)
			if below.Err() == nil {
				t.Error("the cancel did not reach the context of the task that had ended")
			}
			return 0, err
		})
		Yield(ctx)
		top.Cancel()
		if _, err := top.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("joined: %v", err)
		}
		return nil
	})
	assertTreeEmpty(t, rt)
}

package task

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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
		handles := make([]*Handle[int], depth)
		var chain func(ctx context.Context, n int) (int, error)
		chain = func(ctx context.Context, n int) (int, error) {
			if n == depth {
				ready.Wake()
				return 0, w.Wait(ctx)
			}
			handles[n] = Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, n+1) })
			return handles[n].Join(ctx)
		}
		top := Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, 0) })
		_ = ready.Wait(ctx)
		handles[depth/2].Cancel()
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

func TestBlockOn(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	other := start(t, Config{Parallelism: 1, Name: "other"})
	var nest func(ctx context.Context, n int) (int, error)
	nest = func(ctx context.Context, n int) (int, error) {
		if n == 0 {
			return 1, nil
		}
		h := Go(ctx, func(ctx context.Context) (int, error) {
			return BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) { return nest(ctx, n-1) })
		})
		Yield(ctx)
		return h.Join(ctx)
	}
	v, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) { return nest(ctx, 20) })
	if v != 1 || err != nil {
		t.Errorf("nested: %d, %v", v, err)
	}
	on(t, rt, func(ctx context.Context) error {
		_, err := Block(ctx, func() (int, error) {
			return BlockOn(ctx, rt, func(context.Context) (int, error) { return 0, nil })
		})
		if !errors.Is(err, ErrInBlockingRegion) {
			t.Errorf("in a region: %v", err)
		}
		v, err := BlockOn(ctx, other, func(octx context.Context) (int, error) {
			if got, _ := FromContext(octx); got != other {
				t.Error("the other runtime's function has this one's context")
			}
			return Go(octx, func(ctx context.Context) (int, error) { return 2, nil }).Join(octx)
		})
		if v != 2 || err != nil {
			t.Errorf("another runtime: %d, %v", v, err)
		}
		return nil
	})
	var pe *PanicError
	if _, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { panic(1) }); !errors.As(err, &pe) {
		t.Errorf("panic: %v", err)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			v, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) {
				Yield(ctx)
				_ = Sleep(ctx, 10*time.Microsecond)
				return Go(ctx, func(ctx context.Context) (int, error) { return 1, nil }).Join(ctx)
			})
			if v != 1 || err != nil {
				t.Errorf("many callers: %d, %v", v, err)
			}
		})
	}
	wg.Wait()
}

func TestShutdownWhileParked(t *testing.T) {
	rt, err := Start(Config{Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	var w Waiter
	var stuck [20]Waiter
	var unwound atomic.Int32
	var begun sync.WaitGroup
	begun.Add(len(stuck) + 2)
	polite := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		begun.Done()
		return 0, w.Wait(ctx)
	})
	for i := range stuck {
		Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			begun.Done()
			defer unwound.Add(1)
			defer func() { _ = recover() }() // a Goexit is not to be recovered
			return 0, stuck[i].Wait(context.Background())
		}, Name("stuck"))
	}
	hold := make(chan struct{})
	held := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		begun.Done()
		return Block(ctx, func() (int, error) { <-hold; return 4, nil })
	}, Name("held"))
	begun.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err = rt.Shutdown(ctx)
	var late *StragglersError
	if !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "held (blocking)") {
		t.Errorf("shutdown: %v", err)
	}
	if n := unwound.Load(); int(n) != len(stuck) {
		t.Errorf("%d of %d deferred calls ran", n, len(stuck))
	}
	if _, err := polite.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiting task: %v", err)
	}
	if _, err := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 0, nil }).Join(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("Go after Shutdown: %v", err)
	}
	if _, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { return 0, nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("BlockOn after Shutdown: %v", err)
	}
	close(hold)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := rt.Shutdown(context.Background()); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
	wg.Wait()
	if v, err := held.Join(context.Background()); v != 4 || err != nil {
		t.Errorf("the blocking task: %d, %v", v, err)
	}
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

// TestReturnersDoNotStarve runs tasks that loop over regions at P = 1: a fresh
// task still starts.
func TestReturnersDoNotStarve(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, HandoffGrace: time.Microsecond})
	ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
	var loops []*Handle[int]
	for range 60 {
		loops = append(loops, Go(ctx, func(ctx context.Context) (int, error) {
			for ctx.Err() == nil {
				_, _ = Block(ctx, func() (int, error) { time.Sleep(time.Microsecond); return 0, nil })
			}
			return 0, nil
		}))
	}
	time.Sleep(5 * time.Millisecond)
	h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 1, nil })
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	cancel()
	for _, h := range loops {
		_, _ = h.Join(context.Background())
	}
}

func TestMaxWorkers(t *testing.T) {
	const limit = 4
	rt := start(t, Config{Parallelism: 2, MaxWorkers: limit})
	on(t, rt, func(ctx context.Context) error {
		_, err := Map(ctx, make([]int, 200), func(ctx context.Context, _ int) (int, error) {
			return Block(ctx, func() (int, error) { time.Sleep(200 * time.Microsecond); return 0, nil })
		})
		return err
	})
	if n := rt.Stats().Workers; n > limit {
		t.Errorf("%d workers, at most %d allowed", n, limit)
	}
}

func TestSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, err := Start(Config{Parallelism: 2})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		err = Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range 10 {
				s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Hour) })
				s.Go(func(ctx context.Context) error {
					_, err := Block(ctx, func() (int, error) { time.Sleep(time.Minute); return 0, nil })
					return err
				})
			}
			return nil
		})
		if d := time.Since(begin); err != nil || d < time.Hour || d > time.Hour+time.Second {
			t.Errorf("%v, %v", d, err)
		}
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestConfigValidate(t *testing.T) {
	for _, c := range []Config{{Parallelism: -1}, {Parallelism: 8, MaxWorkers: 8}, {StackPool: -1}, {HandoffGrace: -1}, {CheckpointInterval: -1}} {
		if _, err := Start(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func TestTimeslice(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, Timeslice: time.Microsecond, CheckpointInterval: 1})
	on(t, rt, func(ctx context.Context) error {
		var stop atomic.Bool
		h := Go(ctx, func(ctx context.Context) (int, error) { stop.Store(true); return 0, nil })
		for !stop.Load() {
			Checkpoint(ctx)
		}
		_, err := h.Join(ctx)
		return err
	})
}

// TestCallersNeedNoWorker blocks every worker in regions until borrowed callers
// have taken turns with the one permit: they must get it without a worker's help.
func TestCallersNeedNoWorker(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, MaxWorkers: 2})
	on(t, rt, func(ctx context.Context) error {
		var wg sync.WaitGroup
		gate := make(chan struct{})
		for range 6 {
			wg.Go(func() {
				<-gate
				_, err := BlockOn(ctx, rt, func(ctx context.Context) (int, error) {
					for range 10 {
						Yield(ctx)
						if err := Sleep(ctx, time.Microsecond); err != nil {
							return 0, err
						}
					}
					return 0, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		var inside atomic.Int32
		_, err := Map(ctx, make([]int, 2), func(ctx context.Context, _ int) (int, error) {
			return Block(ctx, func() (int, error) {
				if inside.Add(1) == 2 {
					close(gate)
				}
				wg.Wait()
				return 0, nil
			})
		})
		return err
	})
}

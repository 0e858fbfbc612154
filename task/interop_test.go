package task

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// group is errgroup's shape: goroutines of its own, the first error cancels.
type group struct {
	wg     sync.WaitGroup
	once   sync.Once
	err    error
	cancel context.CancelFunc
}

func newGroup(ctx context.Context) (*group, context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	return &group{cancel: cancel}, ctx
}

func (g *group) do(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err; g.cancel() })
		}
	})
}

func (g *group) wait() error {
	g.wg.Wait()
	g.cancel()
	return g.err
}

// TestErrgroupShape has goroutines inside a task use every operation with the
// task's context, and with one derived from it, under a single permit.
func TestErrgroupShape(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	failed := errors.New("failed")
	on(t, rt, func(ctx context.Context) error {
		for _, fails := range []bool{false, true} {
			g, gctx := newGroup(ctx)
			for i := range 12 {
				g.do(func() error {
					if fails && i == 5 {
						return failed
					}
					Yield(gctx)
					child := Go(gctx, func(ctx context.Context) (int, error) { return i, Sleep(ctx, time.Microsecond) })
					polled := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) { return true, nil })
					_, pollErr := polled.Join(gctx)
					v, err := BlockOn(gctx, nil, func(ctx context.Context) (int, error) { return child.Join(ctx) })
					var w Waiter
					Go(ctx, func(context.Context) (int, error) { w.Wake(); return 0, nil })
					waitErr := w.Wait(gctx)
					runErr := Run(gctx, func(s *Scope) error {
						s.Go(func(ctx context.Context) error { Yield(ctx); return nil })
						return nil
					})
					if err = errors.Join(err, pollErr, waitErr, runErr); err == nil && v != i {
						t.Errorf("goroutine %d got %d", i, v)
					}
					if fails {
						if err := Sleep(gctx, time.Hour); !errors.Is(err, context.Canceled) {
							t.Errorf("the group's cancel: %v", err)
						}
						return nil
					}
					return err
				})
			}
			_, err := Block(ctx, func() (int, error) { return 0, g.wait() })
			if fails != errors.Is(err, failed) || !fails && err != nil {
				t.Errorf("fails %v: %v", fails, err)
			}
		}
		return ctx.Err()
	})
}

// TestContextAfterItsTask uses a task's context when the task has ended.
func TestContextAfterItsTask(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var old context.Context
	on(t, rt, func(ctx context.Context) error { old = ctx; return nil })
	derived, cancel := context.WithCancel(old)
	defer cancel()
	for _, ctx := range []context.Context{old, derived} {
		v, err := Go(ctx, func(ctx context.Context) (int, error) { return 3, Sleep(ctx, time.Microsecond) }).Join(ctx)
		if v != 3 || err != nil || ctx.Err() != nil || Sleep(ctx, time.Microsecond) != nil {
			t.Errorf("%v: %d, %v", ctx, v, err)
		}
		_ = context.AfterFunc(ctx, func() {})()
	}
}

// flight is singleflight's shape: who comes second waits for who came first.
type flight struct {
	mu    sync.Mutex
	calls map[string]*flightCall
}

type flightCall struct {
	wg  sync.WaitGroup
	val int
	err error
}

func (f *flight) do(key string, fn func() (int, error)) (int, error) {
	f.mu.Lock()
	if c := f.calls[key]; c != nil {
		f.mu.Unlock()
		c.wg.Wait()
		return c.val, c.err
	}
	c := new(flightCall)
	c.wg.Add(1)
	f.calls[key] = c
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.calls, key)
		f.mu.Unlock()
		c.wg.Done()
	}()
	c.val, c.err = fn()
	return c.val, c.err
}

// TestSingleflightShape has tasks wait for one of them, which waits for a child,
// under a single permit. Marked, the wait costs no permit; unmarked, the first one
// gets on once the stall of the second is seen.
func TestSingleflightShape(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	for _, marked := range []bool{true, false} {
		n := 20
		if !marked {
			n = 2 // a runtime lends at most P permits for stalls
		}
		f := flight{calls: map[string]*flightCall{}}
		var flights atomic.Int32
		err := Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range n {
				s.Go(func(ctx context.Context) error {
					call := func() (int, error) {
						return f.do("key", func() (int, error) {
							flights.Add(1)
							return Go(ctx, func(ctx context.Context) (int, error) { return 7, Sleep(ctx, time.Millisecond) }).Join(ctx)
						})
					}
					var v int
					var err error
					if marked {
						v, err = Block(ctx, call)
					} else {
						v, err = call()
					}
					if v != 7 {
						t.Errorf("%d, %v", v, err)
					}
					return err
				})
			}
			return nil
		})
		if f := flights.Load(); err != nil || f == 0 || int(f) > n {
			t.Errorf("marked %v: %d flights, %v", marked, f, err)
		}
	}
}

// TestFailNow calls FailNow in a task: it ends like any Goexit, and so do tasks
// that join it; the caller of BlockOn ends too.
func TestFailNow(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var mine testing.T
	fail := func(ctx context.Context) (int, error) { Yield(ctx); mine.FailNow(); return 1, nil }
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return Go(ctx, fail).Join(ctx) })
	if _, err := h.Join(context.Background()); !errors.Is(err, ErrGoexit) || !mine.Failed() {
		t.Errorf("%v, failed %v", err, mine.Failed())
	}
	var wg sync.WaitGroup
	cameBack := false
	wg.Go(func() {
		_, _ = BlockOn(context.Background(), rt, fail)
		cameBack = true
	})
	wg.Wait()
	if cameBack {
		t.Error("BlockOn came back from FailNow")
	}
	on(t, rt, func(ctx context.Context) error { return Sleep(ctx, time.Microsecond) })
}

// TestCleanupsUseTheRuntime calls Go, Wake, Cancel and Join from a cleanup.
func TestCleanupsUseTheRuntime(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	var w Waiter
	woken := Go(ctx, func(ctx context.Context) (int, error) { return 1, w.Wait(ctx) })
	canceled := Go(ctx, func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Hour) })
	results := make(chan error, 1)
	func() {
		x := new([64]int)
		runtime.AddCleanup(x, func(stop Canceler) {
			w.Wake()
			stop.Cancel()
			_, err := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 0, nil }).Join(ctx)
			results <- err
		}, canceled.Canceler())
	}()
	eventually(t, "the cleanup runs", func() bool {
		runtime.GC()
		select {
		case err := <-results:
			if err != nil {
				t.Error(err)
			}
			return true
		default:
			return false
		}
	})
	if v, err := woken.Join(ctx); v != 1 || err != nil {
		t.Errorf("woken: %d, %v", v, err)
	}
	if _, err := canceled.Join(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestLocksAcrossBlock holds mutexes over waits of all kinds, and waits on a
// condition, under a single permit.
func TestLocksAcrossBlock(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	turn, rounds := 0, 0
	const n = 8
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for i := range n {
			s.Go(func(ctx context.Context) error {
				for range 10 {
					_, err := Block(ctx, func() (int, error) {
						mu.Lock()
						for turn != i {
							cond.Wait()
						}
						return 0, nil
					})
					if err != nil {
						return err
					}
					// The lock is held while this task waits and others run.
					if _, err := Block(ctx, func() (int, error) { return 0, Sleep(ctx, time.Microsecond) }); err != nil {
						return err
					}
					if err := Sleep(ctx, time.Microsecond); err != nil {
						return err
					}
					turn, rounds = (turn+1)%n, rounds+1
					cond.Broadcast()
					mu.Unlock()
				}
				return nil
			})
		}
		return nil
	})
	if err != nil || rounds != 10*n {
		t.Errorf("%d rounds, %v", rounds, err)
	}
}

// TestTimersWake wakes tasks and state machines from callbacks of time.AfterFunc.
func TestTimersWake(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for i := range 50 {
			s.Go(func(ctx context.Context) error {
				var w Waiter
				time.AfterFunc(time.Duration(i%5)*time.Microsecond, w.Wake)
				if err := w.Wait(ctx); err != nil {
					return err
				}
				var fired atomic.Bool
				var once sync.Once
				_, err := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
					once.Do(func() { time.AfterFunc(time.Microsecond, func() { fired.Store(true); w.Wake() }) })
					return fired.Load(), nil
				}).Join(ctx)
				return err
			})
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// numbers is an iterator that uses the runtime between its values. Under iter.Pull
// it runs on a goroutine of its own, which is no task's.
func numbers(ctx context.Context, n int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			Yield(ctx)
			Checkpoint(ctx)
			err := Sleep(ctx, time.Microsecond)
			h := Go(ctx, func(context.Context) (int, error) { return i, nil })
			h.Cancel()
			if !yield(i, err) {
				return
			}
		}
	}
}

// TestPullInsideTasks uses coroutines of the user's own inside tasks: what runs in
// them may call the runtime, tasks may wait between two values, and hand the
// iterator on to one another.
func TestPullInsideTasks(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	sum := func(ctx context.Context, next func() (int, error, bool)) (s int, err error) {
		for {
			v, err, more := next()
			if !more || err != nil {
				return s, err
			}
			s += v
			Yield(ctx)
			if err := Sleep(ctx, time.Microsecond); err != nil {
				return s, err
			}
		}
	}
	for _, opts := range [][]Option{nil, {Pinned()}} {
		var hs []*Handle[int]
		for range 4 {
			hs = append(hs, Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
				next, stop := iter.Pull2(numbers(ctx, 10))
				defer stop()
				if opts != nil {
					return sum(ctx, next)
				}
				if _, err, _ := next(); err != nil {
					return 0, err
				}
				other := Go(ctx, func(ctx context.Context) (int, error) { return sum(ctx, next) })
				return other.Join(ctx)
			}, opts...))
		}
		for _, h := range hs {
			if v, err := h.Join(context.Background()); v != 45 || err != nil {
				t.Errorf("pinned %v: %d, %v", opts != nil, v, err)
			}
		}
	}
	// What happens inside comes out where next was called.
	raises := func(f func()) error {
		_, err := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			next, stop := iter.Pull(func(yield func(int) bool) { yield(1); Yield(ctx); f() })
			defer stop()
			next()
			Yield(ctx)
			next()
			return 0, nil
		}).Join(context.Background())
		return err
	}
	var pe *PanicError
	if err := raises(func() { panic("inside") }); !errors.As(err, &pe) || pe.Value != "inside" {
		t.Errorf("a panic inside: %v", err)
	}
	if err := raises(runtime.Goexit); !errors.Is(err, ErrGoexit) {
		t.Errorf("Goexit inside: %v", err)
	}
}

package task

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/gid"
)

// event is what the poll tasks of these tests wait for.
type event struct {
	mu    sync.Mutex
	waker Waker
	count int
}

// take takes one occurrence, or leaves w for the next.
func (e *event) take(w Waker) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.count > 0 {
		e.count--
		return true
	}
	e.waker = w
	return false
}

func (e *event) fire() {
	e.mu.Lock()
	e.count++
	w := e.waker
	e.mu.Unlock()
	w.Wake()
}

// until polls cond, giving others time, and fails the test after a while.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !cond(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// waiting spawns a poll task that counts its polls, keeps its Waker and never ends
// by itself but for its context, and returns when it waits.
func waiting(t testing.TB, ctx context.Context, opts ...Option) (h *Handle[struct{}], w *atomic.Value, polls *atomic.Int32) {
	t.Helper()
	h, w, polls = spawnWaiting(ctx, opts...)
	until(t, "a poll task waits", func() bool { return polls.Load() > 0 && h.task.waits() })
	return h, w, polls
}

func TestPollEnds(t *testing.T) {
	no := errors.New("no")
	for _, p := range []int{1, 2} {
		rt := start(t, Config{Parallelism: p})
		ctx := rt.Enter(context.Background())
		for _, c := range []struct {
			yields int
			done   bool
			err    error
		}{{0, true, nil}, {0, true, no}, {0, false, no}, {5, true, nil}, {5, false, no}} {
			polls := 0
			h := GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
				if polls++; polls <= c.yields {
					w.Wake()
					return false, nil
				}
				return c.done, c.err
			})
			if _, err := h.Join(context.Background()); err != c.err || polls != c.yields+1 {
				t.Errorf("%+v: %v after %d polls", c, err, polls)
			}
			if _, done, err := h.TryJoin(); !done || err != c.err {
				t.Errorf("%+v: TryJoin: %v, %v", c, done, err)
			}
		}
	}
}

func TestWaker(t *testing.T) {
	Waker{}.Wake()
	rt := start(t, Config{Parallelism: 1})
	var kept [2]Waker
	var polls atomic.Int32
	var last atomic.Bool
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		kept[min(polls.Add(1)-1, 1)] = w
		return last.Load(), nil
	})
	until(t, "it waits", h.task.waits)
	w := kept[0]
	for i := range int32(3) {
		// While the only permit is held, any number of wakes is one.
		on(t, rt, func(context.Context) error {
			w.Wake()
			w.Wake()
			w.Wake()
			return nil
		})
		until(t, "it waits again", h.task.waits)
		if n := polls.Load(); n != i+2 {
			t.Errorf("%d polls after %d wakes", n, i+1)
		}
	}
	if kept[0] != kept[1] || kept[0] == (Waker{}) {
		t.Error("the Wakers of a task differ")
	}
	last.Store(true)
	w.Wake()
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	n := polls.Load()
	w.Wake()
	w.Wake()
	on(t, rt, func(context.Context) error { return nil })
	if polls.Load() != n {
		t.Error("polled after the end")
	}
}

// TestWakeFromAnywhere wakes from a timer, a hook, another runtime, a marked
// region, a pinned task and a plain goroutine.
func TestWakeFromAnywhere(t *testing.T) {
	var e event
	var hooked atomic.Bool
	fireOnce := func(int) {
		if hooked.CompareAndSwap(true, false) {
			e.fire()
		}
	}
	rt := start(t, Config{Parallelism: 1, Hooks: Hooks{WorkerPark: fireOnce,
		TaskStart: func(context.Context, string) { fireOnce(0) }}})
	other := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	block := func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { e.fire(); return 0, nil })
	}
	sources := []func(){
		e.fire,
		func() { time.AfterFunc(time.Microsecond, e.fire) },
		func() { hooked.Store(true); Go(ctx, empty) },
		func() { Go(other.Enter(ctx), func(context.Context) (int, error) { e.fire(); return 0, nil }) },
		func() { Go(ctx, block) },
		func() { Go(ctx, func(context.Context) (int, error) { e.fire(); return 0, nil }, Pinned()) },
		func() { GoPoll(ctx, func(context.Context, Waker) (bool, error) { e.fire(); return true, nil }) },
		func() {
			_, _ = BlockOn(ctx, rt, func(context.Context) (int, error) { e.fire(); return 0, nil })
		},
	}
	for i, f := range sources {
		for _, opts := range [][]Option{nil, {Pinned()}} {
			h := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) { return e.take(w), nil }, opts...)
			until(t, "it waits", h.task.waits)
			f()
			limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			if _, err := h.Join(limit); err != nil {
				t.Errorf("source %d, pinned %v: %v", i, opts != nil, err)
			}
			cancel()
		}
	}
}

func TestPollHasNoStack(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	var hs []*Handle[struct{}]
	var ws []*atomic.Value
	for range 200 {
		h, w, _ := waiting(t, ctx)
		hs, ws = append(hs, h), append(ws, w)
	}
	for _, w := range ws {
		w.Load().(Waker).Wake()
	}
	for _, h := range hs {
		until(t, "it waits", h.task.waits)
	}
	if n := rt.Stats().Stacks; n > 3 {
		t.Errorf("%d stacks", n)
	}
	for _, h := range hs {
		h.Cancel()
		if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestPollYieldsInTurn wants poll tasks that wake themselves to go on one after
// the other, and ordinary tasks between them.
func TestPollYieldsInTurn(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var mu sync.Mutex // one permit orders the tasks, but not for the race detector
	var order []byte
	note := func(c byte) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, c)
	}
	on(t, rt, func(ctx context.Context) error {
		var hs []*Handle[struct{}]
		for _, c := range []byte("ab") {
			n := 0
			hs = append(hs, GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
				note(c)
				w.Wake()
				n++
				return n == 5, nil
			}))
		}
		h := Go(ctx, func(ctx context.Context) (int, error) {
			for range 5 {
				note('c')
				Yield(ctx)
			}
			return 0, nil
		})
		Yield(ctx)
		for _, h := range hs {
			_, _ = h.Join(ctx)
		}
		_, err := h.Join(ctx)
		return err
	})
	rest := string(order)
	for len(rest) >= 6 {
		round := rest[:3]
		if !strings.Contains(round, "a") || !strings.Contains(round, "b") || !strings.Contains(round, "c") {
			t.Fatalf("order %s", order)
		}
		rest = rest[3:]
	}
}

// TestPollWaitsInside calls waits of the runtime inside poll: they take a stack,
// use up tokens, and must neither lose a wake nor leave the stack with the task.
func TestPollWaitsInside(t *testing.T) {
	for _, p := range []int{1, 2} {
		rt := start(t, Config{Parallelism: p})
		ctx := rt.Enter(context.Background())
		inside := []func(ctx context.Context){
			func(ctx context.Context) { _ = Sleep(ctx, 50*time.Microsecond) },
			func(ctx context.Context) { _ = Sleep(context.Background(), 50*time.Microsecond) },
			func(ctx context.Context) { Yield(ctx) },
			func(ctx context.Context) { _, _ = Go(ctx, empty).Join(ctx) },
			func(ctx context.Context) { h := Go(ctx, empty); Yield(ctx); _, _ = h.Join(ctx) },
			func(ctx context.Context) {
				_, _ = Block(ctx, func() (int, error) { time.Sleep(300 * time.Microsecond); return 0, nil })
			},
			func(ctx context.Context) {
				_, _ = GoPoll(ctx, yielder(3)).Join(ctx)
			},
		}
		for i, f := range inside {
			for _, opts := range [][]Option{nil, {Pinned()}} {
				var e event
				h := GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
					w.Wake() // must survive what follows
					f(ctx)
					return e.take(w), nil
				}, opts...)
				e.fire()
				if _, err := h.Join(context.Background()); err != nil {
					t.Errorf("p=%d, %d: %v", p, i, err)
				}
				var late event
				h = GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
					f(ctx)
					return late.take(w), nil
				}, opts...)
				until(t, "it waits", func() bool {
					if opts != nil {
						return h.task.waits()
					}
					return h.task.body.(*poller).state.Load() == pollWaits
				})
				if opts == nil && h.task.stack != nil {
					t.Errorf("p=%d, %d: it waits with a stack", p, i)
				}
				late.fire()
				if _, err := h.Join(context.Background()); err != nil {
					t.Errorf("p=%d, %d: %v", p, i, err)
				}
			}
		}
	}
}

// TestPollLosesNoWake has senders fire events at random and poll tasks that count
// them, with all sorts of things between.
func TestPollLosesNoWake(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	const tasks, each = 20, 300
	for _, p := range []int{1, 2, 4} {
		rt := start(t, Config{Parallelism: p})
		ctx := rt.Enter(context.Background())
		var events [tasks]event
		var hs []*Handle[struct{}]
		for i := range events {
			e, r, left := &events[i], rand.New(rand.NewPCG(seed, uint64(i))), each
			hs = append(hs, GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
				for e.take(w) {
					if left--; left == 0 {
						return true, nil
					}
					switch r.IntN(20) {
					case 0:
						Yield(ctx)
					case 1:
						_ = Sleep(ctx, time.Microsecond)
					case 2:
						w.Wake()
						return false, nil
					}
				}
				return false, nil
			}))
		}
		var senders sync.WaitGroup
		for i := range events {
			e, r := &events[i], rand.New(rand.NewPCG(seed, uint64(tasks+i)))
			send := func(ctx context.Context) (int, error) {
				for range each {
					e.fire()
					if r.IntN(4) == 0 {
						Yield(ctx)
					}
				}
				return 0, nil
			}
			if i%2 == 0 {
				Go(ctx, send)
			} else {
				senders.Go(func() { _, _ = send(ctx) })
			}
		}
		senders.Wait()
		limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		for i, h := range hs {
			if _, err := h.Join(limit); err != nil {
				t.Fatalf("p=%d: task %d: %v", p, i, err)
			}
		}
		cancel()
	}
}

func TestPollJoinInPlace(t *testing.T) {
	if !inPlace {
		t.Skip("nothing runs in place in race builds")
	}
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		here := gid.Get()
		var first, again uintptr
		if _, err := GoPoll(ctx, func(context.Context, Waker) (bool, error) { first = gid.Get(); return true, nil }).Join(ctx); err != nil {
			return err
		}
		if first != here {
			t.Error("a fresh child was not polled in place")
		}
		first = 0
		h := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
			if first == 0 {
				first = gid.Get()
				w.Wake()
				return false, nil
			}
			again = gid.Get()
			return true, nil
		})
		_, err := h.Join(ctx)
		if first != here || again == here || again == 0 {
			t.Errorf("the joiner is at %x, the child was polled at %x and %x", here, first, again)
		}
		return err
	})
	// The same with a child that waits, and joiners nested in joiners.
	on(t, rt, func(ctx context.Context) error {
		var e event
		depth := 0
		var nested func(ctx context.Context, w Waker) (bool, error)
		nested = func(ctx context.Context, w Waker) (bool, error) {
			if depth++; depth < 10 {
				_, err := GoPoll(ctx, nested).Join(ctx)
				return true, err
			}
			return e.take(w), nil
		}
		h := GoPoll(ctx, nested)
		Go(ctx, func(ctx context.Context) (int, error) { e.fire(); return 0, nil })
		_, err := h.Join(ctx)
		return err
	})
}

func TestPollCancel(t *testing.T) {
	for _, opts := range [][]Option{nil, {Pinned()}} {
		rt := start(t, Config{Parallelism: 1})
		ctx := rt.Enter(context.Background())
		check := func(what string, h *Handle[struct{}], polls *atomic.Int32) {
			t.Helper()
			if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", what, err)
			}
			if n := polls.Load(); n != 2 {
				t.Errorf("%s: %d polls", what, n)
			}
		}
		h, _, polls := waiting(t, ctx, opts...)
		h.Cancel()
		check("Cancel", h, polls)

		out, cancel := context.WithCancel(ctx)
		h, _, polls = waiting(t, out, opts...)
		cancel()
		check("an outside context", h, polls)

		out, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
		h, _, polls = waiting(t, out, opts...)
		check("a deadline", h, polls)
		cancel()

		// The parent has ended, its own parent is cancelled.
		spawned := make(chan struct{})
		root := Go(ctx, func(ctx context.Context) (int, error) {
			_, _ = Go(ctx, func(ctx context.Context) (int, error) {
				h, _, polls = spawnWaiting(ctx, opts...)
				return 0, nil
			}).Join(ctx)
			close(spawned)
			var w Waiter
			return 0, w.Wait(ctx)
		})
		<-spawned
		until(t, "the grandchild waits", func() bool { return polls.Load() > 0 && h.task.waits() })
		root.Cancel()
		check("an ancestor", h, polls)
	}
}

// spawnWaiting is waiting without waiting.
func spawnWaiting(ctx context.Context, opts ...Option) (h *Handle[struct{}], w *atomic.Value, polls *atomic.Int32) {
	w, polls = new(atomic.Value), new(atomic.Int32)
	h = GoPoll(ctx, func(ctx context.Context, me Waker) (bool, error) {
		polls.Add(1)
		w.Store(me)
		return false, ctx.Err()
	}, opts...)
	return h, w, polls
}

func TestPollCancelQueued(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		h, _, polls := spawnWaiting(ctx)
		h.Cancel()
		if _, err := h.Join(ctx); err != ErrCanceled || polls.Load() != 0 {
			t.Errorf("%v after %d polls", err, polls.Load())
		}
		return nil
	})
}

// TestPollCancelledBeforeItWaits cancels after the poll has looked, when nothing
// is linked yet, or only what a wait inside linked.
func TestPollCancelledBeforeItWaits(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	for _, sleep := range []bool{false, true} {
		for _, self := range []bool{false, true} {
			var child *Handle[struct{}]
			parent := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
				up := ctx.(*task)
				child = GoPoll(ctx, func(ctx context.Context, _ Waker) (bool, error) {
					if err := ctx.Err(); err != nil {
						return false, err
					}
					if self {
						ctx.(*task).cancel()
					} else {
						up.cancel()
					}
					if sleep {
						_ = Sleep(context.Background(), time.Microsecond)
					}
					return false, nil
				})
				_, err := Block(ctx, func() (int, error) {
					_, err := child.Join(context.Background())
					return 0, err
				})
				return 0, err
			})
			limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			if _, err := parent.Join(limit); !errors.Is(err, context.Canceled) {
				t.Errorf("sleep %v, self %v: %v", sleep, self, err)
			}
			cancel()
		}
	}
}

// TestPollIgnoresCancel wants one poll for a cancel, not an endless number.
func TestPollIgnoresCancel(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var polls atomic.Int32
	var e event
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		polls.Add(1)
		return e.take(w), nil
	})
	until(t, "it waits", h.task.waits)
	h.Cancel()
	until(t, "it was polled for the cancel", func() bool { return polls.Load() == 2 && h.task.waits() })
	h.Cancel()
	until(t, "it was polled for the second", func() bool { return polls.Load() == 3 && h.task.waits() })
	e.fire()
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestPollHooks(t *testing.T) {
	var starts, ends atomic.Int32
	var names sync.Map
	rt := start(t, Config{Parallelism: 1, Hooks: Hooks{
		TaskStart: func(_ context.Context, name string) { starts.Add(1); names.Store(name, true) },
		TaskEnd:   func(_ context.Context, name string) { ends.Add(1); names.Store(name, true) },
	}})
	for i, f := range []func(context.Context, Waker) (bool, error){
		yielder(4),
		func(context.Context, Waker) (bool, error) { panic("no") },
		func(context.Context, Waker) (bool, error) { runtime.Goexit(); return false, nil },
		func(ctx context.Context, _ Waker) (bool, error) { return true, Sleep(ctx, 1) },
	} {
		for _, opts := range [][]Option{{Name("machine")}, {Name("machine"), Pinned()}} {
			starts.Store(0)
			ends.Store(0)
			_, _ = GoPoll(rt.Enter(context.Background()), f, opts...).Join(context.Background())
			until(t, "the hooks ran", func() bool { return ends.Load() > 0 })
			if s, e := starts.Load(), ends.Load(); s != 1 || e != 1 {
				t.Errorf("%d: %d starts, %d ends", i, s, e)
			}
		}
	}
	if _, ok := names.Load("machine"); !ok {
		t.Error("the hooks did not get the name")
	}
	h := GoPoll(rt.Enter(context.Background()), yielder(0))
	_, _ = h.Join(context.Background())
	if name := h.task.name(); !strings.Contains(name, "yielder") {
		t.Errorf("name %q", name)
	}
}

func TestPollPanics(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	for _, opts := range [][]Option{nil, {Pinned()}} {
		for after := range 2 {
			n := 0
			_, err := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
				if n++; n <= after {
					w.Wake()
					return false, nil
				}
				panicInPoll()
				return false, nil
			}, opts...).Join(context.Background())
			var p *PanicError
			if !errors.As(err, &p) || p.Value != "boom" || !bytes.Contains(p.Stack, []byte("panicInPoll")) {
				t.Errorf("after %d: %v", after, err)
			}
		}
	}
}

func panicInPoll() { panic("boom") }

// TestPollGoexit ends a poll by Goexit: at once, after a yield, after a wait
// inside it, as a child in place and as one that is waited for.
func TestPollGoexit(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	leaver := func(after int, sleep bool) func(context.Context, Waker) (bool, error) {
		return func(ctx context.Context, w Waker) (bool, error) {
			defer func() { _ = recover() }()
			if after--; after >= 0 {
				w.Wake()
				return false, nil
			}
			if sleep {
				_ = Sleep(ctx, time.Microsecond)
			}
			runtime.Goexit()
			return true, nil
		}
	}
	for _, opts := range [][]Option{nil, {Pinned()}} {
		for after := range 3 {
			for _, sleep := range []bool{false, true} {
				if _, err := GoPoll(ctx, leaver(after, sleep), opts...).Join(context.Background()); err != ErrGoexit {
					t.Errorf("after %d: %v", after, err)
				}
				deferred := false
				_, err := Go(ctx, func(ctx context.Context) (int, error) {
					defer func() { deferred = true }()
					_, err := GoPoll(ctx, leaver(after, sleep), opts...).Join(ctx)
					t.Errorf("the joiner goes on: %v", err)
					return 0, err
				}).Join(context.Background())
				if err != ErrGoexit || !deferred {
					t.Errorf("a joiner, after %d: %v, deferred %v", after, err, deferred)
				}
			}
		}
	}
	// A poll task as the joiner of one that leaves.
	_, err := GoPoll(ctx, func(ctx context.Context, _ Waker) (bool, error) {
		_, err := GoPoll(ctx, leaver(0, false)).Join(ctx)
		return true, err
	}).Join(context.Background())
	if err != ErrGoexit {
		t.Errorf("a poll task that joins: %v", err)
	}
	on(t, rt, func(context.Context) error { return nil })
}

func TestPollPinned(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	at := map[uintptr]bool{}
	var e event
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		at[gid.Get()] = true
		return e.take(w), nil
	}, Pinned())
	until(t, "it waits", h.task.waits)
	if rt.Stats().Running != 0 {
		until(t, "it holds no permit", func() bool { return rt.Stats().Running == 0 })
	}
	h.task.rouse()
	e.fire()
	if _, err := h.Join(context.Background()); err != nil || len(at) != 1 {
		t.Errorf("%v, polled on %d goroutines", err, len(at))
	}
	// One that yields lets others run with the only permit.
	if _, err := GoPoll(rt.Enter(context.Background()), func(ctx context.Context, w Waker) (bool, error) {
		w.Wake()
		return rt.Stats().Returning == 0 && rt.Stats().Injected == 0, nil
	}, Pinned()).Join(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestPollShutdown shuts down with poll tasks that heed their context, that do
// not, that wake themselves for ever, and that were never polled.
func TestPollShutdown(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := rt.Enter(context.Background())
	var polls atomic.Int32
	deaf := func(context.Context, Waker) (bool, error) { polls.Add(1); return false, nil }
	var spun [2]atomic.Bool
	polite, _, _ := waiting(t, ctx)
	var hs []*Handle[struct{}]
	for _, opts := range [][]Option{{Name("deaf")}, {Name("deaf"), Pinned()}} {
		hs = append(hs, GoPoll(ctx, deaf, opts...))
	}
	for _, h := range hs {
		until(t, "it waits", h.task.waits)
	}
	asleep := GoPoll(ctx, func(context.Context, Waker) (bool, error) { return true, Sleep(context.Background(), time.Hour) }, Name("deaf"))
	until(t, "it waits inside", func() bool { return asleep.task.token.Load() == tokenParked })
	for i, opts := range [][]Option{{Name("deaf")}, {Name("deaf"), Pinned()}} {
		hs = append(hs, GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
			spun[i].Store(true)
			w.Wake()
			return false, nil
		}, opts...))
	}
	until(t, "all were polled", func() bool { return spun[0].Load() && spun[1].Load() })
	limit, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	err = rt.Shutdown(limit)
	var late *StragglersError
	if !errors.As(err, &late) || len(late.Tasks) != 5 {
		t.Errorf("shutdown: %v", err)
	}
	if _, err := polite.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("one that heeds: %v", err)
	}
	for i, h := range hs {
		if _, err := h.Join(context.Background()); err != ErrClosed {
			t.Errorf("deaf %d: %v", i, err)
		}
	}
	if _, err := asleep.Join(context.Background()); err != ErrGoexit {
		t.Errorf("one that waits inside: %v", err)
	}
	if n := polls.Load(); n != 4 { // once each, and once each for the cancel
		t.Errorf("%d polls", n)
	}
	if _, err := GoPoll(ctx, deaf).Join(context.Background()); err != ErrClosed {
		t.Errorf("after Shutdown: %v", err)
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestPollStall wants a poll that blocks reported by name, and each poll counted,
// which is how the monitor sees that one polled again and again goes on.
func TestPollStall(t *testing.T) {
	var log syncBuffer
	rt := start(t, Config{Parallelism: 1, StallAfter: 5 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	ctx := rt.Enter(context.Background())
	if _, err := GoPoll(ctx, yielder(100)).Join(ctx); err != nil || rt.Stats().Polls < 100 {
		t.Errorf("%v, %+v", err, rt.Stats())
	}
	hold := make(chan struct{})
	h := GoPoll(ctx, func(context.Context, Waker) (bool, error) { <-hold; return true, nil }, Name("blocker"))
	until(t, "the stall is reported by name", func() bool { return strings.Contains(log.String(), "blocker") })
	close(hold)
	_, _ = h.Join(ctx)
	if n := rt.Stats().Stalls; n != 1 {
		t.Errorf("%d stalls counted", n)
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestPollWakesAndComputes has a poll wake another task and go on until that one
// has run: with a second permit it must get it.
func TestPollWakesAndComputes(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	ctx := rt.Enter(context.Background())
	var e event
	var ran atomic.Bool
	h := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
		if !e.take(w) {
			return false, nil
		}
		ran.Store(true)
		return true, nil
	})
	until(t, "it waits", h.task.waits)
	until(t, "the workers rest", func() bool { return rt.Stats().Running == 0 })
	_, err := GoPoll(ctx, func(context.Context, Waker) (bool, error) {
		e.fire()
		for end := time.Now().Add(20 * time.Second); !ran.Load(); runtime.Gosched() {
			if time.Now().After(end) {
				return false, errors.New("the other did not run")
			}
		}
		return true, nil
	}).Join(ctx)
	if err != nil {
		t.Error(err)
	}
	_, _ = h.Join(ctx)
}

// TestWakerKeepsLittle keeps a Waker past the end and looks whether what poll
// captured is collected.
func TestWakerKeepsLittle(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ends := map[string]func() (bool, error){
		"returns": func() (bool, error) { return true, nil },
		"panics":  func() (bool, error) { panic("no") },
		"leaves":  func() (bool, error) { runtime.Goexit(); return false, nil },
	}
	for name, end := range ends {
		var gone atomic.Bool
		w := func() (kept Waker) {
			big := make([]byte, 1<<20)
			runtime.AddCleanup(&big[0], func(int) { gone.Store(true) }, 0)
			h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
				kept = w
				big[0]++
				return end()
			})
			<-h.Done()
			return kept
		}()
		until(t, "what poll captured is collected, which "+name, func() bool { runtime.GC(); return gone.Load() })
		w.Wake()
	}
}

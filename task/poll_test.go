package task

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/gid"
)

// waiting spawns a poll task that counts its polls, keeps its Waker and never ends
// by itself but for its context, and returns when it waits.
func waiting(t testing.TB, ctx context.Context, opts ...Option) (h *Handle[struct{}], w *atomic.Value, polls *atomic.Int32) {
	t.Helper()
	h, w, polls = spawnWaiting(ctx, opts...)
	eventually(t, "a poll task waits", func() bool { return polls.Load() > 0 && h.task.waits() })
	return h, w, polls
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
		eventually(t, "it waits", h.task.waits)
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
				eventually(t, "it waits", func() bool {
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

func TestPollPinned(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	at := map[uintptr]bool{}
	var e event
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		at[gid.Get()] = true
		return e.take(w), nil
	}, Pinned())
	eventually(t, "it waits", h.task.waits)
	eventually(t, "it holds no permit", func() bool { return rt.Stats().Running == 0 })
	h.task.rouse()
	e.fire()
	if _, err := h.Join(context.Background()); err != nil || len(at) != 1 {
		t.Errorf("%v, polled on %d goroutines", err, len(at))
	}
	// One that yields lets another run with the only permit.
	var ran atomic.Bool
	limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	polls := 0
	rt = start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1}) // nothing else takes the permit away
	if _, err := GoPoll(rt.Enter(limit), func(ctx context.Context, w Waker) (bool, error) {
		if polls++; polls == 1 {
			Go(ctx, func(context.Context) (int, error) { ran.Store(true); return 0, nil })
		}
		w.Wake()
		return ran.Load(), ctx.Err()
	}, Pinned()).Join(context.Background()); err != nil || polls < 2 {
		t.Errorf("%v after %d polls", err, polls)
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
	eventually(t, "the stall is reported by name", func() bool { return strings.Contains(log.String(), "blocker") })
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

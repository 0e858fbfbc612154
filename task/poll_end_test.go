package task

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

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
			eventually(t, "the hooks ran", func() bool { return ends.Load() > 0 })
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
	if n := rt.Stats().Panics; n != 4 {
		t.Errorf("%d panics counted", n)
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
		eventually(t, "it waits", h.task.waits)
	}
	asleep := GoPoll(ctx, func(context.Context, Waker) (bool, error) { return true, Sleep(context.Background(), time.Hour) }, Name("deaf"))
	eventually(t, "it waits inside", func() bool { return asleep.task.token.Load() == tokenParked })
	for i, opts := range [][]Option{{Name("deaf")}, {Name("deaf"), Pinned()}} {
		hs = append(hs, GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
			spun[i].Store(true)
			w.Wake()
			return false, nil
		}, opts...))
	}
	eventually(t, "all were polled", func() bool { return spun[0].Load() && spun[1].Load() })
	limit, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	shut := make(chan error, 1)
	go func() { shut <- rt.Shutdown(limit) }()
	eventually(t, "the cancel has reached all that heed or wait", func() bool {
		_, ended, _ := polite.TryJoin()
		return ended && polls.Load() == 4
	})
	giveUp()
	err = <-shut
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

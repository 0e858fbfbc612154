package task

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func standParked(w *Waiter) error { return w.Wait(context.Background()) }

func standStubborn(w *Waiter, released <-chan struct{}) {
	for {
		select {
		case <-released:
			return
		default:
			_ = w.Wait(context.Background()) // swallows the unwinding
		}
	}
}

func standBlocking(ctx context.Context, gate <-chan struct{}) (int, error) {
	return Block(ctx, func() (int, error) { <-gate; return 3, nil })
}

func standRunning(gate <-chan struct{}) { <-gate }

// TestStragglersStand lets the deadline pass for tasks in every position, and
// looks whether each is named with its state and the place where it stands.
func TestStragglersStand(t *testing.T) {
	rt, err := Start(patient(2))
	if err != nil {
		t.Fatal(err)
	}
	ctx := rt.Enter(context.Background())
	gate := make(chan struct{})
	var idle, first, stubborn, called Waiter
	var done sync.WaitGroup
	Go(ctx, func(context.Context) (int, error) { return 0, standParked(&idle) }, Name("parked"))
	Go(ctx, func(context.Context) (int, error) {
		defer standStubborn(&stubborn, gate)
		return 0, standParked(&first)
	}, Name("stubborn"))
	blocks := Go(ctx, func(ctx context.Context) (int, error) { return standBlocking(ctx, gate) }, Name("blocks"))
	pinned := Go(ctx, func(ctx context.Context) (int, error) { return standBlocking(ctx, gate) }, Name("pinned"), Pinned())
	done.Go(func() {
		_, _ = BlockOn(ctx, rt, func(context.Context) (int, error) { return 0, standParked(&called) })
	})
	eventually(t, "all but one wait without a permit", func() bool { return rt.free.len() == 2 && rt.handoffs() == 2 })
	begun := make(chan struct{})
	Go(ctx, func(context.Context) (int, error) { close(begun); standRunning(gate); return 0, nil }, Name("runs"))
	<-begun

	over, cancel := context.WithCancel(context.Background())
	cancel()
	var late *StragglersError
	if err := rt.Shutdown(over); !errors.As(err, &late) || !errors.Is(err, context.Canceled) {
		t.Fatalf("shutdown: %v", err)
	}
	found := map[string]Straggler{}
	for _, s := range late.Tasks {
		name := s.Name
		if strings.Contains(name, "TestStragglersStand") {
			name = "caller"
		}
		if _, twice := found[name]; twice {
			t.Errorf("%s is named twice", name)
		}
		found[name] = s
	}
	for _, want := range []struct{ name, state, frame string }{
		{"parked", "unwound", "standParked"},
		{"stubborn", "waiting", "standStubborn"},
		{"blocks", "blocking", "standBlocking"},
		{"pinned", "blocking", "standBlocking"},
		{"caller", "waiting", "standParked"},
		{"runs", "running", "standRunning"},
	} {
		s := found[want.name]
		if s.State != want.state || !strings.Contains(s.Stack, want.frame) {
			t.Errorf("%s is %q, want %q in %s, at:\n%s", want.name, s.State, want.state, want.frame, s.Stack)
		}
		delete(found, want.name)
	}
	for name := range found {
		t.Errorf("%s is named too", name)
	}

	close(gate)
	stubborn.Wake()
	called.Wake()
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Errorf("again: %v", err)
	}
	done.Wait()
	for _, h := range []*Handle[int]{blocks, pinned} {
		if v, err := h.Join(context.Background()); v != 3 || err != nil {
			t.Errorf("a region during shutdown: %d, %v", v, err)
		}
	}
}

// handoffs counts the permits that the monitor took from regions.
func (rt *Runtime) handoffs() (n uint64) {
	for _, l := range rt.lanes {
		n += l.stats.handoffs.Load()
	}
	return n
}

// TestShutdownServesReturners shuts down while many tasks block: they get their
// permit back and end as if nothing had happened.
func TestShutdownServesReturners(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	gate := make(chan struct{})
	var hs []*Handle[int]
	var inside sync.WaitGroup
	inside.Add(30)
	for i := range 30 {
		var opts []Option
		if i%3 == 0 {
			opts = append(opts, Pinned())
		}
		hs = append(hs, Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			return Block(ctx, func() (int, error) { inside.Done(); <-gate; return i, nil })
		}, opts...))
	}
	inside.Wait()
	ended := make(chan error)
	for range 3 {
		go func() { ended <- rt.Shutdown(context.Background()) }()
	}
	eventually(t, "admission is closed", rt.closed.Load)
	close(gate)
	for range 3 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for i, h := range hs {
		if v, done, err := h.TryJoin(); v != i || !done || err != nil {
			t.Errorf("task %d: %d, %v, %v", i, v, done, err)
		}
	}
}

// TestClosed offers work of every kind during and after a Shutdown.
func TestClosed(t *testing.T) {
	rt, err := Start(Config{Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(context.Context) (int, error) { t.Error("ran"); return 0, nil }
	offer := func(ctx context.Context, when string) {
		for _, opts := range [][]Option{nil, {Pinned()}, {Name("x")}} {
			if _, err := Go(ctx, nothing, opts...).Join(context.Background()); !errors.Is(err, ErrClosed) {
				t.Errorf("Go %s: %v", when, err)
			}
		}
		err := Run(ctx, func(s *Scope) error {
			s.Go(func(context.Context) error { t.Error("ran"); return nil })
			return nil
		})
		if !errors.Is(err, ErrClosed) {
			t.Errorf("Run %s: %v", when, err)
		}
	}
	during := make(chan struct{})
	inside := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		close(during)
		for !rt.closed.Load() {
			Yield(ctx)
		}
		offer(ctx, "from a task during shutdown")
		return 1, nil
	})
	<-during
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if v, err := inside.Join(context.Background()); v != 1 || err != nil {
		t.Errorf("the task: %d, %v", v, err)
	}
	offer(rt.Enter(context.Background()), "after shutdown")
	if _, err := BlockOn(context.Background(), rt, nothing); !errors.Is(err, ErrClosed) {
		t.Errorf("BlockOn after shutdown: %v", err)
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Errorf("again: %v", err)
	}
}

// TestShutdownsAgreeOnTheHook lets a hook panic at the very end: every Shutdown
// reports it, those that come later too.
func TestShutdownsAgreeOnTheHook(t *testing.T) {
	rt, err := Start(Config{Parallelism: 2, Hooks: Hooks{WorkerStop: func(int) { panic("at the end") }}})
	if err != nil {
		t.Fatal(err)
	}
	on(t, rt, func(ctx context.Context) error { return Sleep(ctx, time.Microsecond) })
	ended := make(chan error)
	for range 4 {
		go func() { ended <- rt.Shutdown(context.Background()) }()
	}
	var pe *PanicError
	for range 4 {
		if err := <-ended; !errors.As(err, &pe) {
			t.Errorf("shutdown: %v", err)
		}
	}
	if err := rt.Shutdown(context.Background()); !errors.As(err, &pe) {
		t.Errorf("later: %v", err)
	}
}

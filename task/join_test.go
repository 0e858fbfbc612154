package task

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestJoinChain joins 2,000,000 deep: each task joins the next, and only the last
// does not wait. It takes about 1.5 GB, most of it stacks, and no time that grows
// faster than the depth.
func TestJoinChain(t *testing.T) {
	if testing.Short() || !inPlace || runtime.GOARCH == "wasm" {
		t.Skip("2,000,000 stacked tasks: not in -short, race, simulator and wasm builds")
	}
	rt := start(t, Config{Parallelism: 2})
	on(t, rt, func(ctx context.Context) error {
		const depth = 2_000_000
		v, err := joinDown(ctx, depth)
		if v != depth {
			t.Errorf("depth %d", v)
		}
		return err
	})
}

func joinDown(ctx context.Context, n int) (int, error) {
	if n == 0 {
		return 0, nil
	}
	v, err := Go(ctx, func(ctx context.Context) (int, error) { return joinDown(ctx, n-1) }).Join(ctx)
	return v + 1, err
}

// TestJoinFromOutsideDeep is the same chain with joins that may not run in place:
// each joiner waits on a stack of its own.
func TestJoinFromOutsideDeep(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		var down func(ctx context.Context, n int) (int, error)
		down = func(ctx context.Context, n int) (int, error) {
			if n == 0 {
				return 0, nil
			}
			other, cancel := context.WithCancel(context.Background())
			defer cancel()
			v, err := Go(ctx, func(ctx context.Context) (int, error) { return down(ctx, n-1) }).Join(other)
			return v + 1, err
		}
		const depth = 2000
		v, err := down(ctx, depth)
		if v != depth {
			t.Errorf("depth %d", v)
		}
		return err
	})
}

// TestSpawnAllocatesOnce counts allocations of a spawn and its join, once the
// queues have grown.
func TestSpawnAllocatesOnce(t *testing.T) {
	if !inPlace {
		t.Skip("race and simulator builds allocate more")
	}
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		small := func(context.Context) (int, error) { return 1, nil }
		for name, round := range map[string]func(){
			"in place": func() { _, _ = Go(ctx, small).Join(ctx) },
			"queued":   func() { h := Go(ctx, small); Yield(ctx); _, _ = h.Join(ctx) },
			"dropped":  func() { Go(ctx, small); Yield(ctx) },
		} {
			if n := testing.AllocsPerRun(1000, round); n > 1 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
		return nil
	})
}

// TestDroppedHandle spawns and forgets: the task runs, nobody keeps its result
// alive, and Shutdown waits for it all the same.
func TestDroppedHandle(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	type result [1 << 10]byte
	var ran, freed atomic.Int32
	const n = 50
	ctx := rt.Enter(context.Background())
	for range n {
		Go(ctx, func(context.Context) (*result, error) {
			r := new(result)
			runtime.AddCleanup(r, func(int) { freed.Add(1) }, 0)
			ran.Add(1)
			return r, nil
		})
	}
	eventually(t, "all dropped tasks run", func() bool { return ran.Load() == n })
	// The last to run may still be named by the stack it ran on.
	eventually(t, "results are collected", func() bool { runtime.GC(); return freed.Load() >= n-2 })
	Go(ctx, func(ctx context.Context) (int, error) {
		for ctx.Err() == nil {
			Yield(ctx)
		}
		ran.Add(1)
		return 0, nil
	})
	eventually(t, "the last one is taken", func() bool { return rt.Stats().Injected == 0 })
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if ran.Load() != n+1 {
		t.Errorf("%d tasks ran before Shutdown returned, want %d", ran.Load(), n+1)
	}
}

// TestGoexitReachesEveryJoiner joins a child that calls Goexit from each kind of
// caller, with the child in place and not: tasks end, whatever they stand on;
// plain goroutines and marked regions get ErrGoexit.
func TestGoexitReachesEveryJoiner(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	die := func(ctx context.Context) (int, error) { runtime.Goexit(); return 0, nil }
	dieLater := func(ctx context.Context) (int, error) { Yield(ctx); runtime.Goexit(); return 0, nil }
	for name, child := range map[string]func(context.Context) (int, error){"at once": die, "after a yield": dieLater} {
		var passed atomic.Bool
		joiner := func(ctx context.Context) (int, error) {
			h := Go(ctx, child)
			if name != "at once" {
				Yield(ctx) // begun, so not in place
			}
			_, err := h.Join(ctx)
			passed.Store(true)
			return 0, err
		}
		for kind, opts := range map[string][]Option{"task": nil, "pinned task": {Pinned()}} {
			passed.Store(false)
			_, err := Go(rt.Enter(context.Background()), joiner, opts...).Join(context.Background())
			if !errors.Is(err, ErrGoexit) || passed.Load() {
				t.Errorf("%s, %s: %v, went on: %v", name, kind, err, passed.Load())
			}
		}
		passed.Store(false)
		done := make(chan struct{})
		returned := false
		go func() {
			defer close(done)
			_, _ = BlockOn(context.Background(), rt, joiner)
			returned = true
		}()
		<-done
		if passed.Load() || returned {
			t.Errorf("%s, in BlockOn: went on", name)
		}
		on(t, rt, func(ctx context.Context) error {
			h := Go(ctx, child)
			_, err := Block(ctx, func() (int, error) { return h.Join(ctx) })
			if !errors.Is(err, ErrGoexit) {
				t.Errorf("%s, in a region: %v", name, err)
			}
			return nil
		})
	}
}

// TestJoinGivesUp joins with contexts of every kind that end first: the task goes
// on, and a later join has its result.
func TestJoinGivesUp(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		var gate Waiter
		h := Go(ctx, func(context.Context) (int, error) { return 3, gate.Wait(context.Background()) })
		Yield(ctx)
		late, cancel := context.WithTimeout(ctx, time.Microsecond)
		defer cancel()
		if _, err := h.Join(late); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("past its deadline: %v", err)
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := h.Join(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("already over: %v", err)
		}
		impatient := Go(ctx, func(ctx context.Context) (int, error) { return h.Join(ctx) })
		Yield(ctx)
		impatient.Cancel()
		if _, err := impatient.Join(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled joiner: %v", err)
		}
		gate.Wake()
		if v, err := h.Join(ctx); v != 3 || err != nil {
			t.Errorf("the task: %d, %v", v, err)
		}
		return nil
	})
}

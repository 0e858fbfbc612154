package task

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// coroutines counts the stacks that exist, and those that wait to end.
func (rt *Runtime) coroutines() (all, leaving int) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	for s := rt.allStacks; s != nil; s = s.nextAll {
		if s.kind == kindCoroutine {
			all++
			if s.leaving.Load() {
				leaving++
			}
		}
	}
	return all, leaving
}

// bare reports whether no goroutine of the runtime is left.
func (rt *Runtime) bare() bool {
	all, _ := rt.coroutines()
	return rt.running.Load() == 0 && all == 0
}

// parkMany has n tasks wait at once and then end.
func parkMany(t testing.TB, rt *Runtime, n int) {
	t.Helper()
	on(t, rt, func(ctx context.Context) error {
		ws := make([]Waiter, n)
		hs := make([]*Handle[int], n)
		var begun atomic.Int32
		for i := range ws {
			hs[i] = Go(ctx, func(ctx context.Context) (int, error) {
				begun.Add(1)
				return 0, ws[i].Wait(ctx)
			})
		}
		for begun.Load() < int32(n) {
			Yield(ctx)
		}
		for i := range ws {
			ws[i].Wake()
		}
		for _, h := range hs {
			if _, err := h.Join(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestSparesAreTidied has a lane that holds resting stacks become a spare: they go
// all the same.
func TestSparesAreTidied(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, IdleExit: 2 * time.Millisecond})
	lent, indebted := make(chan struct{}), make(chan struct{})
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		_, err := Map(ctx, make([]int, 10), func(ctx context.Context, _ int) (int, error) {
			return 0, Sleep(ctx, time.Millisecond)
		})
		close(indebted)
		<-lent
		return 0, err
	})
	<-indebted
	lendBeside(rt)
	close(lent)
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	eventually(t, "the first lane is a spare", func() bool { return rt.free.len() == 1 && rt.spares.len() == 1 })
	if rt.lanes[0].debt.Load() {
		t.Error("the debt is not paid")
	}
	eventually(t, "nothing is left", rt.bare)
}

// TestIdleExit lets a runtime fall idle again and again: workers, monitor,
// coroutines and janitor all go, and come back with work.
func TestIdleExit(t *testing.T) {
	rt := start(t, Config{Parallelism: 3, IdleExit: 2 * time.Millisecond})
	for range 8 {
		parkMany(t, rt, 100)
		on(t, rt, func(ctx context.Context) error {
			_, err := Map(ctx, make([]int, 20), func(ctx context.Context, _ int) (int, error) {
				return Block(ctx, func() (int, error) { time.Sleep(time.Millisecond); return 0, nil })
			})
			return err
		})
		eventually(t, "nothing is left", rt.bare)
		if n := rt.Stats().Workers; n != 0 {
			t.Errorf("%d workers counted", n)
		}
	}
}

// TestExitMeetsWork spawns at the moment at which workers end, with hardly more
// ids than permits. No wake-up is lost.
func TestExitMeetsWork(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	const idle = 50 * time.Microsecond
	rt := start(t, Config{Parallelism: 2, MaxWorkers: 3, IdleExit: idle})
	var wg sync.WaitGroup
	for i := range 3 {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		wg.Go(func() {
			for range 500 {
				h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
					Yield(ctx)
					return 1, nil
				})
				if _, err := h.Join(context.Background()); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Duration(rng.Int64N(int64(6 * idle))))
			}
		})
	}
	wg.Wait()
	eventually(t, "nothing is left", rt.bare)
}

// TestDefaultRests uses the default runtime and waits until it costs nothing.
func TestDefaultRests(t *testing.T) {
	h := Go(context.Background(), func(ctx context.Context) (int, error) { return 1, Sleep(ctx, time.Microsecond) })
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	eventually(t, "nothing of Default is left", Default().bare)
}

// TestStackPool parks far more tasks than the pool may keep.
func TestStackPool(t *testing.T) {
	for _, limit := range []int{1, 8, 100} {
		rt := start(t, Config{Parallelism: 2, StackPool: limit})
		for range 5 {
			parkMany(t, rt, 300)
			eventually(t, "all lanes are free", func() bool { return rt.free.len() == 2 })
			eventually(t, "no more stacks are kept than allowed", func() bool { // some end on goroutines of their own
				all, leaving := rt.coroutines()
				return all-leaving-rt.Stats().Workers <= limit
			})
		}
	}
}

// TestPoolShrinks parks many tasks once; later only the workers' stacks are left,
// and as many at most whose cell one of those, or a worker's own goroutine, occupies.
func TestPoolShrinks(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	parkMany(t, rt, 600)
	if made := rt.Stats().Stacks; made < 500 { // some may have ended since
		t.Fatalf("only %d stacks were made", made)
	}
	eventually(t, "the pool is empty", func() bool {
		all, leaving := rt.coroutines()
		return all-leaving <= rt.Stats().Workers && leaving <= 2*rt.Stats().Workers
	})
	eventually(t, "the janitor rests", func() bool { return !rt.janitor.armed.Load() })
}

func deep(n int) (sum int) {
	var pad [1 << 10]byte
	if n > 0 {
		sum = deep(n - 1)
	}
	for i := range pad {
		sum += int(pad[i])
	}
	return sum
}

// TestHugeStacksGo runs tasks that recurse deeply, and sees their stacks go with
// one collection, wherever the task ended.
func TestHugeStacksGo(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.StackInuse
	}
	before := inUse()
	for name, f := range map[string]func(context.Context) (int, error){
		"runs":        func(ctx context.Context) (int, error) { return deep(50_000), nil },
		"then yields": func(ctx context.Context) (int, error) { n := deep(50_000); Yield(ctx); return n, nil },
		"then sleeps": func(ctx context.Context) (int, error) { return deep(50_000), Sleep(ctx, time.Microsecond) },
	} {
		on(t, rt, func(ctx context.Context) error {
			other := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); Yield(ctx); return 0, nil })
			h := Go(ctx, f)
			Yield(ctx)
			_, _ = h.Join(ctx)
			_, err := other.Join(ctx)
			return err
		})
		eventually(t, "the stack of one that "+name+" is gone", func() bool { return inUse() < before+16<<20 })
	}
}

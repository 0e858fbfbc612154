package task

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// census counts who executes at a moment, and remembers the most.
type census struct{ now, most atomic.Int32 }

// work is code that holds a permit; others get every chance to run beside it.
func (c *census) work() {
	n := c.now.Add(1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	for range 3 {
		runtime.Gosched()
	}
	c.now.Add(-1)
}

// TestNeverMoreThanPermits loads a runtime with everything that hands permits on:
// regions that outlive the grace and regions that do not, waits, callers of
// BlockOn, pinned tasks. Between two of those at most P execute.
func TestNeverMoreThanPermits(t *testing.T) {
	r := dice(t)
	for _, p := range []int{1, 2, 4} {
		cfg := patient(p)
		cfg.HandoffGrace = 20 * time.Microsecond
		rt := start(t, cfg)
		var c census
		seed := r.Uint32()
		loop := func(ctx context.Context) (int, error) {
			for i := range rounds(200) {
				c.work()
				switch (uint32(i) + seed) % 5 {
				case 0:
					_, _ = Block(ctx, func() (int, error) { return 0, nil })
				case 1:
					_, _ = Block(ctx, func() (int, error) { time.Sleep(50 * time.Microsecond); return 0, nil })
				case 2:
					Yield(ctx)
				case 3:
					_ = Sleep(ctx, 10*time.Microsecond)
				case 4:
					_, _ = Go(ctx, func(context.Context) (int, error) { c.work(); return 0, nil }).Join(ctx)
				}
				c.work()
			}
			return 0, nil
		}
		ctx := rt.Enter(context.Background())
		var hs []*Handle[int]
		for i := range 12 {
			if i%4 == 0 {
				hs = append(hs, Go(ctx, loop, Pinned()))
			} else {
				hs = append(hs, Go(ctx, loop))
			}
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := BlockOn(context.Background(), rt, loop); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, h := range hs {
			if _, err := h.Join(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if n := c.most.Load(); int(n) > p {
			t.Errorf("%d ran at once under %d permits", n, p)
		}
	}
}

// TestReturnersInOrder queues callers and stacks for the only permit, one after the
// other: they get it in that order.
func TestReturnersInOrder(t *testing.T) {
	rt := start(t, patient(1))
	ctx := rt.Enter(context.Background())
	const n = 20
	var mu sync.Mutex // the permit orders the tasks, but not for the race detector
	var order []int
	note := func(i int) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, i)
	}
	var hs []*Handle[int]
	var gates [n]chan struct{}
	for i := 1; i < n; i += 2 { // stacks that will return from regions
		gates[i] = make(chan struct{})
		inside := make(chan struct{})
		hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
			_, err := Block(ctx, func() (int, error) { close(inside); <-gates[i]; return 0, nil })
			note(i)
			return 0, err
		}))
		<-inside
	}
	eventually(t, "all regions have given the permit up", func() bool { return rt.Stats().Running == 0 })
	release := occupy(t, rt)
	var wg sync.WaitGroup
	for i := range n {
		if i%2 == 1 {
			close(gates[i])
		} else {
			wg.Go(func() {
				_, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) {
					note(i)
					return 0, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		eventually(t, "the next one queues", func() bool { return rt.Stats().Returning == i+1 })
	}
	release()
	wg.Wait()
	for _, h := range hs {
		if _, err := h.Join(context.Background()); err != nil {
			t.Error(err)
		}
	}
	for i := range order {
		if order[i] != i {
			t.Fatalf("order %v", order)
		}
	}
}

// TestFreshTasksBesideReturners keeps the only permit busy with 60 tasks that loop
// over short work and regions: a fresh task, a task that yields and a caller that
// yields all go on.
func TestFreshTasksBesideReturners(t *testing.T) {
	cfg := patient(1)
	cfg.HandoffGrace = time.Microsecond
	rt := start(t, cfg)
	ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
	defer cancel()
	var loops []*Handle[int]
	var turns atomic.Int64
	for range 60 {
		loops = append(loops, Go(ctx, func(ctx context.Context) (int, error) {
			for ctx.Err() == nil {
				turns.Add(1)
				_, _ = Block(ctx, func() (int, error) { runtime.Gosched(); return 0, nil })
			}
			return 0, nil
		}))
	}
	eventually(t, "the loops are under way", func() bool { return turns.Load() > 1000 })
	yields := func(ctx context.Context) (int, error) {
		for range 5 {
			Yield(ctx)
		}
		return 1, nil
	}
	calm := rt.Enter(context.Background())
	for _, opts := range [][]Option{nil, {Pinned()}} {
		if v, err := Go(calm, yields, opts...).Join(context.Background()); v != 1 || err != nil {
			t.Errorf("pinned %v: %d, %v", opts != nil, v, err)
		}
	}
	if v, err := BlockOn(context.Background(), rt, yields); v != 1 || err != nil {
		t.Errorf("BlockOn: %d, %v", v, err)
	}
	cancel()
	for _, h := range loops {
		_, _ = h.Join(context.Background())
	}
}

// TestWorkersStayBelowTheCap counts workers by their hooks while 200 tasks block.
func TestWorkersStayBelowTheCap(t *testing.T) {
	const limit = 6
	var now, most atomic.Int32
	cfg := patient(2)
	cfg.MaxWorkers = limit
	cfg.HandoffGrace = time.Microsecond
	cfg.Hooks.WorkerStart = func(int) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
	}
	cfg.Hooks.WorkerStop = func(int) { now.Add(-1) }
	rt, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var inside, mostInside atomic.Int32
	_, err = Map(rt.Enter(context.Background()), make([]int, 200), func(ctx context.Context, _ int) (int, error) {
		return Block(ctx, func() (int, error) {
			n := inside.Add(1)
			for m := mostInside.Load(); n > m && !mostInside.CompareAndSwap(m, n); m = mostInside.Load() {
			}
			time.Sleep(200 * time.Microsecond)
			inside.Add(-1)
			return 0, nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if most.Load() > limit || mostInside.Load() > limit || now.Load() != 0 {
		t.Errorf("%d workers, %d regions at once, at most %d allowed; %d are left", most.Load(), mostInside.Load(), limit, now.Load())
	}
}

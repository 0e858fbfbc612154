package task

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// Scale: what a million tasks weigh, and that more of them do not cost more each.
// Memory is what the collector finds in use, heap and stacks, so that these are
// neither timings nor dependent on when it last ran.

const million = 1_000_000

// atScale skips a test that is too much for short runs, and for race builds, in
// which everything has a goroutine and those weigh more.
func atScale(t *testing.T) {
	t.Helper()
	if testing.Short() || !inPlace {
		t.Skip("takes seconds and a lot of memory")
	}
	if runtime.GOARCH == "wasm" {
		t.Skip("does not fit into a 32-bit memory")
	}
}

// inUse is the memory that is alive, in bytes.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// weigh fails the test if what happened since before takes more than limit bytes.
func weigh(t *testing.T, what string, before, limit int64) {
	t.Helper()
	used := inUse() - before
	t.Logf("%s: %d MB, %d bytes each", what, used/1e6, used/million)
	if used > limit {
		t.Errorf("%s take %d MB, more than %d MB", what, used/1e6, limit/1e6)
	}
}

func TestScaleWaitingPolls(t *testing.T) {
	atScale(t)
	rt := start(t, Config{Parallelism: 2})
	defer debug.FreeOSMemory()
	poll := func(ctx context.Context, _ Waker) (bool, error) { return false, ctx.Err() }
	hs := make([]*Handle[struct{}], million)
	before := inUse()
	root := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		for i := range hs {
			hs[i] = GoPoll(ctx, poll)
		}
		var w Waiter
		return 0, w.Wait(ctx)
	})
	last := 0
	inTime(t, 2*time.Minute, "all wait", func() bool {
		for last < len(hs) && root.task.token.Load() == tokenParked && hs[last].task.waits() {
			last++
		}
		return last == len(hs)
	})
	weigh(t, "1,000,000 waiting poll tasks", before, 200e6)
	root.Cancel()
	for _, h := range hs {
		if _, err := h.Join(context.Background()); err != context.Canceled {
			t.Fatal(err)
		}
	}
}

func TestScaleParkedStacks(t *testing.T) {
	atScale(t)
	rt := start(t, Config{Parallelism: 2, StallAfter: -1})
	defer debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection looks at every stack
	var parked atomic.Int32
	wait := func(ctx context.Context) (int, error) {
		parked.Add(1)
		var w Waiter
		return 0, w.Wait(ctx)
	}
	hs := make([]*Handle[int], million)
	before := inUse()
	root := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		for i := range hs {
			hs[i] = Go(ctx, wait)
		}
		return wait(ctx)
	})
	inTime(t, 2*time.Minute, "all wait", func() bool { return parked.Load() == million+1 && rt.Stats().Running == 0 })
	weigh(t, "1,000,000 parked stacks", before, 3.2e9)
	root.Cancel()
	for _, h := range hs {
		if _, err := h.Join(context.Background()); err != context.Canceled {
			t.Fatal(err)
		}
	}
}

func TestScaleQueued(t *testing.T) {
	atScale(t)
	rt := start(t, Config{Parallelism: 1, StallAfter: -1})
	defer debug.FreeOSMemory()
	on(t, rt, func(ctx context.Context) error {
		hs := make([]*Handle[int], million)
		before := inUse()
		for i := range hs {
			hs[i] = Go(ctx, empty)
		}
		weigh(t, "1,000,000 queued tasks", before, 200e6)
		for _, h := range hs {
			if _, err := h.Join(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestScaleSpawnIsFlat counts what one spawn and join allocates when ten are under
// way and when a million are.
func TestScaleSpawnIsFlat(t *testing.T) {
	atScale(t)
	rt := start(t, Config{Parallelism: 1, StallAfter: -1})
	defer debug.FreeOSMemory()
	on(t, rt, func(ctx context.Context) error {
		for _, n := range []int{10, 1000, 100_000, million} {
			hs := make([]*Handle[int], n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for i := range hs {
				hs[i] = Go(ctx, empty)
			}
			for _, h := range hs {
				if _, err := h.Join(ctx); err != nil {
					return err
				}
			}
			runtime.ReadMemStats(&after)
			each := float64(after.Mallocs-before.Mallocs) / float64(n)
			t.Logf("%d: %.3f allocations each", n, each)
			if each > 1+20/float64(n)+0.01 {
				t.Errorf("%d tasks: %.3f allocations each", n, each)
			}
		}
		return nil
	})
}

// TestScaleRegions has ten thousand tasks inside marked regions, or on their way,
// at a time, and fewer workers than that.
func TestScaleRegions(t *testing.T) {
	atScale(t)
	const tasks, workers = 10_000, 512
	rt := start(t, Config{Parallelism: 2, MaxWorkers: workers})
	var inside, most, begun atomic.Int32
	full := make(chan struct{})
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for range tasks {
			s.Go(func(ctx context.Context) error {
				_, err := Block(ctx, func() (int, error) {
					n := inside.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					if begun.Add(1) == workers {
						close(full)
					}
					<-full // the first ones hold all workers at once
					inside.Add(-1)
					return 0, nil
				})
				if n := rt.Stats().Workers; n > workers {
					t.Errorf("%d workers", n)
				}
				return err
			})
		}
		return nil
	})
	if err != nil || begun.Load() != tasks {
		t.Errorf("%v, %d regions", err, begun.Load())
	}
	if m := most.Load(); m != workers {
		t.Errorf("at most %d regions at a time", m)
	}
}

// BenchmarkSpawnFlat spawns n tasks and joins them: the time of one must not
// depend on n, but for what the processor's caches make of it.
func BenchmarkSpawnFlat(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000, million} {
		b.Run(fmt.Sprint("weft/", n), func(b *testing.B) {
			inRuntime(b, 1, func(ctx context.Context) {
				hs := make([]*Handle[int], n)
				for left := b.N; left > 0; left -= n {
					hs := hs[:min(n, left)]
					for i := range hs {
						hs[i] = Go(ctx, empty)
					}
					for _, h := range hs {
						_, _ = h.Join(ctx)
					}
				}
			})
		})
	}
}

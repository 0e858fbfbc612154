package task

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/sy"
)

// stillEnv is the real world with a clock that only the test moves, which counts
// who reads it, and with timers that never come: the monitor looks when a test says.
type stillEnv struct {
	sy.Real
	now, reads atomic.Int64
}

func (e *stillEnv) Now() int64 { e.reads.Add(1); return e.now.Load() }

func (e *stillEnv) Timer(time.Duration, func()) (stop func() bool) {
	return func() bool { return true }
}

// region is a task in a marked region, until end is called.
func region(t *testing.T, rt *Runtime) (end func()) {
	t.Helper()
	begun, gate := make(chan struct{}), make(chan struct{})
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { close(begun); <-gate; return 0, nil })
	})
	<-begun
	return func() {
		close(gate)
		if _, err := h.Join(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// queue spawns n tasks and returns how many have run.
func queue(rt *Runtime, n int) (ran *atomic.Int32) {
	ran = new(atomic.Int32)
	for range n {
		Go(rt.Enter(context.Background()), func(context.Context) (int, error) { ran.Add(1); return 0, nil })
	}
	return ran
}

// TestGrace: a region keeps its permit for the grace and not a moment longer; one
// look at the lanes takes the permits of all that are mature, and as many tasks run.
func TestGrace(t *testing.T) {
	const p = 4
	env := &stillEnv{}
	rt := start(t, Config{Parallelism: p, StallAfter: -1, Env: env})
	var ends []func()
	for range p {
		ends = append(ends, region(t, rt))
	}
	gate := make(chan struct{})
	var running atomic.Int32
	for range p {
		Go(rt.Enter(context.Background()), func(context.Context) (int, error) { running.Add(1); <-gate; return 0, nil })
	}
	env.now.Add(int64(99 * time.Microsecond))
	if wait := rt.monitor.scan(); wait != int64(time.Microsecond) || rt.free.any() || running.Load() != 0 {
		t.Errorf("before the grace: next look in %d ns, permit free: %v, running: %d", wait, rt.free.any(), running.Load())
	}
	env.now.Add(int64(time.Microsecond))
	if wait := rt.monitor.scan(); wait != 0 {
		t.Errorf("a region is left for %d ns", wait)
	}
	eventually(t, "a replacement for each permit of one look", func() bool { return running.Load() == p })
	close(gate)
	for _, end := range ends {
		end()
	}
}

// TestReleaseAtEntry: a worker whose last region was long gives its permit up when
// it enters one, if work is queued and not otherwise.
func TestReleaseAtEntry(t *testing.T) {
	for _, queued := range []bool{false, true} {
		env := &stillEnv{}
		rt := start(t, Config{Parallelism: 1, StallAfter: -1, Env: env, MaxWorkers: 2})
		end := region(t, rt) // by the only worker: a long one
		env.now.Add(int64(time.Millisecond))
		rt.monitor.scan()
		end()
		early := rt.lanes[0].stats.early.Load()
		on(t, rt, func(ctx context.Context) error {
			if queued {
				Go(ctx, empty)
			}
			_, err := Block(ctx, func() (int, error) { return 0, nil })
			return err
		})
		if gave := rt.lanes[0].stats.early.Load() > early; gave != queued {
			t.Errorf("work queued: %v; permit given up at entry: %v", queued, gave)
		}
	}
}

// TestIdleHandoff: with nothing queued a mature permit is freed, and nobody is
// started or woken for it until something is queued.
func TestIdleHandoff(t *testing.T) {
	env := &stillEnv{}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Env: env})
	end := region(t, rt)
	env.now.Add(int64(time.Millisecond))
	rt.monitor.scan()
	if s := rt.Stats(); !rt.free.any() || s.Workers != 1 || rt.counts.replaced.Load() != 0 {
		t.Errorf("permit free: %v, workers %d, replaced %d", rt.free.any(), s.Workers, rt.counts.replaced.Load())
	}
	ran := queue(rt, 1)
	eventually(t, "what was queued later", func() bool { return ran.Load() == 1 })
	end()
}

// TestOneClockRead: a region that ends within the grace reads the clock once, at
// the entry of the outermost.
func TestOneClockRead(t *testing.T) {
	env := &stillEnv{}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1, Env: env, MaxWorkers: 2})
	rt.monitor.asleep.Store(false) // nobody calls it
	on(t, rt, func(ctx context.Context) error {
		const n = 10
		before := env.reads.Load()
		for range n {
			Block(ctx, func() (int, error) {
				return Block(ctx, func() (int, error) { return 0, nil })
			})
		}
		if reads := env.reads.Load() - before; reads != n {
			t.Errorf("%d reads of the clock in %d regions", reads, n)
		}
		return nil
	})
}

// lendBeside lends a permit for that of lane 0, as monitor.lend does.
func lendBeside(rt *Runtime) {
	rt.lanes[0].debt.Store(true)
	rt.loans.Add(1)
	rt.free.set(rt.spares.take())
}

// TestDebtIsPaid: who comes back from a stall for which a permit was lent does not
// run beside the loan for long, whatever it does.
func TestDebtIsPaid(t *testing.T) {
	for name, op := range map[string]func(ctx context.Context){
		"Checkpoint": Checkpoint,
		"Block":      func(ctx context.Context) { Block(ctx, func() (int, error) { return 0, nil }) },
		"Go":         func(ctx context.Context) { Go(ctx, empty) },
		"Yield":      Yield,
	} {
		for _, opts := range [][]Option{nil, {Pinned()}} {
			interval := 4
			if name == "Block" || name == "Yield" {
				interval = 1 << 20 // they look by themselves
			}
			rt := start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1, CheckpointInterval: interval})
			indebted, gate := make(chan struct{}), make(chan struct{})
			h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
				for range checkpointsOfGuest() {
					Checkpoint(ctx) // the first one looks
				}
				close(indebted)
				<-gate
				for range 8 * checkpointsOfGuest() {
					op(ctx)
				}
				if rt.lanes[0].debt.Load() {
					t.Errorf("%s: the debt is not paid", name)
				}
				return 0, nil
			}, opts...)
			<-indebted
			lendBeside(rt)
			ran := queue(rt, 1)
			eventually(t, "work on the permit that was lent", func() bool { return ran.Load() == 1 })
			close(gate)
			if _, err := h.Join(context.Background()); err != nil {
				t.Error(err)
			}
			eventually(t, "all permits at rest", func() bool { return rt.free.len() == 1 && rt.spares.len() == 1 })
		}
	}
}

// TestNoLoanForTheRunning: a machine that was suspended finds every task without
// progress for hours. None that does execute is taken for blocked.
func TestNoLoanForTheRunning(t *testing.T) {
	if oneThread {
		t.Skip("nothing looks while the task runs")
	}
	env := &stillEnv{}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1, Env: env})
	var begun, stop atomic.Bool
	h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		for begun.Store(true); !stop.Load(); {
		}
		return 0, nil
	})
	eventually(t, "the task runs", begun.Load)
	ran := queue(rt, 1)
	for range 5 {
		env.now.Add(int64(time.Hour))
		rt.monitor.lookForStalls()
	}
	if rt.stalls.Load() != 1 || rt.loans.Load() != 0 || ran.Load() != 0 {
		t.Errorf("stalls %d, loans %d, run beside it %d", rt.stalls.Load(), rt.loans.Load(), ran.Load())
	}
	stop.Store(true)
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestStallsInLargePrograms: where a dump would take too long a stall is reported
// all the same, without a trace.
func TestStallsInLargePrograms(t *testing.T) {
	if oneThread || guests {
		t.Skip("nothing looks while the task runs, or so many goroutines are too many")
	}
	env := &stillEnv{}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1, Env: env})
	release := make(chan struct{})
	var others sync.WaitGroup
	for range dumpMaxCount {
		others.Go(func() { <-release })
	}
	begun := make(chan struct{})
	h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		close(begun)
		<-release
		return 0, nil
	})
	<-begun
	for range 5 {
		env.now.Add(int64(time.Hour))
		rt.monitor.lookForStalls()
	}
	if n := rt.Stats().Stalls; n != 1 {
		t.Errorf("%d stalls reported", n)
	}
	close(release)
	others.Wait()
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
}

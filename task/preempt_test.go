package task

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/sy"
)

// stepEnv is the real world with a clock that moves on a millisecond each time
// somebody looks at it, so that time is a count of looks.
type stepEnv struct{ tickEnv }

func (e *stepEnv) Now() int64 { return e.now.Add(int64(time.Millisecond)) }

var _ sy.Env = (*stepEnv)(nil)

// checkpointsOfGuest is how many checkpoints count for one; see guest.go.
func checkpointsOfGuest() int {
	if guests {
		return 16
	}
	return 1
}

// TestOperationsPreempt loops over one operation at a time on the only permit. The
// loop never waits, yet another task gets on within the time slice.
func TestOperationsPreempt(t *testing.T) {
	const interval, slice = 8, 10
	out := context.Background()
	nothing := func(context.Context) error { return nil }
	for name, op := range map[string]func(ctx context.Context, rt *Runtime, s *Scope){
		"Checkpoint":      func(ctx context.Context, _ *Runtime, _ *Scope) { Checkpoint(ctx) },
		"Go":              func(ctx context.Context, _ *Runtime, _ *Scope) { Go(ctx, empty) },
		"Go with options": func(ctx context.Context, _ *Runtime, _ *Scope) { Go(ctx, empty, Name("x"), Priority(Low)) },
		"Go pinned":       func(ctx context.Context, _ *Runtime, _ *Scope) { Go(ctx, empty, Pinned()) },
		"Join in place":   func(ctx context.Context, _ *Runtime, _ *Scope) { _, _ = Go(ctx, empty).Join(ctx) },
		"Scope.Go":        func(_ context.Context, _ *Runtime, s *Scope) { s.Go(nothing) },
		"Run":             func(ctx context.Context, _ *Runtime, _ *Scope) { _ = Run(ctx, func(*Scope) error { return nil }) },
		"Map": func(ctx context.Context, _ *Runtime, _ *Scope) {
			_, _ = Map(ctx, []int(nil), func(context.Context, int) (int, error) { return 0, nil })
		},
		"Sleep for nothing": func(ctx context.Context, _ *Runtime, _ *Scope) { _ = Sleep(ctx, 0) },
		"Wake and Wait": func(ctx context.Context, _ *Runtime, _ *Scope) {
			var w Waiter
			w.Wake()
			_ = w.Wait(ctx)
		},
		"Block": func(ctx context.Context, _ *Runtime, _ *Scope) {
			_, _ = Block(ctx, func() (int, error) { return 0, nil })
		},
		"BlockOn": func(ctx context.Context, rt *Runtime, _ *Scope) { _, _ = BlockOn(out, rt, empty) },
	} {
		t.Run(name, func(t *testing.T) {
			rt := start(t, Config{
				Parallelism: 1, StallAfter: -1, HandoffGrace: time.Hour, Env: &stepEnv{},
				Timeslice: slice * time.Millisecond, CheckpointInterval: interval,
			})
			on(t, rt, func(ctx context.Context) error {
				return Run(ctx, func(s *Scope) error {
					var ran atomic.Bool
					Go(ctx, func(context.Context) (int, error) { ran.Store(true); return 0, nil })
					// Two looks begin the slice, and the clock makes a step at each look.
					most := interval * (slice + 4) * checkpointsOfGuest()
					for n := 0; !ran.Load(); n++ {
						if n > most {
							t.Errorf("nobody else ran during %d operations", n)
							break
						}
						op(ctx, rt, s)
					}
					return nil
				}, Limit(1))
			})
		})
	}
}

// TestTryJoinPreempts polls a task that needs the poller's permit.
func TestTryJoinPreempts(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Env: &stepEnv{}})
	on(t, rt, func(ctx context.Context) error {
		h := Go(ctx, empty)
		for n := 0; ; n++ {
			if _, done, err := h.TryJoin(); done {
				return err
			}
			if n > 128*15*checkpointsOfGuest() {
				t.Errorf("not done after %d polls", n)
				return nil
			}
		}
	})
}

// TestWakeCounts wakes without end: Wake itself never yields, since it is called
// under locks, but the next operation does.
func TestWakeCounts(t *testing.T) {
	if guests {
		t.Skip("in race builds checkpoints are counted twice, by the guest first")
	}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Env: &stepEnv{}, Timeslice: time.Millisecond, CheckpointInterval: 100})
	on(t, rt, func(ctx context.Context) error {
		var ran atomic.Bool
		Go(ctx, func(context.Context) (int, error) { ran.Store(true); return 0, nil })
		Checkpoint(ctx) // begins the slice
		var w Waiter
		for range 3 {
			for range 200 {
				w.Wake()
			}
			if ran.Load() {
				break
			}
			Checkpoint(ctx)
		}
		if !ran.Load() {
			t.Error("wakes did not count")
		}
		return nil
	})
}

// TestLowStartsBesideReturners keeps 60 tasks looping over short work and marked
// regions that lose their permit: a fresh Low task starts all the same.
func TestLowStartsBesideReturners(t *testing.T) {
	for _, class := range []Class{Low, Normal} {
		rt := start(t, Config{Parallelism: 1, HandoffGrace: time.Microsecond})
		ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
		var loops []*Handle[int]
		var turning Waiter
		for i := range 60 {
			loops = append(loops, Go(ctx, func(ctx context.Context) (int, error) {
				for n := 0; ctx.Err() == nil; n++ {
					if i == 0 && n == 3 {
						turning.Wake()
					}
					_, _ = Block(ctx, func() (int, error) { time.Sleep(time.Microsecond); return 0, nil })
				}
				return 0, nil
			}, Priority(Class(i%2))))
		}
		_ = turning.Wait(context.Background())
		h := Go(rt.Enter(context.Background()), empty, Priority(class))
		if _, err := h.Join(context.Background()); err != nil {
			t.Error(err)
		}
		cancel()
		for _, h := range loops {
			_, _ = h.Join(context.Background())
		}
	}
}

// TestWaitBeginsASlice computes for most of a slice, lets another go first, and
// does it again: the second time must not be taken for the rest of the first.
func TestWaitBeginsASlice(t *testing.T) {
	const slice = 20
	rt := start(t, Config{
		Parallelism: 1, StallAfter: -1, Env: &stepEnv{},
		Timeslice: slice * time.Millisecond, CheckpointInterval: 1,
	})
	on(t, rt, func(ctx context.Context) error {
		for turn := range 3 {
			var ran atomic.Bool
			h := Go(ctx, func(context.Context) (int, error) { ran.Store(true); return 0, nil })
			for n := range slice * 3 / 4 * checkpointsOfGuest() {
				Checkpoint(ctx)
				if ran.Load() {
					t.Fatalf("turn %d: preempted after %d looks at the clock", turn, n)
				}
			}
			Yield(ctx)
			if _, err := h.Join(ctx); err != nil || !ran.Load() {
				t.Errorf("turn %d: did not run: %v", turn, err)
			}
		}
		return nil
	})
}

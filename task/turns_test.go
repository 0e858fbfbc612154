package task

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// TestBusyWorkerGivesTurns keeps the only worker busy with tasks that go on and on
// in each way they can, while an ordinary goroutine and a timer have something to
// do. Where one thread is all there is, they get it only from the worker.
func TestBusyWorkerGivesTurns(t *testing.T) {
	step := func(context.Context) (int, error) { return 1, nil }
	loop := func(op func(ctx context.Context)) func(context.Context, func() bool) {
		return func(ctx context.Context, on func() bool) {
			for on() {
				op(ctx)
			}
		}
	}
	ways := map[string]func(ctx context.Context, on func() bool){
		"yield":      loop(Yield),
		"checkpoint": loop(Checkpoint),
		"spawn and join": loop(func(ctx context.Context) {
			_, _ = Go(ctx, step).Join(ctx)
		}),
		"regions": loop(func(ctx context.Context) {
			_, _ = Block(ctx, func() (int, error) { return 1, nil })
		}),
		"two that yield": func(ctx context.Context, on func() bool) {
			other := Go(ctx, func(ctx context.Context) (int, error) {
				for on() {
					Yield(ctx)
				}
				return 0, nil
			})
			for on() {
				Yield(ctx)
			}
			_, _ = other.Join(ctx)
		},
		"poll": func(ctx context.Context, on func() bool) {
			_, _ = GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
				w.Wake()
				return !on(), nil
			}).Join(ctx)
		},
	}
	for name, way := range ways {
		for _, slice := range []time.Duration{0, -1} {
			rt := start(t, Config{Parallelism: 1, Timeslice: slice})
			on(t, rt, func(ctx context.Context) error {
				var goroutine, timer atomic.Bool
				go goroutine.Store(true)
				time.AfterFunc(time.Millisecond, func() { timer.Store(true) })
				deadline := time.Now().Add(20 * time.Second)
				way(ctx, func() bool {
					return !(goroutine.Load() && timer.Load()) && time.Now().Before(deadline)
				})
				if !goroutine.Load() || !timer.Load() {
					t.Errorf("%s, slice %v: the goroutine ran: %v, the timer: %v", name, slice, goroutine.Load(), timer.Load())
				}
				return nil
			})
		}
	}
}

package task

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestBlockOn(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	other := start(t, Config{Parallelism: 1, Name: "other"})
	var nest func(ctx context.Context, n int) (int, error)
	nest = func(ctx context.Context, n int) (int, error) {
		if n == 0 {
			return 1, nil
		}
		h := Go(ctx, func(ctx context.Context) (int, error) {
			return BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) { return nest(ctx, n-1) })
		})
		Yield(ctx)
		return h.Join(ctx)
	}
	v, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) { return nest(ctx, 20) })
	if v != 1 || err != nil {
		t.Errorf("nested: %d, %v", v, err)
	}
	on(t, rt, func(ctx context.Context) error {
		_, err := Block(ctx, func() (int, error) {
			return BlockOn(ctx, rt, func(context.Context) (int, error) { return 0, nil })
		})
		if !errors.Is(err, ErrInBlockingRegion) {
			t.Errorf("in a region: %v", err)
		}
		v, err := BlockOn(ctx, other, func(octx context.Context) (int, error) {
			if got, _ := FromContext(octx); got != other {
				t.Error("the other runtime's function has this one's context")
			}
			return Go(octx, func(ctx context.Context) (int, error) { return 2, nil }).Join(octx)
		})
		if v != 2 || err != nil {
			t.Errorf("another runtime: %d, %v", v, err)
		}
		return nil
	})
	var pe *PanicError
	if _, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { panic(1) }); !errors.As(err, &pe) {
		t.Errorf("panic: %v", err)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			v, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) {
				Yield(ctx)
				_ = Sleep(ctx, 10*time.Microsecond)
				return Go(ctx, func(ctx context.Context) (int, error) { return 1, nil }).Join(ctx)
			})
			if v != 1 || err != nil {
				t.Errorf("many callers: %d, %v", v, err)
			}
		})
	}
	wg.Wait()
}

func TestMaxWorkers(t *testing.T) {
	const limit = 4
	rt := start(t, Config{Parallelism: 2, MaxWorkers: limit})
	on(t, rt, func(ctx context.Context) error {
		_, err := Map(ctx, make([]int, 200), func(ctx context.Context, _ int) (int, error) {
			return Block(ctx, func() (int, error) { time.Sleep(200 * time.Microsecond); return 0, nil })
		})
		return err
	})
	if n := rt.Stats().Workers; n > limit {
		t.Errorf("%d workers, at most %d allowed", n, limit)
	}
}

// TestCallersNeedNoWorker blocks every worker in regions until borrowed callers
// have taken turns with the one permit: they must get it without a worker's help.
func TestCallersNeedNoWorker(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, MaxWorkers: 2})
	on(t, rt, func(ctx context.Context) error {
		var wg sync.WaitGroup
		gate := make(chan struct{})
		for range 6 {
			wg.Go(func() {
				<-gate
				_, err := BlockOn(ctx, rt, func(ctx context.Context) (int, error) {
					for range 10 {
						Yield(ctx)
						if err := Sleep(ctx, time.Microsecond); err != nil {
							return 0, err
						}
					}
					return 0, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		var inside atomic.Int32
		_, err := Map(ctx, make([]int, 2), func(ctx context.Context, _ int) (int, error) {
			return Block(ctx, func() (int, error) {
				if inside.Add(1) == 2 {
					close(gate)
				}
				wg.Wait()
				return 0, nil
			})
		})
		return err
	})
}

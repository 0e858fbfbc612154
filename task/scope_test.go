package task

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestScopes(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	cause := errors.New("first")
	var after atomic.Int32
	err := Run(ctx, func(s *Scope) error {
		for i := range 50 {
			s.Go(func(ctx context.Context) error {
				if i == 5 {
					return cause
				}
				after.Add(1)
				return nil
			})
		}
		return nil
	}, Limit(1))
	if !errors.Is(err, cause) || after.Load() != 5 {
		t.Errorf("first error: %v after %d", err, after.Load())
	}
	out, err := Map(ctx, []int{1, 2, 3}, func(ctx context.Context, v int) (int, error) {
		return Map1(ctx, v)
	}, Limit(2))
	if err != nil || out[0] != 2 || out[2] != 6 {
		t.Errorf("map: %v, %v", out, err)
	}
	func() {
		defer func() {
			if v := recover(); v != "fn" {
				t.Errorf("recovered %v", v)
			}
		}()
		_ = Run(ctx, func(s *Scope) error {
			s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Hour) })
			panic("fn")
		})
	}()
}

// Map1 doubles v by way of a nested scope.
func Map1(ctx context.Context, v int) (int, error) {
	out, err := Map(ctx, []int{v, v}, func(ctx context.Context, v int) (int, error) { Yield(ctx); return v, nil })
	return out[0] + out[1], err
}

func TestHandleDoneAndManyJoiners(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	var gate Waiter
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return 9, gate.Wait(ctx) })
	var wg, impatient sync.WaitGroup
	for i := range 10 {
		if i%3 == 0 {
			impatient.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
				defer cancel()
				if _, err := h.Join(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("impatient joiner: %v", err)
				}
			})
			continue
		}
		wg.Go(func() {
			if i%3 == 1 {
				<-h.Done()
			}
			if v, err := h.Join(context.Background()); v != 9 || err != nil {
				t.Errorf("joiner: %d, %v", v, err)
			}
		})
	}
	if _, done, _ := h.TryJoin(); done {
		t.Error("done before its time")
	}
	impatient.Wait()
	gate.Wake()
	wg.Wait()
	if v, done, err := h.TryJoin(); v != 9 || !done || err != nil {
		t.Errorf("TryJoin: %d, %v, %v", v, done, err)
	}
}

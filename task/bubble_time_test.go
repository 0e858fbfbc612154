//go:build !weftsim

package task

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs body inside a bubble, with a runtime whose end it may bring about.
func inBubble(t *testing.T, cfg Config, body func(t *testing.T, rt *Runtime, ctx context.Context)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rt, err := Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		body(t, rt, rt.Enter(context.Background()))
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// took checks that exactly d of the bubble's time have passed since begin.
func took(t *testing.T, what string, begin time.Time, d time.Duration) {
	t.Helper()
	if passed := time.Since(begin); passed != d {
		t.Errorf("%s: took %v instead of %v", what, passed, d)
	}
}

// TestPollDeadline has a state machine wait for its deadline: it is polled when it
// begins and when the deadline has come.
func TestPollDeadline(t *testing.T) {
	for _, opts := range [][]Option{nil, {Pinned()}} {
		inBubble(t, Config{Parallelism: 1}, func(t *testing.T, _ *Runtime, ctx context.Context) {
			begin := time.Now()
			out, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			h, _, polls := waiting(t, out, opts...)
			if _, err := h.Join(context.Background()); err != context.DeadlineExceeded || polls.Load() != 2 {
				t.Errorf("pinned %v: %v after %d polls", opts != nil, err, polls.Load())
			}
			took(t, "a deadline", begin, time.Minute)
		})
	}
}

// TestBubbleTime measures waits to the nanosecond: in a bubble time passes only
// when all wait.
func TestBubbleTime(t *testing.T) {
	inBubble(t, Config{Parallelism: 1}, func(t *testing.T, rt *Runtime, ctx context.Context) {
		begin := time.Now()
		v, err := BlockOn(ctx, rt, func(ctx context.Context) (int, error) {
			hs := make([]*Handle[int], 5)
			for i := range hs {
				hs[i] = Go(ctx, func(ctx context.Context) (int, error) { return 1, Sleep(ctx, time.Duration(i)*time.Hour) })
			}
			sum := 0
			for _, h := range hs {
				v, err := h.Join(ctx)
				if err != nil {
					return 0, err
				}
				sum += v
			}
			return sum, nil
		})
		if v != 5 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
		took(t, "sleeping tasks", begin, 4*time.Hour)

		begin = time.Now()
		deadline, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		err = Run(deadline, func(s *Scope) error {
			for range 3 {
				s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Hour) })
			}
			return nil
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a scope past its deadline: %v", err)
		}
		took(t, "a scope with a deadline", begin, time.Minute)

		begin = time.Now()
		polls := 0
		_, err = GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
			polls++
			time.AfterFunc(time.Minute, w.Wake)
			return polls == 4, nil
		}).Join(ctx)
		if err != nil || polls != 4 {
			t.Errorf("%d polls, %v", polls, err)
		}
		took(t, "a state machine with timers", begin, 3*time.Minute)
	})
}

// TestBubbleWait lets synctest.Wait tell when the tasks have all come to rest.
func TestBubbleWait(t *testing.T) {
	inBubble(t, Config{Parallelism: 2, ProfileLabels: true}, func(t *testing.T, rt *Runtime, ctx context.Context) {
		var w Waiter
		steps := 0
		h := Go(ctx, func(ctx context.Context) (int, error) {
			for range 3 {
				if err := w.Wait(ctx); err != nil {
					return 0, err
				}
				steps++
			}
			return steps, nil
		})
		for i := range 3 {
			synctest.Wait()
			if steps != i {
				t.Errorf("%d steps after %d wakes", steps, i)
			}
			w.Wake()
		}
		if v, err := h.Join(ctx); v != 3 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
	})
}

// TestBubbleShutdown lets a Shutdown's deadline pass in a bubble, with tasks that
// ignore their cancellation, wait, and block in a region.
func TestBubbleShutdown(t *testing.T) {
	inBubble(t, Config{Parallelism: 1}, func(t *testing.T, rt *Runtime, ctx context.Context) {
		var w Waiter
		unwound := false
		Go(ctx, func(context.Context) (int, error) {
			defer func() { unwound = true }()
			for {
				_ = w.Wait(context.Background())
			}
		}, Name("deaf"))
		Go(ctx, func(ctx context.Context) (int, error) {
			return Block(ctx, func() (int, error) { time.Sleep(time.Hour); return 0, nil })
		}, Name("blocking"))
		synctest.Wait()
		begin := time.Now()
		end, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var late *StragglersError
		if err := rt.Shutdown(end); !errors.As(err, &late) {
			t.Errorf("shutdown: %v", err)
		} else if len(late.Tasks) != 2 || late.Tasks[0].State != "unwound" || late.Tasks[1].State != "blocking" {
			t.Errorf("late are %v", late.Tasks)
		}
		if d := time.Since(begin); !unwound || d < time.Minute || d > time.Minute+2*time.Second {
			t.Errorf("unwound %v, after %v", unwound, d)
		}
		// The Shutdown that follows waits for the region.
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if d := time.Since(begin); d < time.Hour-time.Second {
			t.Errorf("the region was left after %v", d)
		}
	})
}

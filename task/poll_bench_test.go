package task

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// yielder returns a poll function that yields n times.
func yielder(n int) func(context.Context, Waker) (bool, error) {
	return func(_ context.Context, w Waker) (bool, error) {
		if n--; n < 0 {
			return true, nil
		}
		w.Wake()
		return false, nil
	}
}

func BenchmarkPollYield(b *testing.B) {
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				hs := make([]*Handle[struct{}], yielders)
				for i := range hs {
					hs[i] = GoPoll(ctx, yielder(b.N/yielders))
				}
				for _, h := range hs {
					_, _ = h.Join(ctx)
				}
			})
		})
	}
	b.Run("go", goYield)
}

// side is where one of two state machines takes the balls that the other gives.
type side struct {
	balls atomic.Int32
	waker atomic.Pointer[Waker]
}

func (s *side) give() {
	s.balls.Add(1)
	if w := s.waker.Load(); w != nil {
		w.Wake()
	}
}

// player returns n balls from one side to the other. It leaves its Waker before
// it looks for a ball, since who gives looks for the Waker afterwards.
func player(n int, from, to *side) func(context.Context, Waker) (bool, error) {
	return func(_ context.Context, w Waker) (bool, error) {
		if from.waker.Load() == nil {
			kept := w
			from.waker.Store(&kept)
		}
		for n > 0 && from.balls.Load() > 0 {
			from.balls.Add(-1)
			n--
			to.give()
		}
		return n == 0, nil
	}
}

func BenchmarkPollPingPong(b *testing.B) {
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				var ping, pong side
				h := GoPoll(ctx, player(b.N, &ping, &pong))
				k := GoPoll(ctx, player(b.N, &pong, &ping))
				ping.give()
				_, _ = h.Join(ctx)
				_, _ = k.Join(ctx)
			})
		})
	}
	b.Run("go", goPingPong)
}

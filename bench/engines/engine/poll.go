package engine

import (
	"context"
	"sync/atomic"

	"weft/task"
)

// weftPoll is weft with poll tasks where tasks do nothing but wait.
type weftPoll struct{ weft }

func newWeftPoll(parallelism, need int) Engine { return weftPoll{newWeft(parallelism, need).(weft)} }

func (weftPoll) Yields(ctx context.Context, n, each int) int64 {
	counts := make([]int64, n)
	hs := make([]*task.Handle[struct{}], 0, n)
	for i := range n {
		count := 0
		hs = append(hs, task.GoPoll(ctx, func(_ context.Context, w task.Waker) (bool, error) {
			if count == each {
				counts[i] = int64(count)
				return true, nil
			}
			count++
			w.Wake()
			return false, nil
		}))
	}
	for _, h := range hs {
		must(h.Join(ctx))
	}
	return total(counts)
}

// PingPong has two state machines: the first begins by spawning the second, the
// second by telling its waker. After that each acts when it is its turn.
func (weftPoll) PingPong(ctx context.Context, rounds int) int64 {
	const none, ofFirst, ofSecond = 0, 1, 2
	var turn atomic.Int32
	var count int64
	var first, second task.Waker
	answer := func(_ context.Context, w task.Waker) (bool, error) {
		switch turn.Load() {
		case none:
			second = w
		case ofSecond:
			count++
		default:
			return false, nil
		}
		over := count == 2*int64(rounds)
		turn.Store(ofFirst)
		first.Wake()
		return over, nil
	}
	ask := func(ctx context.Context, w task.Waker) (bool, error) {
		switch {
		case first == task.Waker{}:
			first = w
			task.GoPoll(ctx, answer)
			return false, nil
		case turn.Load() != ofFirst:
			return false, nil
		case count == 2*int64(rounds):
			return true, nil
		}
		count++
		turn.Store(ofSecond)
		second.Wake()
		return false, nil
	}
	must(task.GoPoll(ctx, ask).Join(ctx))
	return count
}

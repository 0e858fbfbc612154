package engine

import (
	"context"
)

// channel embeds waitGroup for yields only.
type channel struct{ waitGroup }

func newChannel(_, _ int) Engine { return channel{} }

func (channel) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	results := make([]chan int64, 0, n)
	for i := range n {
		c := make(chan int64, 1)
		go func() { c <- f(ctx, i) }()
		results = append(results, c)
	}
	sum := int64(0)
	for _, c := range results {
		sum += <-c
	}
	return sum
}

func (channel) Catch(ctx context.Context, n int, trace bool, f func(context.Context, int) int64) int64 {
	results := make([]chan outcome, 0, n)
	for i := range n {
		c := make(chan outcome, 1)
		go func() { c <- attempt(ctx, i, trace, f) }()
		results = append(results, c)
	}
	sum := int64(0)
	for _, c := range results {
		sum += (<-c).value()
	}
	return sum
}

func (e channel) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	c := make(chan int64, 1)
	go func() { c <- e.Chain(ctx, depth-1) }()
	return <-c + 1
}

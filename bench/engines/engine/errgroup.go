package engine

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// group embeds waitGroup for yields only.
type group struct{ waitGroup }

func newErrgroup(_, _ int) Engine { return group{} }

func (group) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	results := make([]int64, n)
	var g errgroup.Group
	for i := range n {
		g.Go(func() error {
			results[i] = f(ctx, i)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return total(results)
}

func (group) Catch(ctx context.Context, n int, trace bool, f func(context.Context, int) int64) int64 {
	results := make([]outcome, n)
	var g errgroup.Group
	for i := range n {
		g.Go(func() error {
			results[i] = attempt(ctx, i, trace, f)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return totalOutcomes(results)
}

func (e group) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	var n int64
	var g errgroup.Group
	g.Go(func() error {
		n = e.Chain(ctx, depth-1)
		return nil
	})
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return n + 1
}

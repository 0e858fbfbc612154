package engine

import (
	"context"
	"sync"

	"github.com/panjf2000/ants/v2"
)

// antsPool embeds waitGroup for yields only.
type antsPool struct {
	waitGroup
	pool *ants.Pool
}

func newAnts(parallelism, need int) Engine {
	return antsPool{pool: must(ants.NewPool(max(parallelism, need)))}
}

func (e antsPool) Close() { e.pool.Release() }

func (e antsPool) submit(fn func()) {
	if err := e.pool.Submit(fn); err != nil {
		panic(err)
	}
}

func (e antsPool) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	results := make([]int64, n)
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		e.submit(func() {
			results[i] = f(ctx, i)
			wg.Done()
		})
	}
	wg.Wait()
	return total(results)
}

// Catch recovers in the task: the pool's own handler does not know whose panic
// it is, and lets the worker go.
func (e antsPool) Catch(ctx context.Context, n int, trace bool, f func(context.Context, int) int64) int64 {
	results := make([]outcome, n)
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		e.submit(func() {
			results[i] = attempt(ctx, i, trace, f)
			wg.Done()
		})
	}
	wg.Wait()
	return totalOutcomes(results)
}

func (e antsPool) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	var n int64
	var wg sync.WaitGroup
	wg.Add(1)
	e.submit(func() {
		n = e.Chain(ctx, depth-1)
		wg.Done()
	})
	wg.Wait()
	return n + 1
}

package engine

import (
	"context"
	"runtime"
	"sync"
)

type waitGroup struct{ bare }

func newWaitGroup(_, _ int) Engine { return waitGroup{} }

func (waitGroup) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	results := make([]int64, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { results[i] = f(ctx, i) })
	}
	wg.Wait()
	return total(results)
}

func (waitGroup) Catch(ctx context.Context, n int, trace bool, f func(context.Context, int) int64) int64 {
	results := make([]outcome, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { results[i] = attempt(ctx, i, trace, f) })
	}
	wg.Wait()
	return totalOutcomes(results)
}

func (e waitGroup) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	var n int64
	var wg sync.WaitGroup
	wg.Go(func() { n = e.Chain(ctx, depth-1) })
	wg.Wait()
	return n + 1
}

func (waitGroup) Yields(_ context.Context, n, each int) int64 {
	counts := make([]int64, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			count := int64(0)
			for range each {
				runtime.Gosched()
				count++
			}
			counts[i] = count
		})
	}
	wg.Wait()
	return total(counts)
}

func total(results []int64) (sum int64) {
	for _, r := range results {
		sum += r
	}
	return sum
}

func totalOutcomes(results []outcome) (sum int64) {
	for _, r := range results {
		sum += r.value()
	}
	return sum
}

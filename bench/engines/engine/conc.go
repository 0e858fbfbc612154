package engine

import (
	"context"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/panics"
	"github.com/sourcegraph/conc/pool"
)

// concPool embeds waitGroup for yields only.
type concPool struct {
	waitGroup
	size int
}

func newConc(parallelism, need int) Engine { return concPool{size: max(parallelism, need)} }

// Batch makes a pool a batch, as its users do: waiting ends it.
func (e concPool) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	p := pool.NewWithResults[int64]().WithMaxGoroutines(e.size)
	for i := range n {
		p.Go(func() int64 { return f(ctx, i) })
	}
	return total(p.Wait())
}

// Catch recovers by the package's own Try, which always keeps the stack: a pool
// keeps the first panic only.
func (e concPool) Catch(ctx context.Context, n int, _ bool, f func(context.Context, int) int64) int64 {
	p := pool.NewWithResults[int64]().WithMaxGoroutines(e.size)
	for i := range n {
		p.Go(func() (v int64) {
			if caught := panics.Try(func() { v = f(ctx, i) }); caught != nil {
				return int64(caught.Value.(Boom))
			}
			return v
		})
	}
	return total(p.Wait())
}

func (e concPool) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	var n int64
	var wg conc.WaitGroup
	wg.Go(func() { n = e.Chain(ctx, depth-1) })
	wg.Wait()
	return n + 1
}

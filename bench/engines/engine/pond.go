package engine

import (
	"context"
	"errors"

	"github.com/alitto/pond/v2"
)

// pondPool embeds waitGroup for yields only.
type pondPool struct {
	waitGroup
	pool pond.ResultPool[int64]
}

func newPond(parallelism, need int) Engine {
	return pondPool{pool: pond.NewResultPool[int64](max(parallelism, need))}
}

func (e pondPool) Close() { e.pool.StopAndWait() }

func (e pondPool) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	tasks := make([]pond.ResultTask[int64], 0, n)
	for i := range n {
		tasks = append(tasks, e.pool.Submit(func() int64 { return f(ctx, i) }))
	}
	sum := int64(0)
	for _, t := range tasks {
		sum += must(t.Wait())
	}
	return sum
}

// Catch uses the pool's own recovery, which always keeps the stack.
func (e pondPool) Catch(ctx context.Context, n int, _ bool, f func(context.Context, int) int64) int64 {
	tasks := make([]pond.ResultTask[int64], 0, n)
	for i := range n {
		tasks = append(tasks, e.pool.Submit(func() int64 { return f(ctx, i) }))
	}
	sum := int64(0)
	for _, t := range tasks {
		v, err := t.Wait()
		if boom, ok := errors.AsType[Boom](err); ok {
			v = int64(boom)
		}
		sum += v
	}
	return sum
}

func (e pondPool) Chain(ctx context.Context, depth int) int64 {
	if depth == 0 {
		return 0
	}
	return must(e.pool.Submit(func() int64 { return e.Chain(ctx, depth-1) }).Wait()) + 1
}

package engine

import (
	"context"
	"errors"

	"weft/flow"
	"weft/task"
)

type weft struct{ rt *task.Runtime }

func newWeft(parallelism, _ int) Engine {
	rt, err := task.Start(task.Config{Parallelism: parallelism})
	if err != nil {
		panic(err)
	}
	return weft{rt}
}

func (e weft) Close() {
	if err := e.rt.Shutdown(context.Background()); err != nil {
		panic(err)
	}
}

func (e weft) Main(fn func(ctx context.Context)) {
	h := task.Go(e.rt.Enter(context.Background()), func(ctx context.Context) (struct{}, error) {
		fn(ctx)
		return struct{}{}, nil
	})
	must(h.Join(context.Background()))
}

// must returns v: no task of a workload fails unless it is meant to.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (weft) Batch(ctx context.Context, n int, f func(context.Context, int) int64) int64 {
	hs := make([]*task.Handle[int64], 0, n)
	for i := range n {
		hs = append(hs, task.Go(ctx, func(ctx context.Context) (int64, error) { return f(ctx, i), nil }))
	}
	sum := int64(0)
	for _, h := range hs {
		sum += must(h.Join(ctx))
	}
	return sum
}

// Catch ignores trace: a *task.PanicError always has one.
func (weft) Catch(ctx context.Context, n int, _ bool, f func(context.Context, int) int64) int64 {
	hs := make([]*task.Handle[int64], 0, n)
	for i := range n {
		hs = append(hs, task.Go(ctx, func(ctx context.Context) (int64, error) { return f(ctx, i), nil }))
	}
	sum := int64(0)
	for _, h := range hs {
		v, err := h.Join(ctx)
		if caught, ok := errors.AsType[*task.PanicError](err); ok {
			v = int64(caught.Value.(Boom))
		}
		sum += v
	}
	return sum
}

func (e weft) Chain(ctx context.Context, depth int) int64 { return must(e.chain(ctx, depth)) }

func (e weft) chain(ctx context.Context, depth int) (int64, error) {
	if depth == 0 {
		return 0, nil
	}
	n, err := task.Go(ctx, func(ctx context.Context) (int64, error) { return e.chain(ctx, depth-1) }).Join(ctx)
	return n + 1, err
}

func (e weft) Yields(ctx context.Context, n, each int) int64 {
	return e.Batch(ctx, n, func(ctx context.Context, _ int) (count int64) {
		for range each {
			task.Yield(ctx)
			count++
		}
		return count
	})
}

func (weft) Yield(ctx context.Context) { task.Yield(ctx) }

func (weft) Block(ctx context.Context, f func() (int64, error)) (int64, error) {
	return task.Block(ctx, f)
}

func (weft) PingPong(ctx context.Context, rounds int) int64 {
	var ping, pong task.Waiter
	count := int64(0)
	h := task.Go(ctx, func(ctx context.Context) (struct{}, error) {
		for range rounds {
			if err := ping.Wait(ctx); err != nil {
				return struct{}{}, err
			}
			count++
			pong.Wake()
		}
		return struct{}{}, nil
	})
	for range rounds {
		ping.Wake()
		if err := pong.Wait(ctx); err != nil {
			panic(err)
		}
		count++
	}
	must(h.Join(ctx))
	return count
}

func (weft) Exchange(ctx context.Context, rounds int) int64 {
	var ping, pong flow.Queue[int64]
	h := task.Go(ctx, func(ctx context.Context) (struct{}, error) {
		for range rounds {
			n, err := ping.Recv(ctx)
			if err != nil {
				return struct{}{}, err
			}
			if err := pong.Send(n + 1); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	sum := int64(0)
	for i := range rounds {
		if err := ping.Send(int64(i)); err != nil {
			panic(err)
		}
		sum += must(pong.Recv(ctx))
	}
	must(h.Join(ctx))
	return sum
}

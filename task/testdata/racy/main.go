// racy runs one program with a data race between tasks, named by its first
// argument, under as many permits as the second says. Built with -race it must be
// told of the race, even where the tasks run one after the other.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"weft/task"
)

type handle = *task.Handle[int]

var (
	shared int
	rt     *task.Runtime
)

func spawn(ctx context.Context, f func(ctx context.Context)) handle {
	return task.Go(ctx, func(ctx context.Context) (int, error) { f(ctx); return 0, nil })
}

func join(ctx context.Context, hs ...handle) {
	for _, h := range hs {
		if _, err := h.Join(ctx); err != nil {
			panic(err)
		}
	}
}

func write(context.Context) { shared++ }

var cases = map[string]func(ctx context.Context){
	"siblings": func(ctx context.Context) { join(ctx, spawn(ctx, write), spawn(ctx, write)) },
	"later": func(ctx context.Context) {
		// The first has surely ended, but nobody has waited for it.
		a := spawn(ctx, write)
		task.Yield(ctx)
		_ = task.Sleep(ctx, time.Millisecond)
		b := spawn(ctx, write)
		join(ctx, a, b)
	},
	"yield": func(ctx context.Context) {
		f := func(ctx context.Context) {
			task.Yield(ctx)
			write(ctx)
			task.Yield(ctx)
		}
		join(ctx, spawn(ctx, f), spawn(ctx, f))
	},
	"map": func(ctx context.Context) {
		_, _ = task.Map(ctx, []int{1, 2}, func(ctx context.Context, _ int) (int, error) { write(ctx); return 0, nil })
	},
	"parked": func(ctx context.Context) {
		var w task.Waiter
		a := spawn(ctx, func(ctx context.Context) {
			_ = w.Wait(ctx)
			write(ctx)
		})
		b := spawn(ctx, func(ctx context.Context) {
			w.Wake()
			write(ctx) // after the wake: not ordered
		})
		join(ctx, a, b)
	},
	"sleep": func(ctx context.Context) {
		f := func(d time.Duration) func(context.Context) {
			return func(ctx context.Context) { _ = task.Sleep(ctx, d); write(ctx) }
		}
		join(ctx, spawn(ctx, f(time.Millisecond)), spawn(ctx, f(2*time.Millisecond)))
	},
	"child": func(ctx context.Context) {
		h := spawn(ctx, write)
		shared++
		join(ctx, h)
	},
	"err": func(ctx context.Context) {
		f := func(ctx context.Context) {
			if ctx.Err() == nil {
				write(ctx)
			}
			_ = ctx.Err()
		}
		join(ctx, spawn(ctx, f), spawn(ctx, f))
	},
	"block": func(ctx context.Context) {
		f := func(ctx context.Context) {
			_, _ = task.Block(ctx, func() (int, error) { write(ctx); return 0, nil })
		}
		join(ctx, spawn(ctx, f), spawn(ctx, f))
	},
	"poll": func(ctx context.Context) {
		f := func(ctx context.Context, w task.Waker) (bool, error) {
			write(ctx)
			return true, nil
		}
		_, _ = task.GoPoll(ctx, f).Join(ctx)
		a, b := task.GoPoll(ctx, f), task.GoPoll(ctx, f)
		_, _ = a.Join(ctx)
		_, _ = b.Join(ctx)
	},
	"polls": func(ctx context.Context) {
		f := func() func(context.Context, task.Waker) (bool, error) {
			n := 0
			return func(ctx context.Context, w task.Waker) (bool, error) {
				if n++; n < 3 {
					w.Wake()
					return false, nil
				}
				write(ctx)
				return true, nil
			}
		}
		a, b := task.GoPoll(ctx, f()), task.GoPoll(ctx, f())
		_, _ = a.Join(ctx)
		_, _ = b.Join(ctx)
	},
	"pinned": func(ctx context.Context) {
		f := func(ctx context.Context) (int, error) { write(ctx); return 0, nil }
		join(ctx, task.Go(ctx, f, task.Pinned()), task.Go(ctx, f, task.Pinned()))
	},
}

// plain are run by goroutines that are no tasks.
var plain = map[string]func(ctx context.Context){
	"callers": func(ctx context.Context) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				_, _ = task.BlockOn(ctx, rt, func(ctx context.Context) (int, error) { write(ctx); return 0, nil })
			})
		}
		wg.Wait()
	},
	"spawners": func(ctx context.Context) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				write(ctx)
				join(ctx, spawn(ctx, func(context.Context) {}))
			})
		}
		wg.Wait()
	},
	"roots": func(ctx context.Context) { join(ctx, spawn(ctx, write), spawn(ctx, write)) },
}

func main() {
	if len(os.Args) != 3 {
		for _, m := range []map[string]func(context.Context){cases, plain} {
			for name := range m {
				fmt.Println(name)
			}
		}
		return
	}
	p, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	if rt, err = task.Start(task.Config{Parallelism: p}); err != nil {
		panic(err)
	}
	ctx := rt.Enter(context.Background())
	if f := plain[os.Args[1]]; f != nil {
		f(ctx)
	} else {
		join(context.Background(), spawn(ctx, cases[os.Args[1]]))
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		panic(err)
	}
}

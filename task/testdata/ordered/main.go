// ordered runs programs whose tasks hand data on by everything that orders them,
// many times. Built with -race it must not be told of any race.
package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"weft/flow"
	"weft/task"
)

type handle = *task.Handle[int]

func spawn(ctx context.Context, f func(ctx context.Context), opts ...task.Option) handle {
	return task.Go(ctx, func(ctx context.Context) (int, error) { f(ctx); return 0, nil }, opts...)
}

func join(ctx context.Context, h handle) {
	if _, err := h.Join(ctx); err != nil && !errors.Is(err, context.Canceled) {
		var p *task.PanicError
		if errors.As(err, &p) {
			os.Stderr.Write(p.Stack)
		}
		panic(err)
	}
}

// box is what the tasks hand on, written and read without any lock.
type box struct{ v int }

func check(b *box, want int) {
	if b.v != want {
		panic("got " + strconv.Itoa(b.v))
	}
	b.v++
}

var cases = map[string]func(ctx context.Context, rt *task.Runtime){
	"spawn and join": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		check(b, 0)
		join(ctx, spawn(ctx, func(ctx context.Context) {
			check(b, 1)
			join(ctx, spawn(ctx, func(context.Context) { check(b, 2) }))
			check(b, 3)
		}))
		check(b, 4)
	},
	"result": func(ctx context.Context, rt *task.Runtime) {
		h := task.Go(ctx, func(ctx context.Context) (*box, error) {
			task.Yield(ctx)
			return &box{7}, errors.New("with the value")
		})
		b, err := h.Join(ctx)
		check(b, 7)
		_ = err.Error()
	},
	"try": func(ctx context.Context, rt *task.Runtime) {
		h := task.Go(ctx, func(context.Context) (*box, error) { return &box{7}, nil })
		for {
			if b, done, _ := h.TryJoin(); done {
				check(b, 7)
				return
			}
			task.Yield(ctx)
		}
	},
	"done": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		h := spawn(ctx, func(ctx context.Context) { task.Yield(ctx); check(b, 0) })
		_, _ = task.Block(ctx, func() (int, error) { <-h.Done(); return 0, nil })
		check(b, 1)
	},
	"two joiners": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		h := spawn(ctx, func(ctx context.Context) { task.Yield(ctx); check(b, 0) })
		look := func(ctx context.Context) {
			join(ctx, h)
			if b.v != 1 {
				panic("not written")
			}
		}
		x, y := spawn(ctx, look), spawn(ctx, look)
		join(ctx, x)
		join(ctx, y)
	},
	"wake": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		var w, back task.Waiter
		h := spawn(ctx, func(ctx context.Context) {
			_ = w.Wait(ctx)
			check(b, 1)
			back.Wake()
		})
		check(b, 0)
		w.Wake()
		for !back.TryWait() {
			task.Yield(ctx)
		}
		check(b, 2)
		join(ctx, h)
	},
	"queue": func(ctx context.Context, rt *task.Runtime) {
		var q flow.Queue[*box]
		h := spawn(ctx, func(ctx context.Context) {
			for i := range 3 {
				_ = q.Send(&box{i})
			}
			q.Close()
		})
		for i := 0; ; i++ {
			b, err := q.Recv(ctx)
			if err != nil {
				break
			}
			check(b, i)
		}
		join(ctx, h)
	},
	"scope": func(ctx context.Context, rt *task.Runtime) {
		bs := make([]box, 4)
		var failed *box
		err := task.Run(ctx, func(s *task.Scope) error {
			for i := range bs {
				s.Go(func(ctx context.Context) error {
					task.Yield(ctx)
					check(&bs[i], 0)
					if i == 3 {
						failed = &box{i}
						return errors.New("last")
					}
					return nil
				})
			}
			return nil
		}, task.AllErrors())
		for i := range bs {
			check(&bs[i], 1)
		}
		check(failed, 3)
		_ = err.Error()
	},
	"map": func(ctx context.Context, rt *task.Runtime) {
		in := []*box{{0}, {1}, {2}}
		out, err := task.Map(ctx, in, func(ctx context.Context, b *box) (*box, error) {
			check(b, b.v)
			return &box{b.v}, nil
		})
		if err != nil {
			panic(err)
		}
		for i := range out {
			check(in[i], i+1)
			check(out[i], i+1)
		}
	},
	"one at a time": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		_ = task.Run(ctx, func(s *task.Scope) error {
			for i := range 4 {
				s.Go(func(ctx context.Context) error { task.Yield(ctx); check(b, i); return nil })
			}
			return nil
		}, task.Limit(1))
		check(b, 4)
	},
	"first error": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		_ = task.Run(ctx, func(s *task.Scope) error {
			s.Go(func(ctx context.Context) error {
				for ctx.Err() == nil {
					task.Yield(ctx)
				}
				check(b, 1)
				return nil
			})
			s.Go(func(context.Context) error { check(b, 0); return errors.New("stop") })
			return nil
		})
		check(b, b.v) // the first may not have begun
	},
	"cancel and err": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		h := spawn(ctx, func(ctx context.Context) {
			for ctx.Err() == nil {
				task.Yield(ctx)
			}
			check(b, 1)
		})
		task.Yield(ctx)
		check(b, 0)
		h.Cancel()
		if _, err := h.Join(ctx); err == nil {
			check(b, 2) // it had begun
		}
	},
	"cancel and done": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		h := spawn(ctx, func(ctx context.Context) {
			_, _ = task.Block(ctx, func() (int, error) { <-ctx.Done(); return 0, nil })
			check(b, 1)
		})
		task.Yield(ctx)
		check(b, 0)
		h.Canceler().Cancel()
		if _, err := h.Join(ctx); err == nil {
			check(b, 2)
		}
	},
	"cancel and wait": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		outer, cancel := context.WithCancelCause(context.WithValue(ctx, b, 1))
		h := spawn(outer, func(ctx context.Context) {
			var w task.Waiter
			_ = w.Wait(ctx)
			check(b, 1)
		})
		task.Yield(ctx)
		check(b, 0)
		cancel(errors.New("cause"))
		if _, err := h.Join(ctx); err == nil {
			check(b, 2)
		}
	},
	"deadline": func(ctx context.Context, rt *task.Runtime) {
		short, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
		defer cancel()
		if _, err := spawn(short, func(context.Context) {}).Join(ctx); err == nil || err.Error() == "" {
			panic("it ran")
		}
	},
	"after": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		called := make(chan int)
		h := spawn(ctx, func(ctx context.Context) {
			b.v = 1
			context.AfterFunc(ctx, func() { check(b, 1); close(called) })
			_, _ = task.Block(ctx, func() (int, error) { <-called; return 0, nil })
			check(b, 2)
		})
		task.Yield(ctx)
		h.Cancel()
		if _, err := h.Join(ctx); err == nil {
			check(b, 3)
		}
	},
	"derived": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		h := spawn(ctx, func(ctx context.Context) {
			inner, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			stop := context.AfterFunc(inner, func() {})
			_ = inner.Value(b)
			stop()
			_ = task.Sleep(inner, time.Microsecond)
			check(b, 0)
		})
		join(ctx, h)
		check(b, 1)
	},
	"block": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		_, _ = task.Block(ctx, func() (int, error) { check(b, 0); return 0, nil })
		check(b, 1)
	},
	"sleep": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		check(b, 0)
		_ = task.Sleep(ctx, 10*time.Microsecond)
		check(b, 1)
		task.Yield(ctx)
		task.Checkpoint(ctx)
		check(b, 2)
	},
	"direct": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		v, err := task.BlockOn(ctx, rt, func(ctx context.Context) (*box, error) { check(b, 0); return &box{5}, errors.New("x") })
		check(b, 1)
		check(v, 5)
		_ = err.Error()
	},
	"other runtime": func(ctx context.Context, rt *task.Runtime) {
		other, err := task.Start(task.Config{Parallelism: 1})
		if err != nil {
			panic(err)
		}
		b := &box{}
		v, err := task.BlockOn(ctx, other, func(ctx context.Context) (*box, error) {
			check(b, 0)
			join(ctx, spawn(ctx, func(context.Context) { check(b, 1) }))
			return &box{3}, nil
		})
		check(b, 2)
		check(v, 3)
		if err != nil || other.Shutdown(ctx) != nil {
			panic("shutdown")
		}
	},
	"shutdown": func(ctx context.Context, rt *task.Runtime) {
		other, err := task.Start(task.Config{Parallelism: 2})
		if err != nil {
			panic(err)
		}
		b := &box{}
		spawn(other.Enter(context.Background()), func(context.Context) { check(b, 0) })
		if err := other.Shutdown(ctx); err != nil {
			panic(err)
		}
		if b.v != 0 { // it ran
			check(b, 1)
		}
	},
	"panic and goexit": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		_, err := spawn(ctx, func(ctx context.Context) { check(b, 0); task.Yield(ctx); panic("p") }).Join(ctx)
		check(b, 1)
		var p *task.PanicError
		if !errors.As(err, &p) || len(p.Stack) == 0 {
			panic(err)
		}
		h := spawn(ctx, func(ctx context.Context) { defer check(b, 2); runtime.Goexit() })
		_, _ = task.Block(ctx, func() (int, error) { <-h.Done(); return 0, nil })
		_, _, err = h.TryJoin()
		check(b, 3)
		if !errors.Is(err, task.ErrGoexit) {
			panic(err)
		}
	},
	"polls": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		var keep task.Waker
		var kept task.Waiter
		n := 0
		h := task.GoPoll(ctx, func(ctx context.Context, w task.Waker) (bool, error) {
			switch n++; n {
			case 1:
				w.Wake()
			case 2:
				keep = w
				kept.Wake()
			default:
				if b.v == 0 {
					return false, nil // not woken yet: another poll follows
				}
				check(b, 1)
				return true, nil
			}
			return false, nil
		})
		_ = kept.Wait(ctx)
		check(b, 0)
		keep.Wake()
		_, _ = h.Join(ctx)
		check(b, 2)
	},
	"pinned and named": func(ctx context.Context, rt *task.Runtime) {
		b := &box{}
		join(ctx, spawn(ctx, func(ctx context.Context) { check(b, 0); task.Yield(ctx); check(b, 1) }, task.Pinned(), task.Name("n")))
		check(b, 2)
	},
	"foreign goroutines": func(ctx context.Context, rt *task.Runtime) {
		bs := make([]box, 3)
		var wg sync.WaitGroup
		for i := range bs {
			wg.Go(func() {
				check(&bs[i], 0)
				task.Yield(ctx)
				_ = task.Sleep(ctx, time.Microsecond)
				join(ctx, spawn(ctx, func(context.Context) { check(&bs[i], 1) }))
				check(&bs[i], 2)
			})
		}
		_, _ = task.Block(ctx, func() (int, error) { wg.Wait(); return 0, nil })
		for i := range bs {
			check(&bs[i], 3)
		}
	},
}

func main() {
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, p := range []int{1, 2, 4} {
		rt, err := task.Start(task.Config{Parallelism: p})
		if err != nil {
			panic(err)
		}
		ctx := rt.Enter(context.Background())
		for range rounds {
			var all []handle
			for _, f := range cases {
				all = append(all, spawn(ctx, func(ctx context.Context) { f(ctx, rt) }))
				b := &box{}
				_, _ = task.BlockOn(ctx, rt, func(context.Context) (int, error) { check(b, 0); return 0, nil })
				check(b, 1)
			}
			for _, h := range all {
				join(context.Background(), h)
			}
		}
		if err := rt.Shutdown(context.Background()); err != nil {
			panic(err)
		}
	}
}

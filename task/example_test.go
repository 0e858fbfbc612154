package task_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"weft/task"
)

func Example() {
	rt, err := task.Start(task.Config{Parallelism: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Shutdown(context.Background())
	ctx := rt.Enter(context.Background())

	h := task.Go(ctx, func(ctx context.Context) (int, error) {
		half := task.Go(ctx, func(context.Context) (int, error) { return 21, nil })
		v, err := half.Join(ctx)
		return 2 * v, err
	})
	fmt.Println(h.Join(context.Background()))
	// Output: 42 <nil>
}

func ExampleRuntime_Enter() {
	background, _ := task.Start(task.Config{Name: "background", Parallelism: 1})
	defer background.Shutdown(context.Background())

	ctx := background.Enter(context.Background())
	name := task.Go(ctx, func(ctx context.Context) (bool, error) {
		rt, _ := task.FromContext(ctx)
		return rt == background, nil
	})
	fmt.Println(name.Join(ctx))
	// Output: true <nil>
}

func ExampleBlockOn() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	// On this very goroutine, under the one permit; Join gives it up meanwhile.
	v, err := task.BlockOn(context.Background(), rt, func(ctx context.Context) (string, error) {
		return task.Go(ctx, func(context.Context) (string, error) { return "done", nil }).Join(ctx)
	})
	fmt.Println(v, err)
	// Output: done <nil>
}

func ExampleHandle_Cancel() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		return 0, task.Sleep(ctx, time.Hour)
	})
	stop := h.Canceler() // the right to cancel alone; may outlive the task
	stop.Cancel()
	_, err := h.Join(context.Background())
	fmt.Println(errors.Is(err, context.Canceled))
	// Output: true
}

func ExampleHooks() {
	var started, ended atomic.Int32
	rt, _ := task.Start(task.Config{Parallelism: 1, Hooks: task.Hooks{
		TaskStart: func(context.Context, string) { started.Add(1) },
		TaskEnd:   func(context.Context, string) { ended.Add(1) },
	}})
	ctx := rt.Enter(context.Background())
	task.Go(ctx, func(context.Context) (int, error) { return 0, nil }, task.Name("hello"))
	err := rt.Shutdown(context.Background()) // cancels, waits for it, joins the workers
	fmt.Println(started.Load() == ended.Load(), err)
	// Output: true <nil>
}

func ExampleRuntime_Shutdown() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	begun := make(chan struct{})
	task.Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		defer fmt.Println("deferred calls run")
		close(begun)
		var never task.Waiter
		return 0, never.Wait(context.Background()) // deaf to its own context
	}, task.Name("deaf"))
	<-begun

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	var late *task.StragglersError
	if errors.As(rt.Shutdown(ctx), &late) {
		fmt.Println(late.Tasks[0].Name, late.Tasks[0].State)
	}
	// Output:
	// deferred calls run
	// deaf unwound
}

func ExampleBlock() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	answer := make(chan string)
	err := task.Run(rt.Enter(context.Background()), func(s *task.Scope) error {
		s.Go(func(ctx context.Context) error {
			// Without Block this task would keep the only permit while it waits.
			v, err := task.Block(ctx, func() (string, error) { return <-answer, nil })
			fmt.Println(v)
			return err
		})
		s.Go(func(ctx context.Context) error {
			answer <- "the other task ran"
			return nil
		})
		return nil
	})
	fmt.Println(err)
	// Output:
	// the other task ran
	// <nil>
}

func ExampleCheckpoint() {
	rt, _ := task.Start(task.Config{Parallelism: 1, Timeslice: time.Millisecond})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		other := task.Go(ctx, func(context.Context) (int, error) { return 1, nil })
		for loops := 0; ; loops++ {
			task.Checkpoint(ctx) // lets other run once this one's time is up
			if v, done, err := other.TryJoin(); done {
				return v, err
			}
		}
	})
	fmt.Println(h.Join(context.Background()))
	// Output: 1 <nil>
}

func ExamplePriority() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (string, error) {
		var mu sync.Mutex
		var order []string
		note := func(name string) func(context.Context) (int, error) {
			return func(context.Context) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, name)
				return 0, nil
			}
		}
		low := task.Go(ctx, note("low"), task.Priority(task.Low))
		high := task.Go(ctx, note("high"), task.Priority(task.High))
		task.Yield(ctx)
		_, _ = high.Join(ctx)
		_, err := low.Join(ctx)
		return strings.Join(order, ", "), err
	})
	fmt.Println(h.Join(context.Background()))
	// Output: high, low <nil>
}

func ExamplePanicError() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		var list []int
		return list[3], nil
	})
	_, err := h.Join(context.Background())
	var p *task.PanicError
	fmt.Println(errors.As(err, &p), len(p.Stack) > 0)
	// Output: true true
}

func ExamplePinned() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		// The same thread before and after each wait; it ends with the task.
		task.Yield(ctx)
		return 1, nil
	}, task.Pinned())
	fmt.Println(h.Join(context.Background()))
	// Output: 1 <nil>
}

func ExampleErrGoexit() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		defer fmt.Println("deferred")
		runtime.Goexit() // as t.FailNow does
		return 0, nil
	})
	_, err := h.Join(context.Background())
	fmt.Println(errors.Is(err, task.ErrGoexit))
	// Output:
	// deferred
	// true
}

func ExampleRun() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	ctx, cancel := context.WithTimeout(rt.Enter(context.Background()), time.Minute)
	defer cancel()
	err := task.Run(ctx, func(s *task.Scope) error {
		for _, name := range []string{"a", "b", "c"} {
			s.Go(func(ctx context.Context) error {
				if name == "b" {
					return errors.New("b is missing")
				}
				return task.Sleep(ctx, time.Hour) // cancelled by b's error
			})
		}
		return nil
	})
	fmt.Println(err)
	// Output: b is missing
}

func ExampleMap() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	words := []string{"warp", "weft", "loom"}
	upper, err := task.Map(rt.Enter(context.Background()), words, func(_ context.Context, w string) (string, error) {
		return strings.ToUpper(w), nil
	}, task.Limit(2))
	fmt.Println(upper, err)
	// Output: [WARP WEFT LOOM] <nil>
}

func ExampleWaiter() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	var ready task.Waiter
	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		return 7, ready.Wait(ctx) // no permit is held here
	})
	ready.Wake() // from anywhere; a token that comes first is kept
	fmt.Println(h.Join(context.Background()))
	// Output: 7 <nil>
}

func ExampleRuntime_Stats() {
	rt, _ := task.Start(task.Config{Parallelism: 2})
	defer rt.Shutdown(context.Background())

	st := rt.Stats()
	fmt.Println(st.Parallelism, st.Running, st.Queued+st.Injected)
	// Output: 2 0 0
}

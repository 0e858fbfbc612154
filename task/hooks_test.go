package task

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestTaskHooks counts the hooks of tasks that end in each way there is: one
// start and one end for each that ran.
func TestTaskHooks(t *testing.T) {
	var starts, ends atomic.Int32
	rt, err := Start(Config{Parallelism: 1, Hooks: Hooks{
		TaskStart: func(context.Context, string) { starts.Add(1) },
		TaskEnd:   func(context.Context, string) { ends.Add(1) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := rt.Enter(context.Background())
	ways := map[string]func(context.Context) (int, error){
		"returns": func(context.Context) (int, error) { return 1, nil },
		"fails":   func(context.Context) (int, error) { return 0, errors.New("no") },
		"panics":  func(context.Context) (int, error) { panic("no") },
		"goexit":  func(context.Context) (int, error) { runtime.Goexit(); return 0, nil },
		"waits":   func(ctx context.Context) (int, error) { Yield(ctx); return 0, Sleep(ctx, 1) },
	}
	for name, fn := range ways {
		for _, opts := range [][]Option{nil, {Pinned()}} {
			starts.Store(0)
			ends.Store(0)
			h := Go(ctx, fn, opts...)
			<-h.Done()
			if s, e := starts.Load(), ends.Load(); s != 1 || e != 1 {
				t.Errorf("a task that %s (pinned %v): %d starts and %d ends", name, opts != nil, s, e)
			}
		}
	}
	// In place, on the joiner's stack.
	starts.Store(0)
	ends.Store(0)
	_, _ = Go(ctx, func(ctx context.Context) (int, error) { return Go(ctx, ways["goexit"]).Join(ctx) }).Join(ctx)
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s, e := starts.Load(), ends.Load(); s != 2 || e != 2 {
		t.Errorf("a child that ends its joiner too: %d starts and %d ends", s, e)
	}
}

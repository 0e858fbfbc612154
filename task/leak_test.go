package task

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// members are the goroutines, by the first word after "goroutine", that have the
// runtime on their stack or were started by it, tests aside.
func members() map[string]string {
	found := map[string]string{}
	for block := range bytes.SplitSeq(goroutineDump(), []byte("\n\n")) {
		if !bytes.Contains(block, []byte("weft/task.")) || bytes.Contains(block, []byte("testing.tRunner(")) {
			continue
		}
		if head := bytes.Fields(block); len(head) > 1 {
			found[string(head[1])] = string(block)
		}
	}
	return found
}

// TestNothingIsLeft runs programs that end their tasks in every way and looks, after
// each Shutdown that returned nil, for goroutines that were not there before.
func TestNothingIsLeft(t *testing.T) {
	type program func(rt *Runtime, ctx context.Context)
	wait := func(ctx context.Context) (int, error) { var w Waiter; return 0, w.Wait(ctx) }
	var begun atomic.Int32
	deaf := func(context.Context) (int, error) { begun.Add(1); var w Waiter; return 0, w.Wait(context.Background()) }
	each := func(n int, fn func(context.Context) (int, error), opts ...Option) program {
		return func(_ *Runtime, ctx context.Context) {
			var hs []*Handle[int]
			for range n {
				hs = append(hs, Go(ctx, fn, opts...))
			}
			for _, h := range hs {
				_, _ = h.Join(context.Background())
			}
		}
	}
	panics := func(ctx context.Context) (int, error) { Yield(ctx); panic("no") }
	goexit := func(ctx context.Context) (int, error) { Yield(ctx); runtime.Goexit(); return 0, nil }
	sleeps := func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Microsecond) }
	blocks := func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { time.Sleep(200 * time.Microsecond); return 0, nil })
	}
	programs := map[string]program{
		"nothing":           func(*Runtime, context.Context) {},
		"returns":           each(50, func(context.Context) (int, error) { return 1, nil }),
		"sleeps":            each(50, sleeps),
		"panics":            each(20, panics),
		"goexit":            each(20, goexit),
		"blocks":            each(20, blocks),
		"pinned":            each(5, sleeps, Pinned()),
		"pinned and panics": each(5, panics, Pinned()),
		"pinned and goexit": each(5, goexit, Pinned()),
		"locks its thread":  each(5, func(ctx context.Context) (int, error) { runtime.LockOSThread(); Yield(ctx); return 0, nil }),
		"goexit through joins": each(5, func(ctx context.Context) (int, error) {
			return Go(ctx, func(ctx context.Context) (int, error) { return Go(ctx, goexit).Join(ctx) }).Join(ctx)
		}),
		"huge stacks": each(3, func(ctx context.Context) (int, error) { Yield(ctx); return deepStack(2000), nil }),
		"machines": func(_ *Runtime, ctx context.Context) {
			_, _ = GoPoll(ctx, yielder(5)).Join(ctx)
			GoPoll(ctx, func(ctx context.Context, _ Waker) (bool, error) { return ctx.Err() != nil, nil })
		},
		"left to wait": func(_ *Runtime, ctx context.Context) { Go(ctx, wait); Go(ctx, wait, Pinned()) },
		"left queued": func(_ *Runtime, ctx context.Context) {
			for range 100 {
				Go(ctx, sleeps)
			}
		},
		"derived context": each(5, func(ctx context.Context) (int, error) {
			c, stop := context.WithCancel(ctx)
			defer stop()
			return 0, Sleep(c, time.Microsecond)
		}),
		"late AfterFunc": func(_ *Runtime, ctx context.Context) {
			h := Go(ctx, wait)
			h.Cancel()
			_, _ = h.Join(context.Background())
			context.AfterFunc(&h.task, func() {})
		},
		"callers": func(rt *Runtime, ctx context.Context) {
			var wg sync.WaitGroup
			for _, fn := range []func(context.Context) (int, error){sleeps, panics, goexit, blocks} {
				wg.Go(func() { _, _ = BlockOn(ctx, rt, fn) })
			}
			wg.Wait()
		},
		"doomed": func(rt *Runtime, ctx context.Context) {
			begun.Store(0)
			var hs []*Handle[int]
			for _, opts := range [][]Option{nil, nil, {Pinned()}} {
				hs = append(hs, Go(ctx, deaf, opts...))
			}
			eventually(t, "the deaf wait", func() bool {
				for _, h := range hs {
					if !h.task.waits() {
						return false
					}
				}
				return begun.Load() == 3
			})
			gone, cancel := context.WithCancel(ctx)
			cancel()
			var late *StragglersError
			if err := rt.Shutdown(gone); !errors.As(err, &late) || len(late.Tasks) != 3 {
				t.Errorf("doomed: %v", err)
			}
		},
		"hook panics": func(_ *Runtime, ctx context.Context) {
			_, _ = Go(ctx, wait, Name("bad hook")).Join(context.Background())
		},
		"other runtime": func(_ *Runtime, ctx context.Context) {
			other := start(t, Config{Parallelism: 1})
			_, _ = Go(ctx, func(ctx context.Context) (int, error) { return BlockOn(ctx, other, sleeps) }).Join(ctx)
			if err := other.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		},
	}
	for name, body := range programs {
		for _, p := range []int{1, 3} {
			before := members()
			cfg := Config{Parallelism: p, ProfileLabels: p == 3}
			if name == "hook panics" {
				cfg.Hooks.TaskStart = func(context.Context, string) { panic("hook") }
			}
			rt, err := Start(cfg)
			if err != nil {
				t.Fatal(err)
			}
			body(rt, rt.Enter(context.Background()))
			var pe *PanicError
			if err := rt.Shutdown(context.Background()); err != nil && !(name == "hook panics" && errors.As(err, &pe)) {
				t.Errorf("%s: shutdown: %v", name, err)
			}
			left := ""
			gone := func() bool { // those that end may still be seen for a moment
				left = ""
				for id, trace := range members() {
					if before[id] == "" {
						left = trace
					}
				}
				return left == ""
			}
			for deadline := time.Now().Add(5 * time.Second); !gone(); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%s with %d permits left a goroutine:\n%s", name, p, left)
				}
			}
		}
	}
}

// deepStack makes the stack grow by about 1 KB a level.
func deepStack(n int) int {
	var pad [1024]byte
	if n == 0 {
		return 0
	}
	pad[n%len(pad)] = 1
	return deepStack(n-1) + int(pad[n%len(pad)])
}

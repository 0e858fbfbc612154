package task

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
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

// everyHook calls f at each event, with the event's name.
func everyHook(f func(event string)) Hooks {
	worker := func(event string) func(int) { return func(int) { f(event) } }
	task := func(event string) func(context.Context, string) {
		return func(context.Context, string) { f(event) }
	}
	return Hooks{
		WorkerStart: worker("worker start"), WorkerStop: worker("worker stop"),
		WorkerPark: worker("worker park"), WorkerUnpark: worker("worker unpark"),
		TaskStart: task("task start"), TaskEnd: task("task end"),
	}
}

// TestHooksUseTheRuntime calls the runtime from every hook, which would deadlock if
// one were called under a lock: statistics, spawns, cancels, and what is refused.
func TestHooksUseTheRuntime(t *testing.T) {
	for _, p := range []int{1, 3} {
		var rt atomic.Pointer[Runtime]
		var spawned, ran atomic.Int32
		var seen sync.Map
		cfg := Config{Parallelism: p}
		cfg.Hooks = everyHook(func(event string) {
			r := rt.Load()
			seen.Store(event, true)
			_ = r.Stats()
			if _, err := BlockOn(context.Background(), r, func(context.Context) (int, error) { return 0, nil }); !errors.Is(err, ErrInHook) {
				t.Errorf("BlockOn at %s: %v", event, err)
			}
			if err := r.Shutdown(context.Background()); !errors.Is(err, ErrInHook) {
				t.Errorf("Shutdown at %s: %v", event, err)
			}
			if spawned.Add(1) > 200 {
				return
			}
			h := Go(r.Enter(context.Background()), func(context.Context) (int, error) { ran.Add(1); return 0, nil })
			if spawned.Load()%2 == 0 {
				h.Cancel()
			}
			Yield(context.Background())
			Checkpoint(context.Background())
		})
		r, err := Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		rt.Store(r)
		err = Run(r.Enter(context.Background()), func(s *Scope) error {
			for range 20 {
				s.Go(func(ctx context.Context) error { return Sleep(ctx, 10*time.Microsecond) })
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		eventually(t, "a worker parks", func() bool { _, ok := seen.Load("worker park"); return ok })
		if err := r.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		for _, event := range []string{"worker start", "worker stop", "worker park", "task start", "task end"} {
			if _, ok := seen.Load(event); !ok {
				t.Errorf("p=%d: no %s", p, event)
			}
		}
		if ran.Load() == 0 {
			t.Error("no task that a hook spawned has run")
		}
	}
}

func hookCulprit() { panic("culprit") }

// TestEveryHookMayPanic lets each hook panic in turn: admission closes, a task that
// waits is cancelled, and Shutdown returns the panic with the hook's own stack.
func TestEveryHookMayPanic(t *testing.T) {
	for _, event := range []string{"worker start", "worker stop", "worker park", "worker unpark", "task start", "task end"} {
		var armed atomic.Bool
		cfg := patient(2)
		cfg.Hooks = everyHook(func(e string) {
			if e == event && armed.Load() {
				hookCulprit()
			}
		})
		rt, err := Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ctx := rt.Enter(context.Background())
		begun := make(chan struct{})
		waits := Go(ctx, func(ctx context.Context) (int, error) {
			close(begun)
			var w Waiter
			return 0, w.Wait(ctx)
		})
		<-begun
		armed.Store(true)
		if event != "worker stop" {
			eventually(t, "admission closes after a panic at "+event, func() bool {
				release := make(chan struct{})
				begun := make(chan struct{}, 2)
				for range 2 { // a second worker starts, both wake and park again
					Go(ctx, func(context.Context) (int, error) { begun <- struct{}{}; <-release; return 0, nil })
				}
				for range 2 {
					select {
					case <-begun:
					case <-time.After(time.Millisecond):
					}
				}
				close(release)
				return rt.closed.Load()
			})
			if _, err := waits.Join(context.Background()); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a waiting task: %v", event, err)
			}
			if _, err := Go(ctx, func(context.Context) (int, error) { return 0, nil }).Join(context.Background()); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: Go afterwards: %v", event, err)
			}
		}
		var pe *PanicError
		err = rt.Shutdown(context.Background())
		if !errors.As(err, &pe) || !strings.Contains(string(pe.Stack), "hookCulprit") {
			t.Errorf("%s: shutdown: %v", event, err)
		}
	}
}

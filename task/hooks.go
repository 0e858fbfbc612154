package task

import (
	"context"
	"fmt"

	"weft/internal/gid"
)

// Hooks are called at events of the runtime, outside every lock, on the
// goroutine where the event happens. They must not wait for tasks: BlockOn and
// Shutdown are refused in them. Nor must they call runtime.Goexit. A thread
// lock that they leave behind is undone. Nil ones cost nothing. A panic in a hook
// closes admission, cancels every task, and is the error of Shutdown.
type Hooks struct {
	WorkerStart  func(worker int)
	WorkerStop   func(worker int)
	WorkerPark   func(worker int) // it has no work and waits
	WorkerUnpark func(worker int)
	TaskStart    func(ctx context.Context, name string)
	TaskEnd      func(ctx context.Context, name string)
}

func (rt *Runtime) hook(f func(int), worker int) {
	if f == nil {
		return
	}
	rt.callHook(func() { f(worker) })
}

func (rt *Runtime) taskHook(f func(context.Context, string), t *task) {
	rt.callHook(func() { f(t, t.name()) })
	t.hooked()
}

// callHook runs f as a region of its own kind: the caller counts as a goroutine
// that may not wait.
func (rt *Runtime) callHook(f func()) {
	s := here()
	var outer *stack
	own := s == nil
	if own {
		s = &stack{kind: kindPlain, rt: rt}
		outer = stacks.enter(s)
	}
	locked, _ := gid.Locked()
	was := s.hooked
	s.hooked = true
	defer func() {
		v := recover()
		restoreThread(locked)
		s.hooked = was
		if own {
			stacks.leave(s, outer)
		}
		if v != nil {
			rt.hookFailed(&PanicError{Value: v, Stack: trace(0)})
		}
	}()
	f()
}

func (rt *Runtime) hookFailed(err *PanicError) {
	rt.mu.Lock()
	if rt.hookFailure == nil {
		rt.hookFailure = fmt.Errorf("task: hook: %w", err)
	}
	rt.mu.Unlock()
	rt.cfg.Logger.Error("task: a hook panicked; the runtime closes", "runtime", rt.cfg.Name, "panic", err.Value, "stack", string(err.Stack))
	rt.closeAdmission()
}

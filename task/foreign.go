package task

import (
	"context"
	"log/slog"
	"runtime"

	"weft/internal/gid"
)

// Foreign code that the scheduler calls on its own stacks: contexts that programs
// wrote, loggers, hooks, callbacks. A panic there would end a worker or the
// monitor, and with it the process, and so would a thread that they leave locked.

// startErr is Err where no function of the task's is there to take a panic of an
// outside context's Err, so that it becomes the task's error.
//
//go:norace
func (t *task) startErr() (err error) {
	if t.family != t.rt.root.family {
		defer catch(&err)
	}
	return t.Err()
}

// keepPanic is deferred around foreign code whose panic is only logged.
func (rt *Runtime) keepPanic(what string) {
	if v := recover(); v != nil {
		rt.cfg.Logger.Error("task: panic in a "+what, "runtime", rt.cfg.Name, "panic", v, "stack", string(trace(0)))
	}
}

// guard calls foreign code that runs between tasks and keeps its panic.
func (rt *Runtime) guard(what string, f func()) {
	defer rt.keepPanic(what)
	f()
}

// restoreThread undoes the thread locks that foreign code left behind, if the
// goroutine was not locked before. Where locks are not known (threadlock.go) it
// does nothing.
func restoreThread(wasLocked bool) {
	for !wasLocked {
		if locked, _ := gid.Locked(); !locked {
			return
		}
		runtime.UnlockOSThread()
	}
}

// tameHandler keeps the panics of a program's log handler, and its thread locks.
// A record that panics is lost.
type tameHandler struct{ slog.Handler }

func (h tameHandler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	locked, _ := gid.Locked()
	defer restoreThread(locked)
	defer func() { _ = recover() }()
	return h.Handler.Enabled(ctx, level)
}

func (h tameHandler) Handle(ctx context.Context, r slog.Record) (err error) {
	locked, _ := gid.Locked()
	defer restoreThread(locked)
	defer catch(&err)
	return h.Handler.Handle(ctx, r)
}

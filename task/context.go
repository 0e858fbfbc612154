package task

import (
	"context"
	"time"

	"weft/internal/sy"
)

// The task is its own context: these are the methods of context.Context, and
// AfterFunc, by which the context package derives contexts without a goroutine.

type runtimeKey struct{}

// Deadline is that of the context the task was spawned with.
//
//go:norace
func (t *task) Deadline() (time.Time, bool) { return t.base.Deadline() }

// Value looks into the context the task was spawned with.
//
//go:norace
func (t *task) Value(key any) any {
	if _, ok := key.(runtimeKey); ok {
		return t.rt
	}
	if _, ok := key.(taskKey); ok {
		return t
	}
	return t.look(key)
}

// Err says whether the task, one of its ancestors, its runtime or an outside
// context was cancelled. Nothing is registered for it: it walks upwards, but only
// as far as nobody has walked since the last cancel anywhere in the runtime.
//
//go:norace
func (t *task) Err() error {
	hide()
	epoch := t.rt.cancelEpoch.Load()
	if sy.LoadUint32(&t.clean) != epoch {
		if x := t.walk(epoch); x != nil {
			reveal()
			x.wasCanceled()
			return context.Canceled
		}
	}
	reveal()
	return t.base.Err()
}

// walk looks for a cancelled ancestor, and notes on the way back that there is
// none. A cancel sets its flag before it advances the epoch, so whoever reads the
// epoch first and then finds no flag may say so for that epoch.
//
//go:norace
func (t *task) walk(epoch uint32) (canceled *task) {
	top := t
	for x := t; x != nil && sy.LoadUint32(&x.clean) != epoch; x = x.up {
		if x.flags.Load()&flagCanceled != 0 {
			return x
		}
		top = x.up
	}
	for x := t; x != top; x = x.up {
		sy.StoreUint32(&x.clean, epoch)
	}
	return nil
}

// Done is closed when Err becomes non-nil. The first call registers the task.
// After the task's end the channel is served only if it was never asked for
// before; who must outlive the task derives a context.
func (t *task) Done() <-chan struct{} { return t.doneChan() }

// String names the context in traces of derived ones.
func (t *task) String() string { return "task(" + t.name() + ")" }

// Enter returns a context in which Go, Run and the others use r.
func (r *Runtime) Enter(ctx context.Context) context.Context {
	return context.WithValue(ctx, runtimeKey{}, r)
}

// FromContext returns the runtime that ctx carries: a task's own, or that of Enter.
//
//go:norace
func FromContext(ctx context.Context) (*Runtime, bool) {
	if t, ok := ctx.(*task); ok {
		return t.rt, true
	}
	if ctx == nil {
		panic(nilContext)
	}
	r, ok := ctx.Value(runtimeKey{}).(*Runtime)
	return r, ok
}

// runtimeFor decides which runtime serves a call: the context's, else that of
// the calling task, else the default one.
func runtimeFor(ctx context.Context, s *stack) *Runtime {
	if r, ok := FromContext(ctx); ok {
		return r
	}
	if s != nil {
		return s.rt
	}
	return Default()
}

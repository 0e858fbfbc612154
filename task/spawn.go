package task

import (
	"context"

	"weft/internal/sy"
)

// Option changes how Go spawns.
type Option func(*options)

type options struct {
	name    string
	pinned  bool
	class   Class
	classed bool // class was given
}

// Name names a task in traces, stall reports and stragglers.
func Name(name string) Option { return func(o *options) { o.name = name } }

// Pinned runs the task on a goroutine of its own that is locked to a thread, for
// code that alters its thread (namespaces, graphics, some C libraries). It holds
// a permit while it runs, like everything else, but is never stolen or parked.
func Pinned() Option { return func(o *options) { o.pinned = true } }

// Go spawns a task that calls fn and returns its handle. It never waits. The
// runtime is that of ctx, else that of the calling task, else Default. A nil ctx or
// fn panics right here, and so it is in GoPoll, Run, Scope.Go, Map and BlockOn.
//
// The context that fn gets is the task's own: it ends when ctx does or when the
// handle is cancelled. A handle that is dropped leaves the task running. If the
// runtime is shut down the handle's result is ErrClosed.
func Go[T any](ctx context.Context, fn func(context.Context) (T, error), opts ...Option) *Handle[T] {
	if fn == nil {
		panic(nilFunction)
	}
	h := &Handle[T]{fn: fn}
	h.task.body = h
	h.task.spawned()
	if guests && aside(func() { spawnWith(ctx, &h.task, opts) }) {
		return h
	}
	if len(opts) > 0 {
		spawnWith(ctx, &h.task, opts)
	} else {
		spawn(ctx, &h.task, here())
	}
	return h
}

// spawn admits t, whose body is set, and queues it. s is the caller's stack.
func spawn(ctx context.Context, t *task, s *stack) {
	t.adopt(ctx, s)
	t.launch(s, true)
}

// launch admits and queues a task that has its place. With check it is a
// checkpoint of the caller's.
func (t *task) launch(s *stack, check bool) {
	rt := t.rt
	if s != nil && s.rt == rt && s.working() {
		if check {
			s.checkpoint()
		}
		l := s.w.lane
		if rt.closed.Load() {
			t.refuse(ErrClosed)
			return
		}
		l.stats.spawned.Inc()
		l.pushNext(t)
		return
	}
	if !rt.admit() {
		t.refuse(ErrClosed)
		return
	}
	rt.publish(t)
}

// adopt gives t its place below ctx.
func (t *task) adopt(ctx context.Context, s *stack) {
	if up, ok := ctx.(*task); ok {
		t.family, t.up, t.clean = up.family, up, sy.LoadUint32(&up.clean)
		t.inherit(up)
		return
	}
	t.below(ctx, runtimeFor(ctx, s))
}

// below is adopt for a runtime that need not be that of ctx.
func (t *task) below(ctx context.Context, rt *Runtime) {
	if up, ok := ctx.(*task); ok && up.rt == rt {
		t.family, t.up = up.family, up
		t.inherit(up)
		return
	}
	t.up, t.family = &rt.root, rt.root.family
	if ctx != context.Background() {
		t.family = &family{rt: rt, base: ctx}
		if rt.classes.used.Load() {
			if up, ok := ctx.Value(taskKey{}).(*task); ok && up.rt == rt {
				t.inherit(up)
			}
		}
	}
}

// admit counts a task that comes from outside the lanes, unless admission is
// closed. It counts first and looks then, as Shutdown closes first and counts then.
func (rt *Runtime) admit() bool {
	rt.live.Add(1)
	if rt.closed.Load() {
		rt.leave()
		return false
	}
	return true
}

// leave undoes admit at the end of what was counted outside the lanes.
func (rt *Runtime) leave() {
	rt.live.Add(-1)
	if rt.closed.Load() {
		rt.checkQuiet()
	}
}

func spawnWith(ctx context.Context, t *task, opts []Option) {
	var o options
	for _, f := range opts {
		if f == nil {
			panic("task: nil Option")
		}
		f(&o)
	}
	s := here()
	t.adopt(ctx, s)
	if o.name != "" {
		t.more().name = o.name
	}
	if o.classed {
		t.setClass(o.class)
	}
	if !o.pinned {
		t.launch(s, true)
		return
	}
	checkpointOf(s)
	t.flags.Or(flagPinned)
	if !t.rt.admit() {
		t.refuse(ErrClosed)
		return
	}
	t.rt.counts.pinned.Add(1)
	if err := t.rt.launch("weft pinned", func() { t.rt.runPinned(t) }); err != nil {
		t.refuse(err)
		t.rt.leave()
	}
}

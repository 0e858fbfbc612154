package task

import (
	"context"
	"reflect"
	"runtime/pprof"
	tracing "runtime/trace"
	"unsafe"

	"weft/internal/gid"
)

// Profiles and execution traces. Both know goroutines, and a goroutine here runs
// one task after another, or several inside each other. So a task's function runs
// under a profiler label with its name, if Config.ProfileLabels is set, and while
// an execution trace is taken, as a span of the trace (a trace.Task) and, for as
// long as the function is on a goroutine, in a region of it.
//
// Labels and regions belong to goroutines. Both are put on right before the
// function and taken off right after it, or when Goexit unwinds it, on the same
// goroutine: a task that waits keeps its own, where it may meanwhile hold regions
// of its own; a child that runs in place nests inside its joiner. A state machine
// does so for each poll. What the goroutine had before comes back, so labels that a
// function leaves behind do not pass to the next task.
//
// Each span's parent is that of the task with whose context it was spawned, known
// by the span alone: a chain of contexts would keep every ancestor.
type profile struct {
	name   string
	ctx    context.Context // base with label and span, for Value; nil at first
	span   *tracing.Task   // nil if no trace was taken when the task began
	region *tracing.Region
	before unsafe.Pointer // the goroutine's labels without it
	labels bool
	on     bool
}

// labelKey is the label of a task's name.
const labelKey = "task"

// shows reports whether tasks that begin now are to appear anywhere.
func (rt *Runtime) shows() bool { return rt.cfg.ProfileLabels || tracing.IsEnabled() }

// show has t appear. It is called on t's stack, before its function.
func (s *stack) show(t *task) {
	if t.flags.Load()&flagShown == 0 {
		t.more().profile = &profile{labels: s.rt.cfg.ProfileLabels}
		t.flags.Or(flagShown)
	}
	if !guests {
		t.appear()
	}
}

// shown reports whether t has a profile.
//
//go:norace
func (t *task) shown() bool {
	hide()
	defer reveal()
	return t.flags.Load()&flagShown != 0
}

// shape is the profile of a task that has one.
//
//go:norace
func (t *task) shape() *profile {
	hide()
	defer reveal()
	return t.branch.Load().extra.Load().profile
}

// appear is called on the goroutine of t's function, before it. If the context
// panics when asked for its labels, t runs without.
//
//go:norace
func (t *task) appear() { t.rt.guard("context", t.present) }

//go:norace
func (t *task) present() {
	p := t.shape()
	if p.ctx == nil {
		p.name = t.name()
		ctx := t.base
		if p.labels {
			ctx = pprof.WithLabels(ctx, pprof.Labels(labelKey, p.name))
		}
		if tracing.IsEnabled() {
			ctx, p.span = tracing.NewTask(within{ctx, t.outerSpan()}, p.name)
		}
		p.ctx = ctx
	}
	p.on = true
	if p.labels {
		p.before = gid.Labels()
		pprof.SetGoroutineLabels(p.ctx)
	}
	if tracing.IsEnabled() {
		p.region = tracing.StartRegion(p.ctx, p.name)
	}
}

// vanish undoes appear, on the same goroutine, if that has not been done.
//
//go:norace
func (t *task) vanish() {
	p := t.shape()
	if !p.on {
		return
	}
	p.on = false
	if p.region != nil {
		p.region.End()
		p.region = nil
	}
	if p.labels {
		gid.SetLabels(p.before)
		p.before = nil
	}
}

// disappear is vanish at t's end.
func (t *task) disappear() {
	t.vanish()
	if p := t.shape(); p.span != nil {
		p.span.End()
	}
}

// look is Value in what the profile adds to the context of t.
//
//go:norace
func (t *task) look(key any) any {
	if t.shown() {
		if p := t.shape(); p.ctx != nil {
			return p.ctx.Value(key)
		}
	}
	return t.base.Value(key)
}

// scopesDeep is how many scopes outerSpan looks through.
const scopesDeep = 16

// outerSpan is the span of the task with whose context t was spawned, or nil.
//
//go:norace
func (t *task) outerSpan() *tracing.Task {
	up := t.up
	for n := 0; up != nil && up.body == nil && n < scopesDeep; n++ {
		up = up.up
	}
	if up == nil || !up.shown() {
		return nil
	}
	return up.shape().span
}

// within is a context inside a span, without the context that the span came with.
type within struct {
	context.Context
	span *tracing.Task
}

// Value answers runtime/trace, which has one key only and keeps it to itself.
func (c within) Value(key any) any {
	if c.span != nil && reflect.TypeOf(key).PkgPath() == "runtime/trace" {
		return c.span
	}
	return c.Context.Value(key)
}

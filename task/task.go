package task

import (
	"context"
	"reflect"
	"runtime"

	"weft/internal/sy"
)

// body is the typed half of a task: the handle that was returned for it.
type body interface {
	// exec calls the function and keeps its result; panics are caught inside.
	exec()
	// ended is called once after the result became visible, if flagEnded is set.
	ended()
	// code is the function, or its entry as a uintptr, for its name.
	code() any
}

// task is the untyped half: what the scheduler queues, the context that the
// function receives, and the cell in which joiners wait. It is embedded in the
// handle, so that handle, context and result are one allocation.
//
// A task is in at most one queue at a time and belongs to whoever took it out.
// Plain fields are written by that owner only, and read by others only after
// cell holds doneMark (err) or after the queue's atomics (stack, next).
//
// Pseudo tasks stand for things that wait without being tasks: a plain
// goroutine, a borrowed caller, a group of joiners. They are never queued as
// fresh work.
type task struct {
	*family
	up    *task // the task whose context this one was spawned with, or the runtime's root
	body  body
	err   error
	stack *stack // where it is parked; nil while fresh
	next  *task  // link of the queue that holds it

	cell   sy.Pointer[task]   // who waits for the end: nil, a task, a fan, or doneMark
	branch sy.Pointer[branch] // see extra.go
	token  sy.Uint32          // parking protocol, see park.go
	flags  sy.Uint32
	clean  uint32 // atomic: the runtime's cancelEpoch in which no ancestor was cancelled

	returned bool // the function came back by itself
	settled  bool // exec came back, so no Goexit is on its way
	nested   bool // runs in place, on its joiner's stack
}

// family is what a task has in common with those that it spawns with its context.
type family struct {
	rt   *Runtime
	base context.Context // nearest context that is no task: values, deadline, outside cancellation
}

// Bits of task.flags.
const (
	flagCanceled = 1 << iota // Cancel was called before the end
	flagLinked               // known to its parent's branch, see cancel.go
	flagEnded                // body.ended wants to be called
	flagGoexit               // ended by runtime.Goexit
	flagDoomed               // to be unwound when next it runs, see shutdown.go
	flagFan                  // a pseudo task: several joiners
	flagNotify               // a pseudo task: a channel or callback instead of a waiter
	flagPinned               // runs on a locked thread of its own
	flagBorrowed             // runs on a goroutine that BlockOn borrowed
	flagPassed               // descendants linked themselves further up, see cancel.go
	flagHigh                 // its class, see priority.go
	flagLow
	flagPoll  // a state machine, see poll.go
	flagShown // has a profile, see profile.go
	flagTimed // how long it is queued is measured, see sample.go, which uses the upper half
)

// doneMark in a cell says that the result can be read.
var doneMark = new(task)

func (t *task) done() bool { return t.cell.Load() == doneMark }

// start is called by the owner just before a fresh task runs. It forgets
// ancestors that have ended without being cancelled, so that tasks which spawn
// their successors do not keep a chain of the dead alive.
func (t *task) start() {
	for up := t.up; up.up != nil && up.done() && up.flags.Load()&flagCanceled == 0; up = t.up {
		t.up = up.up
	}
}

// settle is deferred around the function: panics stop here.
//
//go:norace
func (t *task) settle() {
	if !t.returned {
		t.panicked(recover())
	}
}

// panicked takes what a deferred function, its caller, has recovered: nil in a Goexit.
//
//go:norace
func (t *task) panicked(v any) {
	if v != nil {
		t.rt.counts.panics.Add(1)
		t.err = &PanicError{Value: v, Stack: trace(1)}
	}
}

// finish publishes the result and wakes whoever waits. s is the stack it ran on.
func (t *task) finish(s *stack) {
	if t.flags.Load()&flagShown != 0 {
		t.disappear()
	}
	waiter := t.cell.Swap(doneMark)
	if waiter != nil {
		waiter.completed(s)
	}
	if f := t.flags.Load(); f&(flagLinked|flagEnded) != 0 {
		if f&flagLinked != 0 {
			t.unlink()
		}
		if f&flagEnded != 0 {
			t.body.ended()
		}
	}
}

// refuse ends a task that never was admitted.
func (t *task) refuse(err error) {
	t.err = err
	t.finish(nil)
}

// name is the Name option, or the function's own name.
//
//go:norace
func (t *task) name() string {
	if b := t.branch.Load(); b != nil {
		if x := b.extra.Load(); x != nil && x.name != "" {
			return x.name
		}
	}
	if t.body == nil {
		return "task"
	}
	var pc uintptr
	switch v := reflect.ValueOf(t.body.code()); v.Kind() {
	case reflect.Func:
		pc = v.Pointer()
	case reflect.Uintptr:
		pc = uintptr(v.Uint())
	}
	if f := runtime.FuncForPC(pc); f != nil {
		return f.Name()
	}
	return "task"
}

package task

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// canceledError is ErrCanceled's type: its own identity, and context.Canceled's.
type canceledError struct{}

func (canceledError) Error() string        { return "task: canceled before it ran" }
func (canceledError) Is(target error) bool { return target == context.Canceled }

var (
	// ErrClosed is the result of work offered to a runtime after Shutdown began.
	ErrClosed = errors.New("task: runtime is shut down")
	// ErrCanceled is the result of a task that was cancelled before it ran.
	// errors.Is(ErrCanceled, context.Canceled) holds.
	ErrCanceled error = canceledError{}
	// ErrInBlockingRegion refuses BlockOn inside a function given to Block: the
	// permit is promised to others there.
	ErrInBlockingRegion = errors.New("task: BlockOn inside a marked blocking region")
	// ErrInHook refuses BlockOn and Shutdown inside a hook.
	ErrInHook = errors.New("task: called inside a hook")
	// ErrInTask refuses Shutdown from a task of the same runtime, which would
	// wait for itself.
	ErrInTask = errors.New("task: Shutdown called by a task of the same runtime")
	// ErrGoexit is the result of a task that called runtime.Goexit, as
	// testing's FailNow does.
	ErrGoexit = errors.New("task: runtime.Goexit called")
)

// PanicError is the result of a task that panicked. It is made where the panic
// was raised, so Stack shows the frames of the culprit.
type PanicError struct {
	Value any // what was given to panic
	// Stack is the trace, culprit first, in the form of runtime/debug.Stack without
	// arguments, at most 64 frames. Errors may share it: it is for reading only.
	Stack []byte
}

// Error says what was raised; the trace is in Stack.
func (e *PanicError) Error() string { return fmt.Sprintf("task: panic: %v", e.Value) }

// Unwrap returns Value where it is an error, so that errors.Is sees through.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Straggler is a task that had not ended when Shutdown had to.
type Straggler struct {
	Name  string // of the Name option, or the function's name
	State string // "running", "ready" to run, "blocking", "waiting", or "unwound"
	Stack string // the trace of its goroutine; "" without a stack or among very many
}

// StragglersError is returned by Shutdown when its context ended before the runtime.
type StragglersError struct {
	Tasks []Straggler // none if only a hook or callback keeps the runtime from ending
	Cause error       // the error of Shutdown's context
}

// Error counts and names the tasks.
func (e *StragglersError) Error() string {
	if len(e.Tasks) == 0 {
		return "task: shutdown: all tasks have ended, but a hook or callback still runs"
	}
	names := make([]string, 0, len(e.Tasks))
	for _, t := range e.Tasks {
		names = append(names, t.Name+" ("+t.State+")")
	}
	return fmt.Sprintf("task: shutdown: %d tasks had not ended: %s", len(e.Tasks), strings.Join(names, ", "))
}

// Unwrap returns the error of Shutdown's context.
func (e *StragglersError) Unwrap() error { return e.Cause }

// What is raised at a caller who passes nil.
const (
	nilFunction = "task: nil function"
	nilContext  = "task: nil context"
)

// canceledBefore is the result of a task whose context had ended before it ran.
//
//go:norace
func canceledBefore(err error) error {
	if err == context.Canceled {
		return ErrCanceled
	}
	return &unrunError{err}
}

// unrunError is the result of a task whose context ended with another error than
// context.Canceled before it ran.
type unrunError struct{ cause error }

func (e *unrunError) Error() string { return "task: did not run: " + e.cause.Error() }
func (e *unrunError) Unwrap() error { return e.cause }

// catch turns a panic into the deferring function's error.
//
//go:norace
func catch(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: trace(0)}
	}
}

package engine

import (
	"context"
	"runtime/debug"
)

// outcome is the result of a task that may have panicked, as people who use
// goroutines write it by hand.
type outcome struct {
	result int64
	raised any
	stack  []byte
}

func (o outcome) value() int64 {
	if o.raised != nil {
		return int64(o.raised.(Boom))
	}
	return o.result
}

// attempt calls f and recovers.
func attempt(ctx context.Context, i int, trace bool, f func(context.Context, int) int64) (o outcome) {
	defer func() {
		if raised := recover(); raised != nil {
			o.raised = raised
			if trace {
				o.stack = debug.Stack()
			}
		}
	}()
	o.result = f(ctx, i)
	return o
}

package task

import (
	"bytes"
	"runtime"
	"strconv"
	"unsafe"
)

// Traces of stacks. The Go runtime prints the trace of every goroutine, of a
// coroutine that rests too (in the state "coroutine"), but only of all at once,
// with the world stopped. So it is done for stalls and stragglers only, and not in
// programs with very many goroutines.
//
// A stack is found by the functions that are outermost on it and nowhere else:
// the trace shows their receiver, which is the stack.
const (
	dumpMaxCount = 20000 // goroutines
	dumpMaxBytes = 16 << 20
)

var stackMarks = [][]byte{[]byte("task.(*stack).main("), []byte("task.(*stack).lead("), []byte("task.(*stack).execute("), []byte("task.(*stack).visit(")}

// tracesOfStacks dumps all goroutines and returns the traces of those that are
// stacks of any runtime. It is empty if there are too many goroutines.
func tracesOfStacks() traces {
	found := traces{}
	if runtime.NumGoroutine() > dumpMaxCount {
		return found
	}
	for trace := range bytes.SplitSeq(goroutineDump(), []byte("\n\n")) {
		if guests && bytes.Contains(trace, []byte("task.(*guest).serve(")) {
			continue // its guest's trace is wanted
		}
		for _, mark := range stackMarks {
			for _, args, ok := bytes.Cut(trace, mark); ok; _, args, ok = bytes.Cut(args, mark) {
				if end := bytes.IndexAny(args, ",?)"); end > 0 {
					if at, err := strconv.ParseUint(string(args[:end]), 0, 64); err == nil {
						found[uintptr(at)] = bytes.TrimSpace(trace)
					}
				}
			}
		}
	}
	return found
}

// traces holds what was found by the address of the stack, as a number.
type traces map[uintptr][]byte

func (t traces) of(s *stack) []byte { return t[uintptr(unsafe.Pointer(s))] }

// goroutineDump is the trace of every goroutine.
func goroutineDump() []byte {
	for size := 1 << 18; ; size *= 4 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= dumpMaxBytes {
			return buf[:n]
		}
	}
}

package task

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"weft/internal/sy"
)

// Traces of panics. To write one out takes twenty times as long as to catch the
// panic, and to unwind a stack as long again for every dozen frames; and most
// programs that panic often do so in few places. So a few program counters are
// taken first when a panic is caught. The text for them is written once and kept;
// if it reaches the function that called the task's, it is the trace, otherwise
// more counters are taken.
const (
	traceGlance = 6   // frames taken first
	traceFrames = 64  // frames of a trace
	traceTexts  = 128 // texts that are kept; a power of two
)

// traceText is a text and what it was written for. Immutable.
type traceText struct {
	pcs   []uintptr
	text  []byte
	whole bool // down to the task's own function
}

// panicTexts is a cache in which a later text may take the place of an earlier one.
var panicTexts [traceTexts]sy.Pointer[traceText]

// trace is the stack of the panic that the calling deferred function has
// recovered, culprit first, down to the task's own function, in the form of
// runtime/debug.Stack but without arguments. skip is the number of frames between
// the caller and the deferred function. Callers share the text and must not
// change it.
func trace(skip int) []byte {
	var buf [traceFrames]uintptr
	if glance := textOf(buf[:runtime.Callers(skip+3, buf[:traceGlance])]); glance.whole {
		return glance.text
	}
	return textOf(buf[:runtime.Callers(skip+3, buf[:])]).text
}

// textOf finds the text for pcs or writes it.
func textOf(pcs []uintptr) *traceText {
	h := uint64(len(pcs))
	for _, pc := range pcs {
		h = (h ^ uint64(pc)) * 0x9E3779B97F4A7C15
	}
	at := &panicTexts[h>>32&(traceTexts-1)]
	if known := at.Load(); known != nil && slices.Equal(known.pcs, pcs) {
		return known
	}
	fresh := &traceText{pcs: slices.Clone(pcs)}
	fresh.write()
	at.Store(fresh)
	return fresh
}

// write fills in text and whole.
func (tt *traceText) write() {
	text := []byte("goroutine [panicked]:\n")
	frames := runtime.CallersFrames(tt.pcs)
	for more := len(tt.pcs) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if startsTasks(f.Function) {
			tt.whole = true
			break
		}
		name := f.Function
		if name == "runtime.gopanic" {
			name = "panic"
		}
		text = append(append(text, name...), "(...)\n\t"...)
		text = append(append(text, f.File...), ':')
		text = strconv.AppendInt(text, int64(f.Line), 10)
		if f.PC > f.Entry {
			text = strconv.AppendUint(append(text, " +0x"...), uint64(f.PC-f.Entry), 16)
		}
		text = append(text, '\n')
	}
	if !tt.whole && len(tt.pcs) == traceFrames {
		text = append(text, "...further frames left out\n"...)
	}
	tt.text = slices.Clip(text)
}

// startsTasks reports whether name is the exec of a body, which calls the task's
// function.
func startsTasks(name string) bool {
	return strings.HasPrefix(name, "weft/task.(*") && strings.HasSuffix(name, ").exec")
}

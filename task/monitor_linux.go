package task

import (
	"runtime"
	"syscall"
	"time"

	"weft/internal/sy"
)

// clock returns how the monitor pauses. On Linux it sleeps on a thread of its
// own, because a timer of the Go runtime comes about a millisecond late when the
// process is otherwise idle.
func (m *monitor) clock() (pause func(time.Duration), done func()) {
	if _, real := m.rt.env.(sy.Real); !real {
		return m.pause, func() {}
	}
	if bubbled() {
		return time.Sleep, func() {}
	}
	runtime.LockOSThread()
	return func(d time.Duration) {
		ts := syscall.NsecToTimespec(int64(d))
		_ = syscall.Nanosleep(&ts, nil) // cut short by a signal: it scans early
	}, runtime.UnlockOSThread
}

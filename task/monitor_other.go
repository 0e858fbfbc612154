//go:build !linux

package task

import "time"

// clock returns how the monitor pauses: with the Go runtime's timers, whose
// resolution makes the grace about a millisecond.
func (m *monitor) clock() (pause func(time.Duration), done func()) {
	return time.Sleep, func() {}
}

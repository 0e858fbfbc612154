//go:build !linux

package task

import (
	"time"

	"weft/internal/sy"
)

// clock returns how the monitor pauses: with the Go runtime's timers, whose
// resolution makes the grace about a millisecond.
func (m *monitor) clock() (pause func(time.Duration), done func()) {
	if _, real := m.rt.env.(sy.Real); !real {
		return m.pause, func() {}
	}
	return time.Sleep, func() {}
}

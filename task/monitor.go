package task

import (
	"time"

	"weft/internal/sy"
)

// monitor is the goroutine that takes permits from marked regions which outlive
// the grace. It runs only while there is something to watch: a region wakes it,
// and after a while without any it parks again.
type monitor struct {
	rt     *Runtime
	parker sy.Parker
	asleep sy.Bool
	begun  sy.Bool
	stop   sy.Bool
}

// restless is how many scans without a marked region pass before it parks.
const restless = 8

func (m *monitor) init(rt *Runtime) {
	m.rt = rt
	m.parker = rt.env.NewParker()
	m.asleep.Store(true)
}

// watch wakes the monitor if it sleeps.
func (m *monitor) watch() {
	if m.asleep.Load() && m.asleep.CompareAndSwap(true, false) {
		if m.begun.CompareAndSwap(false, true) {
			m.rt.running.Add(1)
			m.rt.env.Go("weft monitor", m.main)
			return
		}
		m.parker.Unpark()
	}
}

// end makes main return.
func (m *monitor) end() {
	m.stop.Store(true)
	m.parker.Unpark()
}

func (m *monitor) main() {
	defer m.rt.memberEnded()
	pause, done := m.clock()
	defer done()
	idle := 0
	for !m.stop.Load() {
		wait := m.scan()
		if wait > 0 {
			idle = 0
			pause(time.Duration(wait))
			continue
		}
		if idle++; idle < restless {
			pause(m.rt.cfg.HandoffGrace)
			continue
		}
		idle = 0
		m.asleep.Store(true)
		if m.scan() > 0 && m.asleep.CompareAndSwap(true, false) {
			continue
		}
		m.parker.Park()
	}
}

// scan takes every mature lane and returns how long until the next matures, in
// nanoseconds, or 0 if nothing is marked.
func (m *monitor) scan() int64 {
	grace := int64(m.rt.cfg.HandoffGrace)
	now := m.rt.now()
	var next int64
	for _, l := range m.rt.lanes {
		if wait := l.takeMarked(now, grace); wait > 0 && (next == 0 || wait < next) {
			next = wait
		}
	}
	return next
}

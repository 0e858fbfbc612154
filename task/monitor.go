package task

import (
	"time"

	"weft/internal/sy"
)

// monitor is the goroutine that takes permits from marked regions which outlive
// the grace, and looks for stalls. It paces itself: while a region is marked it
// pauses finely; while permits are merely held it parks under a coarse timer, and
// a region wakes it; while none is held it just parks.
type monitor struct {
	rt      *Runtime
	parker  sy.Parker
	asleep  sy.Bool // parked: a region must wake it
	unused  sy.Bool // parked without a timer: so must a worker that starts
	begun   sy.Bool
	stop    sy.Bool
	retired sy.Bool // to end until it is needed again
	stalls  stallWatch
}

func (m *monitor) init(rt *Runtime) {
	m.rt = rt
	m.parker = rt.env.NewParker()
	m.asleep.Store(true)
	m.unused.Store(true)
	m.stalls.init(rt)
}

// watch is called when a region was marked.
func (m *monitor) watch() {
	if m.asleep.Load() && m.asleep.CompareAndSwap(true, false) {
		m.rouse()
	}
}

// attend is called when a worker gets a lane.
func (m *monitor) attend() {
	if m.unused.Load() && m.rt.cfg.StallAfter > 0 && m.unused.CompareAndSwap(true, false) {
		m.rouse()
	}
}

// rouse starts the monitor if there is none and unparks it otherwise. If it cannot
// be started, the next caller tries again.
func (m *monitor) rouse() {
	if !m.begun.CompareAndSwap(false, true) {
		m.parker.Unpark()
		return
	}
	if err := m.rt.launch("weft monitor", m.main); err != nil {
		m.absent()
	}
}

// absent notes that there is no monitor, so that whoever needs one rouses it.
func (m *monitor) absent() {
	m.begun.Store(false)
	m.unused.Store(true)
	m.asleep.Store(true)
}

// retire ends a monitor that has nothing to look at. It reports whether there is
// none. Whoever clears unused may rouse it, so nobody else does meanwhile.
func (m *monitor) retire() (gone bool) {
	if !m.begun.Load() {
		return true
	}
	if m.unused.CompareAndSwap(true, false) {
		m.retired.Store(true)
		m.parker.Unpark()
	}
	return false
}

// leave is the end of a monitor that was retired. Whoever took a lane or marked a
// region before the flags were set is seen here, and later ones see the flags.
func (m *monitor) leave() {
	m.absent()
	if m.anyHeld() {
		m.attend()
		m.watch()
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
		if m.retired.Load() && m.retired.CompareAndSwap(true, false) {
			m.leave()
			return
		}
		wait := m.scan()
		held := m.rt.cfg.StallAfter > 0 && m.lookForStalls()
		switch {
		case wait > 0:
			idle = 0
			m.nap(time.Duration(wait), pause)
		case idle < restless && !m.asleep.Load():
			idle++
			m.nap(m.rt.cfg.HandoffGrace, pause)
		default:
			idle = 0
			m.rest(held)
		}
	}
}

// rest parks until a region is marked, or it is time to look for stalls. Whoever
// marks a region or starts a worker writes first and reads the flag then; here the
// flag is set first and the lanes are read then.
func (m *monitor) rest(held bool) {
	m.asleep.Store(true)
	if !held {
		m.unused.Store(true)
		held = m.rt.cfg.StallAfter > 0 && m.anyHeld()
	}
	if m.scan() > 0 {
		m.asleep.Store(false)
		m.unused.Store(false)
		return
	}
	stop := func() bool { return true }
	if held {
		m.unused.Store(false)
		stop = m.rt.env.Timer(m.rt.cfg.StallAfter/stallLooks, m.parker.Unpark)
	}
	m.parker.Park()
	stop()
}

// longNap is from when on the monitor waits where it can be roused: for stalls must
// be looked for and Shutdown must not wait, however long the grace is.
const longNap = 5 * time.Millisecond

// nap waits for about d, with pause if that is short. It may return early.
func (m *monitor) nap(d time.Duration, pause func(time.Duration)) {
	if stall := m.rt.cfg.StallAfter; stall > 0 {
		d = min(d, max(stall/stallLooks, 1))
	}
	if d >= longNap {
		pause = m.pause
	}
	pause(d)
}

// pause waits for d, or until it is roused, by the environment's own time.
func (m *monitor) pause(d time.Duration) {
	stop := m.rt.env.Timer(d, m.parker.Unpark)
	m.parker.Park()
	stop()
}

func (m *monitor) anyHeld() bool {
	rt := m.rt
	return rt.free.len()+rt.spares.len() != len(rt.lanes)
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

package task

import (
	"time"

	"weft/internal/sy"
)

// The janitor is a timer. It lets go of resting stacks that were not needed for a
// period, and with Config.IdleExit of workers that had no work for one, and of the
// monitor when there are no workers. It sleeps while there is nothing to let go:
// whoever makes a worker or a stack, or puts one into the stock, calls it.
const tidyEvery = time.Second // its period, unless IdleExit says another

type janitor struct {
	rt    *Runtime
	every time.Duration
	armed sy.Bool // the timer runs, or tidy does
	asked sy.Bool // somebody called since tidy began
	stop  sy.Pointer[func() bool]
	ticks sy.Uint32 // periods
	polls []uint64  // of each lane, when the janitor came by; its own
}

func (j *janitor) init(rt *Runtime) {
	j.rt = rt
	if j.every = rt.cfg.IdleExit; j.every == 0 {
		j.every = tidyEvery
	}
	j.polls = make([]uint64, len(rt.lanes))
}

// call makes the janitor come by after a period. Whoever calls asks first and
// looks at armed then; tidy clears armed first and looks at asked then.
func (j *janitor) call() {
	if !j.asked.Load() {
		j.asked.Store(true)
	}
	if !j.armed.Load() && j.armed.CompareAndSwap(false, true) {
		j.arm()
	}
}

// arm starts the timer, which counts as a member of the runtime from now on.
func (j *janitor) arm() {
	rt := j.rt
	rt.mu.Lock()
	if rt.stopping.Load() {
		rt.mu.Unlock()
		return
	}
	rt.running.Add(1)
	rt.mu.Unlock()
	stop := rt.env.Timer(j.every, j.tidy)
	j.stop.Store(&stop)
	if rt.stopping.Load() {
		j.dismiss()
	}
}

// dismiss stops the timer, unless tidy has begun.
func (j *janitor) dismiss() {
	if stop := j.stop.Swap(nil); stop != nil && (*stop)() {
		j.rt.memberEnded()
	}
}

func (j *janitor) tidy() {
	defer j.rt.memberEnded()
	if j.rt.stopping.Load() {
		return
	}
	j.asked.Store(false)
	tick := j.ticks.Add(1)
	more := j.trimStacks()
	if j.rt.cfg.IdleExit > 0 && j.retire(tick) {
		more = true
	}
	if more || j.asked.Load() {
		j.arm()
		return
	}
	j.armed.Store(false)
	if j.asked.Load() && j.armed.CompareAndSwap(false, true) {
		j.arm()
	}
}

// trimStacks lets surplus stacks go. Those of a lane are in nobody's hands but the
// holder's, so only lanes that nobody can hold meanwhile are looked into, those that
// were lent too, and only if nothing ran there for a period. It reports whether there may be more to do later.
func (j *janitor) trimStacks() (more bool) {
	rt := j.rt
	old := rt.stock.surplus()
	for i, l := range rt.lanes {
		polls := l.stats.polls.Load()
		idle := polls == j.polls[i]
		j.polls[i] = polls
		if !idle {
			more = true
			continue
		}
		switch {
		case rt.free.clear(i):
			old = l.empty(old)
			rt.freeLane(l)
		case rt.loans.Load() > 0 && rt.spares.clear(i):
			old = l.empty(old)
			rt.spares.set(i)
			if rt.closed.Load() {
				rt.checkQuiet()
			}
		case l.holder.Load() != nil:
			more = true
		}
	}
	rt.dispose(old)
	return more || rt.stock.n.Load() > 0
}

// empty moves the lane's resting stacks to old.
func (l *lane) empty(old []*stack) []*stack {
	old = append(old, l.pool...)
	clear(l.pool)
	l.pool = l.pool[:0]
	return old
}

// retire ends workers that were idle throughout the last period. Whoever clears a
// worker's bit in idlers decides what becomes of it. When none is left the monitor
// ends too. It reports whether any of them is left.
func (j *janitor) retire(tick uint32) (more bool) {
	rt := j.rt
	for i := range rt.workers {
		w := rt.workers[i].Load()
		if w == nil {
			continue
		}
		more = true
		if tick-w.slept.Load() >= 2 && rt.idlers.clear(i) {
			w = rt.workers[i].Load() // the id may be another's by now
			w.retiring = true
			w.parker.Unpark()
		}
	}
	if !more {
		more = !rt.monitor.retire()
	}
	return more
}

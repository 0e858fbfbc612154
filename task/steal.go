package task

import "runtime"

// search looks for work with the other lanes. It counts as a searcher meanwhile,
// so that publishers do not wake a second one.
func (w *worker) search() *task {
	rt, l := w.rt, w.lane
	if !w.searching {
		w.searching = true
		rt.searching.Add(1)
	}
	lanes := rt.reach()
	n := len(lanes)
	if rt.permits() == 1 && rt.loans.Load() == 0 {
		return nil
	}
	var seen *task // stood in a slot when we last looked
	for range searchRounds {
		start := int(rt.env.Rand(uint32(n)))
		var standing *task
		for i := range n {
			v := lanes[(start+i)%n]
			if v == l {
				continue
			}
			if t := v.ring.stealInto(&l.ring); t != nil {
				l.stats.steals.Inc()
				return t
			}
			t := v.slot.Load()
			if t == nil {
				continue
			}
			if t == seen && v.slot.CompareAndSwap(t, nil) {
				l.stats.steals.Inc()
				return t
			}
			standing = t
		}
		if t := l.pick(); t != nil {
			return t
		}
		seen = standing
		runtime.Gosched()
	}
	return nil
}

// reach is the lanes that may hold work: the first P, and all once a permit was
// lent, since a spare lane has no work before that. The lanes of a runtime are
// fixed, so this is all there is to a thief's list of peers: a worker that is
// added, or takes the place of a blocked one, holds one of these same lanes, and
// what it queues there is found by all who searched before it existed. A loan is
// counted before its lane can be held, so before anything is queued on it.
func (rt *Runtime) reach() []*lane {
	if rt.loans.Load() == 0 {
		return rt.lanes[:rt.permits()]
	}
	return rt.lanes
}

// stealQueued takes what waits in another lane's ring. The own ring is empty.
func (l *lane) stealQueued() *task {
	lanes := l.rt.reach()
	start := l.id
	for i := range lanes {
		v := lanes[(start+i)%len(lanes)]
		if v == l || v.ring.len() == 0 {
			continue
		}
		if t := v.ring.stealInto(&l.ring); t != nil {
			l.stats.steals.Inc()
			return t
		}
	}
	return nil
}

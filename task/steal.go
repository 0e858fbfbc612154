package task

import "runtime"

const searchRounds = 4

// search looks for work with the other lanes. It counts as a searcher meanwhile,
// so that publishers do not wake a second one.
func (w *worker) search() *task {
	rt, l := w.rt, w.lane
	if !w.searching {
		w.searching = true
		rt.searching.Add(1)
	}
	n := len(rt.lanes)
	if rt.permits() == 1 && rt.loans.Load() == 0 {
		return nil
	}
	for round := range searchRounds {
		start := int(rt.env.Rand(uint32(n)))
		for i := range n {
			v := rt.lanes[(start+i)%n]
			if v == l {
				continue
			}
			if t := v.ring.stealInto(&l.ring); t != nil {
				l.stats.steals.Inc()
				return t
			}
			if round == searchRounds-1 {
				if t := v.standingSlot(l); t != nil {
					l.stats.steals.Inc()
					return t
				}
			}
		}
		if t := l.pick(); t != nil {
			return t
		}
		runtime.Gosched()
	}
	return nil
}

// standingSlot takes what waits in v's slot if the holder does not come to it: it
// has not begun another task between two looks.
func (v *lane) standingSlot(thief *lane) *task {
	t := v.slot.Load()
	if t == nil {
		return nil
	}
	if v.slot.CompareAndSwap(t, nil) {
		return t
	}
	return nil
}

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
	n := len(rt.lanes)
	if rt.permits() == 1 && rt.loans.Load() == 0 {
		return nil
	}
	var seen *task // stood in a slot when we last looked
	for range searchRounds {
		start := int(rt.env.Rand(uint32(n)))
		var standing *task
		for i := range n {
			v := rt.lanes[(start+i)%n]
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

package task

// The ledger of permits. A lane (lane.go) is in exactly one place:
//
//	held     by a worker (worker.lane) or a borrowed caller, which runs
//	marked   still with a worker, but its region word allows the monitor to take it
//	free     a bit in Runtime.free
//	on its way from whoever cleared that bit to a worker or caller it was given to
//
// Publishing work and going idle meet like this. A publisher queues the task,
// then looks for a free lane and for searchers. A worker that goes idle makes
// itself known in idlers, frees its lane, stops counting as a searcher, and then
// looks at the queues once more. Atomics are sequentially consistent, so one of
// the two sees the other: work is never left with a lane free and nobody
// awake to use it. While somebody searches, publishers need not wake anybody: a
// searcher looks again after it stopped being one.

// notify sees to it that somebody runs what was just queued, if a permit is free.
// It takes no lock unless a worker must be woken.
func (rt *Runtime) notify() {
	if rt.searching.Load() == 0 && rt.free.any() {
		rt.wakeWorker()
	}
}

// replace is freeLane for a lane that was taken from a worker in a marked region.
func (rt *Runtime) replace(l *lane) {
	rt.putLane(l)
	if rt.hasWork() && rt.searching.Load() == 0 && rt.free.any() && rt.wakeWorker() {
		rt.counts.replaced.Add(1)
	}
}

// wakeWorker gives a free lane to who can use it: the caller that is first to return,
// an idle worker, a new one, or any caller that waits. It reports whether a worker
// got it.
func (rt *Runtime) wakeWorker() bool {
	for rt.searching.CompareAndSwap(0, 1) {
		useless, departed := false, rt.departed.Load()
		if i := rt.free.take(); i >= 0 {
			l := rt.lanes[i]
			rt.monitor.attend()
			if !rt.giveToCaller(l, false) {
				if rt.giveToIdler(l) || rt.addWorker(l) {
					return true
				}
				// Every worker blocks, perhaps until a caller gets on.
				if !rt.giveToCaller(l, true) {
					rt.free.set(i)
					useless = true
				}
			}
		}
		rt.searching.Add(-1)
		// Whoever published or freed a lane meanwhile relied on this search; whoever
		// went idle meanwhile may have missed the lane that was on its way. If nobody
		// could use a lane, only an idle worker, room for a new one or a caller that
		// is new makes a difference.
		if !rt.free.any() || !rt.hasWork() {
			return false
		}
		if useless && !rt.idlers.any() && rt.departed.Load() == departed && !rt.returners.hasCaller() && !rt.yielders.hasCaller() {
			return false
		}
	}
	return false
}

// giveToCaller hands l to the borrowed caller that is first to return, or with
// any to the first caller in any place: a caller needs no worker.
func (rt *Runtime) giveToCaller(l *lane, any bool) bool {
	t := rt.returners.popCaller(any)
	if t == nil && any {
		t = rt.yielders.popCaller(any)
	}
	if t == nil {
		return false
	}
	l.giveTo(t.stack)
	return true
}

// giveTo hands the lane to a borrowed caller that waits in a queue.
func (l *lane) giveTo(s *stack) {
	l.holder.Store(s.w) // first: a late wake may let it go on from the next line
	s.w.given.Store(l)
	s.parker.Unpark()
}

// giveToIdler hands l to an idle worker, which starts as a searcher.
func (rt *Runtime) giveToIdler(l *lane) bool {
	i := rt.idlers.take()
	if i < 0 {
		return false
	}
	w := rt.workers[i].Load()
	w.searching = true
	w.given.Store(l)
	w.parker.Unpark()
	return true
}

// takeLane takes a free lane for w, or returns nil.
func (rt *Runtime) takeLane(w *worker) *lane {
	i := rt.free.take()
	if i < 0 {
		return nil
	}
	l := rt.lanes[i]
	l.holder.Store(w)
	rt.monitor.attend()
	return l
}

// freeLane gives a lane up and wakes somebody for it if there is work.
func (rt *Runtime) freeLane(l *lane) {
	rt.putLane(l)
	if rt.hasWork() {
		rt.notify()
	}
}

func (rt *Runtime) putLane(l *lane) {
	l.on.Store(nil)
	l.holder.Store(nil)
	l.shown.Store(int64(l.stats.spawned.Load() - l.stats.ended.Load()))
	l.pollAt = 0
	if l.debt.Load() && l.debt.CompareAndSwap(true, false) {
		rt.spares.set(l.id) // the one that was lent stays in its place
	} else {
		rt.free.set(l.id)
	}
	if rt.closed.Load() {
		rt.checkQuiet()
	}
}

// hasWork reports whether anything waits for a permit.
func (rt *Runtime) hasWork() bool {
	if rt.returners.len() > 0 || rt.injector.len() > 0 || rt.yielders.len() > 0 || rt.classes.queued.Load() > 0 {
		return true
	}
	for _, l := range rt.reach() {
		if l.hasWork() {
			return true
		}
	}
	return false
}

// handOver gives the worker's lane to a borrowed caller that waits for it.
func (w *worker) handOver(s *stack) {
	l := w.lane
	w.lane = nil
	w.stopSearching(l)
	l.giveTo(s)
}

// lend gives a borrowed caller's lane up before it waits.
func (s *stack) lend() {
	l := s.w.lane
	s.w.lane = nil
	s.rt.freeLane(l)
}

// takeFree takes a lane at once if one is free and nobody returned before.
func (s *stack) takeFree() bool {
	if s.rt.returners.len() > 0 {
		return false
	}
	l := s.rt.takeLane(s.w)
	if l == nil {
		return false
	}
	s.w.lane = l
	l.running(s)
	l.polled()
	return true
}

// reclaim waits until a borrowed caller has a lane again: at once if one is free
// and nobody returned before, else in the order of returning.
func (s *stack) reclaim() {
	if !s.takeFree() {
		s.queueFor(&s.rt.returners)
	}
}

// queueFor waits in q for a lane.
func (s *stack) queueFor(q *fifo) {
	t := s.cur.Load()
	if t.stack != s { // a late wake may be reading it
		t.stack = s
	}
	q.push(t)
	s.rt.notify()
	for !s.granted() {
		s.parker.Park()
	}
}

// granted takes the lane that a borrowed caller was handed, if any. Only this says
// that there is one: the parker may also hold the token of another wake.
func (s *stack) granted() bool {
	l := s.w.given.Swap(nil)
	if l == nil {
		return false
	}
	s.w.lane = l
	l.running(s)
	l.polled()
	return true
}

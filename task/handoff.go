package task

import "context"

// Marked regions. A task that is about to block outside the runtime's knowledge
// (a system call, a lock, HTTP) says so with Block. The permit stays with it for
// the grace, since most regions are short; then the monitor takes it, and the
// worker goes on without. Who comes back without a permit takes a free one, or
// queues for one in Runtime.returners.
//
// The lane's region word decides who has the permit. Zero: not marked, only the
// holder may touch the lane. Otherwise it is the time of entry and a sequence
// number, and whoever swaps it to zero owns the lane: the worker at its exit, or
// the monitor. The number keeps a word from coming back.
//
// If the worker's recent regions outlived the grace and work is queued, the
// permit is given up at entry: waiting for the monitor would only waste the grace.
const (
	seqBits = 16 // of the region word; the rest is microseconds since Start, for nine years
	seqMask = 1<<seqBits - 1
)

func (l *lane) regionWord(now int64) uint64 {
	l.seq++
	return uint64(now/1000)<<seqBits | (l.seq&(seqMask>>1))<<1 | 1
}

// regionAge is how long ago a region word was made, in nanoseconds.
func regionAge(word uint64, now int64) int64 { return (now/1000 - int64(word>>seqBits)) * 1000 }

// Block calls fn, which may block, as a marked region: after a short grace
// another worker runs tasks in its place, so that at most P tasks execute but any
// number, up to Config.MaxWorkers, may block. When fn is done Block waits for a
// permit before it returns. Only the outermost of nested regions counts.
//
// Inside fn the runtime's waits treat the caller as a plain goroutine, BlockOn is
// refused, and Go spawns as from outside. Outside a task Block just calls fn.
// A panic in fn passes through.
func Block[T any](ctx context.Context, fn func() (T, error)) (T, error) {
	if guests {
		marked := false
		if asideTask(func() { marked = enterHere() }) {
			if peek(&marked) {
				defer asideTask(leaveHere)
			}
			return fn()
		}
	}
	s := here()
	if s == nil || !s.working() {
		return fn()
	}
	s.checkpoint()
	s.enterRegion()
	defer s.leaveRegion()
	return fn()
}

// enterHere and leaveHere mark the region of a guest, on its host.
func enterHere() bool {
	s := here()
	if s == nil || !s.working() {
		return false
	}
	s.checkpoint()
	s.enterRegion()
	return true
}

func leaveHere() { here().leaveRegion() }

func (s *stack) enterRegion() {
	s.region = 1
	w := s.w
	l := w.lane
	rt := s.rt
	now := rt.now()
	if w.slow && rt.hasWork() || l.debt.Load() {
		s.mark, w.since = 0, now
		w.lane = nil
		w.detached.Store(s.cur.Load())
		l.stats.early.Inc()
		rt.replace(l)
		return
	}
	s.mark = l.regionWord(now)
	l.region.Store(s.mark)
	rt.monitor.watch()
}

func (s *stack) leaveRegion() {
	s.region = 0
	w := s.w
	if s.mark != 0 {
		if w.lane.region.CompareAndSwap(s.mark, 0) {
			w.slow = false
			return
		}
		w.slow = true
	} else {
		w.slow = s.rt.now()-w.since >= int64(s.rt.cfg.HandoffGrace)
	}
	w.lane = nil
	w.detached.Store(nil)
	s.regain()
}

// regain gets a permit for a caller that comes back without one.
func (s *stack) regain() {
	if s.kind != kindCoroutine {
		s.reclaim()
		return
	}
	if s.takeFree() {
		return
	}
	w := s.w
	w.after, w.left = landReturned, s
	s.cur.Load().stack = s
	w.base.w = w
	s.unlockThread()
	s.switchTo(w.base)
	s.resumed()
}

// takeMarked is the monitor's: it takes the lane if its region has outlived the
// grace, and reports how long there is to wait otherwise (0: not marked).
func (l *lane) takeMarked(now int64, grace int64) (wait int64) {
	word := l.region.Load()
	if word == 0 {
		return 0
	}
	if age := regionAge(word, now); age < grace {
		return grace - age
	}
	t, w := l.current(), l.holder.Load()
	if !l.region.CompareAndSwap(word, 0) {
		return 0
	}
	if w != nil {
		w.detached.Store(t)
	}
	l.stats.handoffs.Add(1)
	l.rt.replace(l)
	return 0
}

package task

import "weft/internal/sy"

const (
	queuesEvery = 61 // every so many picks the queues come before returning callers
	slotRuns    = 16 // picks from the slot before the ring has its turn
)

// lane is a permit, and what goes with the right to run: a queue, a slot, and the
// resting stacks. P lanes are permits and P are spares for loans (stall.go), so "at
// most P tasks run" is a matter of ownership, not of counting: a permit is held by
// one worker or borrowed caller, or lies in Runtime.free, and a spare in
// Runtime.spares. Handing on a permit hands on its queue.
//
// Rejected: a counter of permits beside a queue for each worker. With a hundred
// workers waiting in marked regions, thieves would search a hundred empty queues,
// and the work of a blocked one would have to be moved.
type lane struct {
	id int
	rt *Runtime

	// The holder's own.
	tick      uint32
	slotTaken uint32
	shares    shares
	staying   stays    // who yields during a pick
	pushes    uint32   // to slot and ring
	pollAt    int64    // when the poll that is measured began, or 0
	pool      []*stack // at rest, without a task
	twig      *branch  // for the next task that waits
	stats     laneStats
	_         [64]byte

	// Read by others.
	slot   sy.Pointer[task]   // what the holder runs next; stealable
	on     sy.Word[stack]     // what runs for it now
	holder sy.Pointer[worker] // who holds it
	region sy.Uint64          // see handoff.go
	shown  sy.Int64           // tasks spawned here minus ended here, as of when the lane was last free
	debt   sy.Bool            // another lane was lent for this one, see stall.go
	seq    uint64             // of region, the holder's
	samples
	_    [64]byte
	ring deque

	// The holder's own.
	waited [3]durations // in queues, by class from High down
	ran    durations    // polls
	_      [64]byte
}

// running notes that s goes on with this lane.
func (l *lane) running(s *stack) { l.on.Store(s) }

// polled counts a task that begins here or goes on. The monitor sees progress by it.
func (l *lane) polled() {
	l.stats.polls.Inc()
	if l.stats.polls.Load()%sampleEvery == 0 {
		l.pollBegins()
	}
}

// current is the task that runs on the lane, as far as can be told from outside.
func (l *lane) current() *task {
	if s := l.on.Load(); s != nil {
		return s.cur.Load()
	}
	return nil
}

// pick takes the next task without waiting: returning callers first, then the
// class whose turn it is; of Normal ones the slot, the ring, the injector. Every
// 61st pick the queues come before returning callers.
func (l *lane) pick() *task {
	rt := l.rt
	l.tick++
	if l.tick%queuesEvery == 0 {
		giveTurn()
		if t := l.pickQueued(); t != nil {
			return t
		}
	}
	if rt.returners.len() > 0 {
		if t := rt.returners.pop(); t != nil {
			return t
		}
	}
	if rt.classes.queued.Load() > 0 {
		if t, over := l.pickClass(); over {
			return t
		}
	}
	if l.slotTaken < slotRuns {
		if t := l.takeSlot(); t != nil {
			l.slotTaken++
			return t
		}
	}
	if t := l.ring.pop(); t != nil {
		l.slotTaken = 0
		return t
	}
	if t := l.takeSlot(); t != nil {
		l.slotTaken = 0
		return t
	}
	if t := rt.injector.grab(&l.ring, rt.permits()); t != nil {
		return t
	}
	if t := rt.yielders.pop(); t != nil || rt.classes.queued.Load() == 0 {
		return t
	}
	return l.anyClass()
}

// pickQueued is the pick that passes returning callers over. Injector and ring
// take turns in being first, and so do callers that yielded.
func (l *lane) pickQueued() *task {
	if l.tick%(2*queuesEvery) == 0 {
		if t := l.rt.yielders.pop(); t != nil {
			return t
		}
		if t := l.ring.pop(); t != nil {
			return t
		}
	}
	if l.rt.classes.queued.Load() > 0 {
		if t, _ := l.pickClass(); t != nil {
			return t
		}
	}
	if t := l.rt.injector.pop(); t != nil {
		return t
	}
	if t := l.ring.pop(); t != nil {
		return t
	}
	return l.takeSlot()
}

func (l *lane) takeSlot() *task {
	t := l.slot.Load()
	if t != nil && l.slot.CompareAndSwap(t, nil) {
		return t
	}
	return nil
}

// pushBack queues t behind everything else here, or in the queue of its class.
// Only the holder calls it, as pushNext.
func (l *lane) pushBack(t *task) {
	if t.flags.Load()&classBits != 0 {
		l.rt.pushClass(t)
		return
	}
	l.timeSome(t)
	l.enqueue(t)
	l.rt.notify()
}

// pushNext makes t the next to run here; what was next goes into the ring.
func (l *lane) pushNext(t *task) {
	if t.flags.Load()&classBits != 0 {
		l.rt.pushClass(t)
		return
	}
	l.timeSome(t)
	if old := l.slot.Swap(t); old != nil {
		l.enqueue(old)
	}
	l.rt.notify()
}

// taken is called when t was taken out of a queue to run here.
func (l *lane) taken(t *task) {
	if t.flags.Load()&flagTimed != 0 {
		l.clockOut(t)
	}
}

// ended counts a task that ends here.
func (l *lane) ended() {
	if l.pollAt != 0 {
		l.pollEnds()
	}
	l.stats.ended.Inc()
}

// timeSome times one in so many of what is queued here.
func (l *lane) timeSome(t *task) {
	if l.pushes++; l.pushes%sampleEvery == 0 {
		l.rt.clockIn(t, l.id, l.pushes/sampleEvery)
	}
}

func (l *lane) enqueue(t *task) {
	for !l.ring.push(t) {
		if first, last, n := l.ring.spill(); n > 0 {
			l.rt.injector.pushList(first, last, n)
			l.stats.overflows.Inc()
		}
	}
}

// hasWork reports whether anything is queued here.
func (l *lane) hasWork() bool { return l.slot.Load() != nil || l.ring.len() > 0 }

// rest returns a stack without a task, from the pool or new.
func (l *lane) rest() *stack {
	if s := l.rested(); s != nil {
		return s
	}
	s := &stack{kind: kindCoroutine, rt: l.rt}
	l.rt.list(s)
	l.rt.janitor.call()
	l.stats.stacks.Inc()
	s.create()
	return s
}

// rested returns a stack from the pool or the stock, or nil.
func (l *lane) rested() *stack {
	n := len(l.pool)
	if n == 0 {
		return l.rt.stock.take(l)
	}
	s := l.pool[n-1]
	l.pool[n-1] = nil
	l.pool = l.pool[:n-1]
	return s
}

// keep puts a stack that is about to be left into the pool. It reports false if
// the pool is full or the stack too large.
func (l *lane) keep(s *stack) bool {
	if len(l.pool) >= l.rt.poolCap || s.huge() {
		return false
	}
	l.pool = append(l.pool, s)
	return true
}

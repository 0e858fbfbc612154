package task

import (
	"context"
	"reflect"

	"weft/internal/sy"
)

// Poll tasks. A state machine has no stack: its function is called inline by
// whoever runs the scheduler loop, says that it is not done, and is called again
// after a wake. Between two calls it is a few words on the heap.
//
// poller.state, beside the token of park.go, which waits inside the function use
// up:
//
//	pollRuns   it is being polled, and nobody woke it since
//	pollWoken  somebody did: it is queued, or will be polled again
//	pollWaits  it waits, and belongs to whoever moves it from here to woken
//
// Each poll begins with a store of pollRuns. A waker changes what is waited for
// and then swaps to pollWoken; a poll stores pollRuns and then looks. Both are
// sequentially consistent, so either the poll sees the change, or the swap comes
// after the store and is seen at the poll's end, where runs to waits is tried. From
// that moment another worker may poll the task: all it needs was written before.
//
// The owner of a poll task is who polls it or took it out of a queue. Its plain
// fields are handed on by the state and by the queues' atomics, like a task's own.
const (
	pollRuns = iota
	pollWoken
	pollWaits
)

// poller is a poll task: the handle, and what only such tasks have.
type poller struct {
	Handle[struct{}]
	poll  func(context.Context, Waker) (bool, error) // nil after the end
	pc    uintptr                                    // poll's code, for the name
	state sy.Flag
	begun bool // it was polled before
	found bool // cancels and Shutdown can find it
}

// GoPoll spawns a state machine: a task that has no stack of its own while it
// waits, however many there are. poll is called when the task first runs, and
// again after each wake, until it reports done or returns an error; that error is
// the result. Calls never overlap, and each sees what those before it did.
//
// A poll that cannot go on keeps w where the event that it waits for will find
// it, looks whether the event is there by now, and returns false. Wake during the
// call makes it a yield: poll is called again after those that are ready already.
//
// Everything else is as with Go. Cancellation, a deadline and Shutdown wake the
// task, and poll sees it in its context; it should end then. A task that Shutdown
// still finds waiting past its deadline ends with ErrClosed, without a call. poll
// may call Sleep, Join, Block and the like, and takes a stack while it waits in
// there. With Pinned it is called on its own locked thread.
//
// GoPoll never waits.
func GoPoll(ctx context.Context, poll func(ctx context.Context, w Waker) (done bool, err error), opts ...Option) *Handle[struct{}] {
	if poll == nil {
		panic(nilFunction)
	}
	p := &poller{poll: poll, pc: reflect.ValueOf(poll).Pointer()}
	p.task.body = p
	p.task.flags.Store(flagPoll)
	p.task.spawned()
	if guests && aside(func() { spawnWith(ctx, &p.task, opts) }) {
		return &p.Handle
	}
	if len(opts) > 0 {
		spawnWith(ctx, &p.task, opts)
	} else {
		spawn(ctx, &p.task, here())
	}
	return &p.Handle
}

// Waker has a poll task called again. It is one pointer: it may be copied,
// compared and kept. Wakers of one task are equal. The zero Waker does nothing.
//
// A Waker that is kept after the task's end keeps the handle alive and those of
// the tasks it was spawned from, but not what poll captured.
type Waker struct{ p *poller }

// Wake has the task polled once more. Several wakes before that poll begins are
// one; a wake during a poll is another. It may be called from anywhere, also from
// hooks, timers, other runtimes' tasks and plain goroutines, and after the task's
// end, where it has no effect. It never blocks.
//
// Everything that happened before Wake is seen by the poll that follows.
func (w Waker) Wake() {
	if w.p == nil {
		return
	}
	w.p.wakes()
	if guests && (w.p.noted() || aside(w.p.wake)) {
		return
	}
	w.p.wake()
}

func (p *poller) wake() {
	if p.rouse() {
		p.schedule()
	}
}

// rouse notes a wake. It reports true if the caller has to queue the task.
func (p *poller) rouse() bool {
	for {
		switch p.state.Load() {
		case pollRuns:
			if p.state.CompareAndSwap(pollRuns, pollWoken) {
				return false
			}
		case pollWaits:
			if p.state.CompareAndSwap(pollWaits, pollRuns) {
				return true
			}
		default:
			return false
		}
	}
}

// rest begins to wait after a poll. It reports false if the task was woken
// meanwhile. Once it has reported true the task is no longer the caller's.
func (p *poller) rest() bool {
	return p.state.Load() == pollRuns && p.state.CompareAndSwap(pollRuns, pollWaits)
}

// schedule queues a task that rouse took out of its wait: it is the next to run
// on the waker's worker, as with Waiter.
//
// If the waker is a poll task too, nobody else is woken for it, since the waker's
// worker will be there at once: two that wake each other would wake a second
// worker each time, for less than it costs. Should that poll go on for long, the
// monitor looks for a worker (lookForStalls).
func (p *poller) schedule() {
	t := &p.task
	rt := t.rt
	if t.flags.Load()&flagPinned != 0 {
		t.wake(nil)
		return
	}
	on := here()
	if on == nil || !on.polls(rt) {
		rt.ready(t, on, true)
		return
	}
	if t.flags.Load()&classBits != 0 {
		rt.pushClass(t)
		return
	}
	l := on.w.lane
	l.timeSome(t)
	if old := l.slot.Swap(t); old != nil {
		l.enqueue(old)
		rt.notify()
	}
}

// polls reports whether s is in the middle of a poll for the scheduler loop of rt.
func (s *stack) polls(rt *Runtime) bool {
	t := s.cur.Load()
	return t != nil && t.flags.Load()&flagPoll != 0 && s.rt == rt && s.working() && len(s.nest) == 0 &&
		s.kind == kindCoroutine && rt.cfg.StallAfter > 0
}

// exec is one poll.
//
//go:norace
func (p *poller) exec() {
	defer p.settle()
	done, err := p.poll(&p.task, Waker{p})
	if done || err != nil {
		p.poll, p.task.err = nil, err
	}
	p.task.returned = true
}

// settle is deferred around poll: panics stop here, and everything but a return
// is the end.
//
//go:norace
func (p *poller) settle() {
	if !p.task.returned {
		p.poll = nil
		p.task.panicked(recover())
	}
}

func (p *poller) code() any { return p.pc }

// expose makes the task known to the tree of cancels, before it waits for the first
// time. A cancel that came too early to find it there is seen by Err, and wakes it.
func (p *poller) expose() {
	p.found = true
	p.task.link()
	if p.task.startErr() != nil {
		p.state.Store(pollWoken)
	}
}

// poll runs a poll task on s until it ends, or waits, or lets others go first.
func (s *stack) poll(t *task) {
	p := t.body.(*poller)
	if p.begun {
		s.w.lane.polled()
	} else {
		p.begun = true
		if !s.begin(t) {
			p.poll = nil
			s.conclude(t)
			return
		}
	}
	for {
		if p.state.Load() != pollRuns {
			p.state.Store(pollRuns)
		}
		if t.flags.Load()&flagDoomed != 0 {
			p.poll, t.err = nil, ErrClosed
			s.conclude(t)
			return
		}
		t.returned, t.settled = false, false
		if s.rt.shows() {
			s.show(t)
		}
		if s.kind == kindCoroutine && len(s.nest) == 0 {
			s.exec(t) // Goexit ends this stack, and the task there (stack.end)
			t.settled = true
		} else {
			s.pollOnce(p)
		}
		if t.flags.Load()&flagShown != 0 {
			t.vanish()
		}
		if p.poll == nil {
			s.conclude(t)
			return
		}
		if !p.found {
			p.expose()
		}
		if t.flags.Load()&flagPinned == 0 {
			s.putOff(p)
			return
		}
		s.lendUntilWoken(p)
	}
}

// pollOnce is a frame of its own because what it defers must be over before
// another worker may have the task.
func (s *stack) pollOnce(p *poller) {
	defer s.unwound(&p.task)
	s.exec(&p.task)
	p.task.settled = true
}

// putOff lets a task that is not done wait, or yield if it was woken: it then goes
// behind what is ready. With nothing ready the loop polls it again.
func (s *stack) putOff(p *poller) {
	s.unlockThread()
	t, l := &p.task, s.w.lane
	if l.pollAt != 0 {
		l.pollEnds()
	}
	l.running(s)
	t.stack = nil // a wait inside poll may have set it
	if p.rest() {
		return
	}
	if len(s.nest) == 0 && !l.debt.Load() {
		if s.next = l.pickFor(t.class()); s.next == nil {
			s.next = t
			return
		}
		l.taken(s.next)
	}
	p.state.Put(pollRuns)
	l.pushBack(t)
}

// lendUntilWoken waits for a pinned poll task, which has a goroutine anyway.
func (s *stack) lendUntilWoken(p *poller) {
	if !p.rest() {
		s.yield()
		return
	}
	for p.state.Load() == pollWaits {
		s.lend()
		s.await()
		s.reclaim()
	}
}

// pollInPlace polls a child that has not begun on the stack of its joiner. If it
// is not done it waits like any other, and the joiner has to wait as well.
func (s *stack) pollInPlace(t *task) {
	s.poll(t)
	s.cur.Store(s.unnest())
}

// fresh reports whether a task that the caller took out of a queue has not begun.
func (t *task) fresh() bool {
	return t.stack == nil && (t.flags.Load()&flagPoll == 0 || !t.body.(*poller).begun)
}

// rouse wakes a task wherever it waits, for one that is to notice a cancel.
func (t *task) rouse() {
	t.wake(nil)
	if t.flags.Load()&flagPoll != 0 {
		t.body.(*poller).wake()
	}
}

// canDoom reports whether t can be ended between two steps of its own.
func (t *task) canDoom() bool {
	f := t.flags.Load()
	return f&flagPoll != 0 || f&flagBorrowed == 0 && t.token.Load() == tokenParked
}

// waits reports whether t waits, with a stack or without.
func (t *task) waits() bool {
	if t.flags.Load()&flagPoll != 0 && t.body.(*poller).state.Load() == pollWaits {
		return true
	}
	return t.token.Load() == tokenParked
}

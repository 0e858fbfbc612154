package task

import (
	"weft/internal/gid"
	"weft/internal/sy"
)

// Kinds of stack. Only the first can be left and resumed by the scheduler.
const (
	kindCoroutine = iota // runs the scheduler loop, carries tasks
	kindBase             // a worker's own goroutine: starts, ends, waits without a permit
	kindBorrowed         // a caller of BlockOn, or a pinned task: runs under a permit
	kindPlain            // a goroutine that merely waits
)

// stack is one goroutine as the scheduler sees it. Its plain fields belong to the
// goroutine itself while it runs and to whoever is about to resume it while it
// rests; the switch between the two orders them. There may be a million of them:
// scale_test.go weighs them.
type stack struct {
	switcher // how to leave and resume it: coroutine.go, or baton.go

	kind      uint8
	unwinding bool  // a Goexit is on its way up
	hooked    bool  // inside a hook
	pinned    bool  // runs one task on a locked thread
	normal    bool  // the loop returned
	listed    bool  // in the runtime's list of stacks
	region    int16 // depth of marked regions

	g    sy.Uintptr // see registry.go
	rt   *Runtime
	w    *worker       // whom it runs for
	cur  sy.Word[task] // what runs on it, or ran last; written by itself alone
	nest []*task       // joiners below cur whose child runs in place
	next *task         // what to do first when resumed at rest

	mark uint64 // the lane's region word, see handoff.go

	budget   int32 // operations until the next look at the clock
	keepable int32 // bytes, see stock.go

	sliceOf *task // whose time slice began at sliceAt
	sliceAt int64

	parker sy.Parker // of kinds that are goroutines of their own
	outer  *stack    // a borrowed caller that is itself a task of another runtime

	prevAll, nextAll *stack // runtime's list of stacks
}

// working reports whether the caller runs under a permit: not inside a marked
// region, not in a hook.
func (s *stack) working() bool { return s.cur.Load() != nil && s.region == 0 && !s.hooked }

// landing is what has to be done about the stack that was just left, by whoever
// runs next on that worker: only then is it off its thread.
type landing uint8

const (
	landNothing   landing = iota
	landParked            // the task waits for a wake
	landYielded           // the task goes to the end of the queue
	landReturned          // the task wants a permit again
	landStocked           // the stack has no task and goes to the stock
	landRetired           // the stack is surplus
	landDeparting         // the stack is unwinding and will end
)

// main is the life of a coroutine.
func (s *stack) main() {
	stacks.enter(s)
	s.keepable = int32(max(stackKeep, gid.StackSize())) // new ones are large if most are
	s.w.land()
	s.w.lane.running(s)
	defer s.end()
	s.loop()
	s.normal = true
}

// end runs when the loop returned, or when Goexit of a task unwinds the stack.
func (s *stack) end() {
	if !s.normal {
		if t := s.cur.Load(); t != nil {
			s.unwound(t) // a poll task: all others have a deferred call for it
		}
		s.unwinding = false
		clear(s.nest)
		s.nest = s.nest[:0]
		w := s.w
		w.after, w.left = landDeparting, s
		next := w.lane.rest()
		next.w = w
		s.depart(next)
	}
	stacks.leave(s, nil)
	s.rt.delist(s)
}

// loop is the scheduler, run inside the coroutine: fresh tasks are called right
// here, parked ones are switched to.
func (s *stack) loop() {
	for {
		t := s.next
		s.next = nil
		if t == nil {
			if t = s.w.find(s); t == nil {
				s.w.after, s.w.left = s.putAway(), s
				if s.relax(s.w.base) {
					return
				}
				continue
			}
		}
		switch {
		case t.stack == nil:
			s.run(t)
		case t.stack.kind == kindCoroutine:
			w := s.w
			if !w.lane.keep(s) {
				w.after, w.left = s.putAway(), s
			}
			if s.relax(t.stack) {
				return
			}
		default:
			s.w.handOver(t.stack)
		}
	}
}

// relax leaves this stack without a task and goes on with n. It reports true when
// the stack was resumed in order to end.
func (s *stack) relax(n *stack) (ended bool) {
	n.w = s.w
	s.cur.Store(nil) // what ran last would live as long as s rests
	s.sliceOf = nil
	s.switchTo(n)
	if s.obey() {
		return true
	}
	s.w.land()
	if l := s.w.lane; l != nil {
		l.running(s)
	}
	return false
}

// run calls a task that has no stack on this one.
func (s *stack) run(t *task) {
	if l := s.w.lane; l.twig == nil {
		l.twig = new(branch) // here, where the stack is still almost empty
	}
	s.cur.Store(t)
	if t.flags.Load()&flagPoll != 0 {
		s.poll(t)
		s.cur.Store(nil) // it may wait, or run elsewhere by now
		return
	}
	s.execute(t)
}

// execute is the part common to all ways of running a task: it does not run if
// cancelled, and its end is published. Join has a copy of it that calls exec
// itself: every frame counts where tasks nest.
func (s *stack) execute(t *task) {
	if s.begin(t) {
		defer s.unwound(t)
		s.exec(t)
		t.settled = true
	}
	s.conclude(t)
}

// begin reports whether the function of t is to be called.
func (s *stack) begin(t *task) bool {
	l := s.w.lane
	l.polled()
	t.start()
	if err := t.startErr(); err != nil {
		t.err = canceledBefore(err)
		l.stats.canceled.Inc()
		return false
	}
	if s.rt.shows() && t.flags.Load()&flagPoll == 0 {
		s.show(t)
	}
	if h := s.rt.cfg.Hooks.TaskStart; h != nil {
		s.rt.taskHook(h, t)
	}
	return true
}

// conclude is the end of a task that Goexit does not unwind.
func (s *stack) conclude(t *task) {
	s.unlockThread()
	if h := s.rt.cfg.Hooks.TaskEnd; h != nil && t.settled {
		s.rt.taskHook(h, t)
	}
	s.w.lane.ended()
	t.finish(s)
}

// unwound finishes a task that Goexit is unwinding, on the way out, for a Goexit
// cannot be stopped. (Nor does recovering a panic that a deferred call raised
// meanwhile, which is why this is decided by exec not coming back.) The joiner
// below, if t ran in place, is current again for its own deferred calls.
func (s *stack) unwound(t *task) {
	if t.settled {
		return
	}
	if t.err == nil {
		t.err = ErrGoexit
	}
	t.flags.Or(flagGoexit)
	s.unlockThread()
	s.unwinding = true
	if h := s.rt.cfg.Hooks.TaskEnd; h != nil {
		s.rt.taskHook(h, t)
	}
	if s.kind == kindCoroutine || len(s.nest) > 0 || s.pinned {
		s.w.lane.ended()
	}
	if n := len(s.nest); n > 0 {
		s.cur.Store(s.unnest())
	} else if s.kind == kindCoroutine {
		s.cur.Store(nil)
	}
	t.finish(s)
}

// suspend leaves the current task's stack and goes on with other work. It returns
// when somebody resumes the task.
func (s *stack) suspend(how landing) {
	w := s.w
	var t *task
	if w.lane.pollAt != 0 {
		w.lane.pollEnds()
	}
	if !w.lane.debt.Load() {
		if how == landYielded && s.rt.classes.queued.Load() > 0 {
			t = w.lane.pickFor(s.cur.Load().class())
		} else {
			t = w.lane.pick()
		}
		if t == nil && how == landYielded {
			return // nobody else wants to run
		}
		if t != nil {
			w.lane.taken(t)
		}
	}
	s.unlockThread() // before rest, which may create a coroutine
	w.after, w.left = how, s
	s.cur.Load().stack = s
	var n *stack
	if t != nil && t.stack != nil && t.stack.kind == kindCoroutine {
		n = t.stack
	} else {
		if n = w.lane.rested(); n == nil {
			n = w.base // makes one: here that would need more than a small stack
		}
		n.next = t
	}
	n.w = w
	s.switchTo(n)
	s.resumed()
}

// resumed is the first thing a task's stack does after a switch.
func (s *stack) resumed() {
	w := s.w
	w.land()
	s.sliceOf = nil // what waited begins a new time slice
	w.lane.running(s)
	w.lane.polled()
}

// land does what is left to do about the stack that this worker ran before.
func (w *worker) land() {
	how, s := w.after, w.left
	if how == landNothing {
		return
	}
	w.after, w.left = landNothing, nil
	switch how {
	case landParked:
		t := s.cur.Load()
		w.lane.stats.parks.Inc()
		if !t.token.CompareAndSwap(tokenNone, tokenParked) {
			t.token.Store(tokenNone)
			w.lane.pushBack(t)
		}
	case landYielded:
		w.lane.pushBack(s.cur.Load())
	case landReturned:
		s.rt.returners.push(s.cur.Load())
		s.rt.notify()
	case landStocked:
		if s.rt.stock.put(s) {
			s.rt.janitor.call()
		} else {
			s.release()
		}
	case landRetired, landDeparting:
		s.release()
	}
}

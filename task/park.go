package task

import (
	"runtime"

	"weft/internal/sy"
)

// Parking. Each task has a token:
//
//	none      it runs, or it has not looked yet
//	parked    it waits; its stack (or goroutine) can be resumed
//	notified  somebody woke it before it parked; it will not park next time
//
// A waiter writes down where it waits, looks whether it must, and parks. A waker
// changes what is waited for, then wakes. All of these are sequentially
// consistent, so either the waiter sees the change or the waker sees the waiter.
// Waking is free to be wrong: whoever wakes up looks again and parks again, so a
// late wake, meant for an earlier wait, does no harm.
//
// parked is set only once the stack is off its thread (land), so whoever moves it
// back to none may have the stack resumed at once.
const (
	tokenNone = iota
	tokenParked
	tokenNotified
)

// wake makes a parked task ready, or leaves a token. on is the waker's stack if
// it is known to run under a permit of the same runtime, else nil.
func (t *task) wake(on *stack) { t.wakeAs(on, false) }

// wakeNext is wake for a task that should run as soon as the waker waits.
func (t *task) wakeNext(on *stack) { t.wakeAs(on, true) }

func (t *task) wakeAs(on *stack, next bool) {
	for {
		switch t.token.Load() {
		case tokenNone:
			if t.token.CompareAndSwap(tokenNone, tokenNotified) {
				return
			}
		case tokenParked:
			if t.token.CompareAndSwap(tokenParked, tokenNone) {
				if s := t.stack; s.kind == kindCoroutine {
					t.rt.ready(t, on, next)
				} else {
					s.parker.Unpark()
				}
				return
			}
		default:
			return
		}
	}
}

// park waits for a wake, on whatever kind of stack s is. It may return early.
func (s *stack) park() {
	t := s.cur.Load()
	if t.token.Load() == tokenNotified {
		t.token.Store(tokenNone)
	} else {
		switch s.kind {
		case kindCoroutine:
			s.suspend(landParked)
		case kindBorrowed:
			s.lend()
			s.await()
			s.reclaim()
		default:
			s.await()
		}
	}
	if t.flags.Load()&flagDoomed != 0 && !s.unwinding {
		s.unwinding = true
		runtime.Goexit()
	}
}

// await parks the goroutine itself.
func (s *stack) await() {
	t := s.cur.Load()
	if t.stack != s {
		t.stack = s // a child that runs in place has not been here before
	}
	if t.token.CompareAndSwap(tokenNone, tokenParked) {
		s.parker.Park()
		return
	}
	t.token.Store(tokenNone)
}

// caller returns the task that calls and the stack to park on. A goroutine that
// is no task, or is inside a marked region, waits as itself.
func caller(rt *Runtime, s *stack) (*task, *stack) {
	if s != nil && s.working() {
		return s.cur.Load(), s
	}
	t := &task{family: rt.root.family}
	t.stack = &stack{kind: kindPlain, rt: rt, parker: rt.env.NewParker()}
	t.stack.cur.Store(t)
	return t, t.stack
}

// fan stands in a cell for several joiners, or for one that is not a task.
type fan struct {
	task
	mu      sy.Mutex
	fired   bool
	waiters []*task
	call    func()
}

// completed is called for what stood in a cell when its task ended.
func (t *task) completed(on *stack) {
	f := t.flags.Load()
	if f&(flagFan|flagNotify) == 0 {
		t.wake(on)
		return
	}
	fan := t.body.(*fan)
	fan.mu.Lock()
	fan.fired = true
	waiters := fan.waiters
	fan.waiters = nil
	fan.mu.Unlock()
	for _, w := range waiters {
		w.completed(on)
	}
	if fan.call != nil {
		fan.call()
	}
}

func newFan(flag uint32, call func(), waiters ...*task) *task {
	f := &fan{waiters: waiters, call: call}
	f.flags.Store(flag)
	f.body = f
	return &f.task
}

func (f *fan) exec()     {}
func (f *fan) ended()    {}
func (f *fan) code() any { return nil }

// addWaiter puts w where t's end wakes it. It reports false if t has ended.
func (t *task) addWaiter(w *task) bool {
	for {
		c := t.cell.Load()
		switch {
		case c == doneMark:
			return false
		case c == nil:
			if t.cell.CompareAndSwap(nil, w) {
				return true
			}
		case c.flags.Load()&flagFan != 0:
			f := c.body.(*fan)
			f.mu.Lock()
			fired := f.fired
			if !fired {
				f.waiters = append(f.waiters, w)
			}
			f.mu.Unlock()
			return !fired
		default:
			if t.cell.CompareAndSwap(c, newFan(flagFan, nil, c, w)) {
				return true
			}
		}
	}
}

// dropWaiter takes w back after it gave up waiting.
func (t *task) dropWaiter(w *task) {
	if t.cell.CompareAndSwap(w, nil) {
		return
	}
	c := t.cell.Load()
	if c == nil || c == doneMark || c.flags.Load()&flagFan == 0 {
		return
	}
	f := c.body.(*fan)
	f.mu.Lock()
	for i, x := range f.waiters {
		if x == w {
			f.waiters = append(f.waiters[:i], f.waiters[i+1:]...)
			break
		}
	}
	f.mu.Unlock()
}

//go:build !race && !weftsim

package task

import (
	"iter"
	"runtime"

	"weft/internal/sy"
)

// inPlace reports whether tasks may run on each other's stacks.
const inPlace = true

// cell is where a resting goroutine sits. It is one iter.Pull: a coroutine object
// of the Go runtime always has exactly one goroutine resting in it, and whoever
// switches into it takes that one's place. Nothing ties the goroutine that was
// made with a cell to that cell, so a switch from any stack to any other is one
// exchange, half of what a detour through a driver would cost: to go from s to n,
// s enters the cell where n rests.
//
// Two functions enter a cell, next and yield, and they must alternate: inNext
// says which one the resting goroutine came by. Results are never passed.
//
// A goroutine that ends hands control to whoever rests in the cell it was made
// with. If it ends by Goexit, a resting goroutine that came by next is killed as
// well (iter.Pull passes Goexit on), one that came by yield is not.
type cell struct {
	owner  *stack // the goroutine made with it
	next   func() (struct{}, bool)
	yield  func(struct{}) bool
	inNext bool
	rests  *stack // who is in it
}

// switcher is a stack's place among the cells.
type switcher struct {
	at      *cell   // where it rests
	own     cell    // the one it was made with
	goTo    *stack  // an order for a stack that rests, see bringHome
	leaving sy.Bool // off its thread, and to end when its own cell allows
}

// adopt prepares a goroutine that exists already: nothing to do.
func (s *stack) adopt() {}

// create makes s a coroutine that runs main when first resumed. The caller's
// thread must not be locked.
func (s *stack) create() {
	if oneThread {
		// All goroutines share one thread there, and with it a count of locks that
		// others left behind. It means nothing, but not to a new coroutine.
		for range 1024 {
			runtime.UnlockOSThread()
		}
	}
	s.at = &s.own
	s.own.owner, s.own.rests = s, s
	s.own.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		s.own.yield = yield
		s.main()
	})
}

// switchTo rests s and runs n in its stead. It returns when s is resumed.
//
// If the cell's own goroutine waits to end, this is the moment: it is resumed
// instead, ends, and its end resumes n. That is safe if it ends normally or n
// came by yield.
func (s *stack) switchTo(n *stack) {
	if o := n.at.owner; o.leaving.Load() && o != n && (o.normal || !n.at.inNext) {
		n = o
	}
	s.enterCell(n.at)
}

func (s *stack) enterCell(c *cell) {
	s.at, c.rests = c, s
	if c.inNext {
		c.inNext = false
		c.yield(struct{}{})
	} else {
		c.inNext = true
		c.next()
	}
}

// obey is called by a stack resumed at rest. It goes where it is sent (see
// bringHome), and reports true if the stack has to end.
func (s *stack) obey() (end bool) {
	s.wander()
	if !s.leaving.Load() {
		return false
	}
	s.normal = true
	return true
}

func (s *stack) wander() {
	for s.goTo != nil {
		n := s.goTo
		s.goTo = nil
		s.enterCell(n.at)
	}
}

// depart switches away from a stack that Goexit unwinds; when it returns, the
// goroutine ends.
func (s *stack) depart(n *stack) {
	s.switchTo(n)
	s.wander()
}

// release lets a stack end that has been left for good. If it rests in the cell of
// another that leaves, that one ends as well: else two which rest in each other's
// cells, or a ring of them, would stay until Shutdown, for nobody resumes them.
func (s *stack) release() {
	if s.at == &s.own {
		s.rt.reaper(func() { (&stack{kind: kindPlain}).bury(s) })
		return
	}
	k := &s.rt.stock
	k.mu.Lock() // of two that close a ring the second sees the first
	ring := s.at.owner.leaving.Load()
	if !ring {
		s.leaving.Store(true)
	}
	k.mu.Unlock()
	if ring {
		s.rt.reaper(func() { s.rt.dispose([]*stack{s}) })
	}
}

// bury ends s, which rests in its own cell, from a goroutine that is not needed
// afterwards: a Goexit that s passes on ends only that.
func (d *stack) bury(s *stack) {
	s.leaving.Store(true)
	d.enterCell(s.at)
}

// bringHome moves s into its own cell, where it can end. o rests there now; it
// takes the place of s. The caller, on the goroutine of d, has both in its hands.
//
// d enters the cell of o, o that of s, and s its own, which brings control back.
func (d *stack) bringHome(s, o *stack) {
	o.goTo, s.goTo = s, d
	d.enterCell(o.at)
}

// inter buries s from a goroutine made for it and waits until that is done.
func (rt *Runtime) inter(s *stack) {
	done := rt.env.NewParker()
	rt.env.Go("weft bury", func() {
		defer done.Unpark()
		(&stack{kind: kindPlain}).bury(s)
	})
	done.Park()
}

// dispose ends stacks that rest and are in the caller's hands. Who has a stack in
// hand also has the leaving one in whose cell it rests, for nobody else may bring
// that to its end. A stack whose own cell somebody else occupies ends when that
// one is resumed. The caller's thread must not be locked.
func (rt *Runtime) dispose(old []*stack) {
	mine := make(map[*stack]bool, len(old))
	for _, s := range old {
		mine[s] = true
	}
	d := &stack{kind: kindPlain}
	for _, x := range old {
		for mine[x] {
			s := x.at.owner
			switch {
			case s == x:
				rt.inter(s)
			case mine[s] || s.leaving.Load():
				d.bringHome(s, x)
				rt.inter(s)
			default:
				s = x
				x.leaving.Store(true)
			}
			delete(mine, s)
		}
	}
}

// teardown ends all stacks of a runtime whose tasks have ended and whose workers
// have gone. It runs on a fresh goroutine: a locked caller would be fatal.
func (rt *Runtime) teardown() {
	d := &stack{kind: kindPlain}
	for s := rt.firstStack(); s != nil; s = rt.firstStack() {
		if o := s.own.rests; o != s {
			d.bringHome(s, o)
		}
		rt.inter(s)
	}
}

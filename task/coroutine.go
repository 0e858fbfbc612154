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
	at, own *cell   // where it rests; the one it was made with
	leaving sy.Bool // off its thread, and to end when its own cell allows
	goTo    *stack  // an order for a stack that rests to end, see teardown
}

// adopt prepares a goroutine that exists already: nothing to do.
func (s *stack) adopt() {}

// create makes s a coroutine that runs main when first resumed. The caller's
// thread must not be locked.
func (s *stack) create() {
	if runtime.GOARCH == "wasm" {
		// All goroutines share one thread there, and with it a count of locks that
		// others left behind. It means nothing, but not to a new coroutine.
		for range 1024 {
			runtime.UnlockOSThread()
		}
	}
	c := &cell{owner: s, rests: s}
	s.at, s.own = c, c
	c.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
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

// obey is called by a stack resumed at rest. It reports true if the stack has to
// end; on the way it goes where teardown sends it.
func (s *stack) obey() (end bool) {
	if !s.leaving.Load() {
		return false
	}
	s.normal = true
	for s.goTo != nil {
		n := s.goTo
		s.goTo = nil
		s.enterCell(n.at)
	}
	return true
}

// depart switches away from a stack that Goexit unwinds; when it returns, the
// goroutine ends.
func (s *stack) depart(n *stack) {
	s.switchTo(n)
	for s.goTo != nil {
		n := s.goTo
		s.goTo = nil
		s.enterCell(n.at)
	}
}

// release lets a stack end that has been left for good.
func (s *stack) release() {
	if s.at == s.own {
		s.rt.reaper(func() { (&stack{kind: kindPlain}).bury(s) })
		return
	}
	s.leaving.Store(true)
}

// bury ends s, which rests in its own cell, from a goroutine that is not needed
// afterwards: a Goexit that s passes on ends only that.
func (d *stack) bury(s *stack) {
	s.leaving.Store(true)
	d.enterCell(s.at)
}

// teardown ends all stacks of a runtime whose tasks have ended and whose workers
// have gone. It runs on a fresh goroutine: a locked caller would be fatal.
func (rt *Runtime) teardown() {
	d := &stack{kind: kindPlain}
	for s := rt.firstStack(); s != nil; s = rt.firstStack() {
		s.leaving.Store(true)
		if o := s.own.rests; o != s {
			// Bring s home: d enters the cell of s, o that of which s rests in,
			// and s its own, which brings control back here.
			o.leaving.Store(true)
			o.goTo, s.goTo = s, d
			d.enterCell(o.at)
		}
		done := rt.env.NewParker()
		rt.env.Go("weft bury", func() {
			defer done.Unpark()
			(&stack{kind: kindPlain}).bury(s)
		})
		done.Park()
	}
}

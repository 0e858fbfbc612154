//go:build race || weftsim

package task

import "weft/internal/sy"

// inPlace reports whether tasks may run on each other's stacks. Here they may
// not: the race detector takes two tasks on one goroutine for ordered.
const inPlace = false

// switcher rests a stack as a goroutine of its own that waits for a baton. Race
// builds use it because the detector knows goroutines and nothing of coroutines.
type switcher struct {
	baton   sy.Parker
	gone    sy.Parker // the goroutine has ended
	leaving sy.Bool
}

// adopt prepares a goroutine that exists already.
func (s *stack) adopt() { s.baton = s.rt.env.NewParker() }

// create makes s a goroutine that runs main when first resumed.
func (s *stack) create() {
	s.adopt()
	s.gone = s.rt.env.NewParker()
	s.rt.env.Go("weft stack", func() {
		defer s.gone.Unpark()
		s.baton.Park()
		if s.leaving.Load() {
			s.rt.delist(s)
			return
		}
		s.main()
	})
}

// switchTo rests s and runs n in its stead. It returns when s is resumed.
func (s *stack) switchTo(n *stack) {
	n.baton.Unpark()
	s.baton.Park()
}

// obey is called by a stack resumed at rest. It reports true if it has to end.
func (s *stack) obey() (end bool) { return s.leaving.Load() }

// depart hands control on from a stack that Goexit unwinds.
func (s *stack) depart(n *stack) { n.baton.Unpark() }

// release ends a stack that was left for good. One that unwinds ends by itself.
func (s *stack) release() {
	s.leaving.Store(true)
	s.baton.Unpark()
}

// dispose ends stacks that rest and are in the caller's hands.
func (rt *Runtime) dispose(old []*stack) {
	for _, s := range old {
		s.release()
	}
}

// teardown ends all stacks of a runtime whose tasks have ended and whose workers
// have gone.
func (rt *Runtime) teardown() {
	for s := rt.firstStack(); s != nil; s = rt.firstStack() {
		s.release()
		s.gone.Park()
	}
}

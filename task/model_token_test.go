//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelToken: a waiter that looks and parks, and two that change what it
// waits for and wake it, once more than needed. It always wakes up.
func TestModelToken(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		var ready sy.Int32
		rt := &Runtime{env: env}
		s := &stack{kind: kindPlain, rt: rt, parker: env.NewParker()}
		w := &task{stack: s}
		s.cur.Store(w)
		waiter := func() {
			for ready.Load() < 2 {
				s.park()
			}
		}
		waker := func() {
			ready.Add(1)
			w.wake(nil)
		}
		return model{
			Model: checker.Model{Threads: threads("waiter", waiter, "waker 1", waker, "waker 2", waker)},
			faults: map[string]fault{
				"wake leaves no token for one who has not parked": spoil(&w.token, sy.Compare, sy.LeftOut).in("waker 2"),
				"parking does not see a token":                    spoil(&w.token, sy.Compare, sy.Blind).in("waiter"),
				"the place is not unparked": func(_ string, op sy.Op) sy.Effect {
					if op.Kind == sy.Unpark {
						return sy.LeftOut
					}
					return sy.Whole
				},
			},
		}
	})
}

//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelWaiter: one waits under a context that another cancels, while a third
// wakes. The token is taken or left, and never lost; and Wait always returns.
func TestModelWaiter(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		ctx := newModelTask(&rt.root)
		var w Waiter
		tokens := 0
		waiter := func() {
			if w.Wait(ctx) == nil {
				tokens++
			}
		}
		return model{
			Model: checker.Model{
				Threads: threads("waiter", waiter, "waker", w.Wake, "canceller", ctx.cancel),
				Check: func() string {
					if w.TryWait() {
						tokens++
					}
					if tokens != 1 {
						return "one token was left and another number found"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"giving up does not compare":  spoil(&w.cell, sy.Compare, sy.Blind).in("waiter").number(2),
				"announcing does not compare": spoil(&w.cell, sy.Compare, sy.Blind).in("waiter").number(1),
				"a token is taken and stays":  spoil(&w.cell, sy.Compare, sy.LeftOut).in("waiter").number(1),
				"the waker does not compare":  spoil(&w.cell, sy.Compare, sy.Blind).in("waker"),
			},
		}
	})
}

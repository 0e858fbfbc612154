//go:build weftsim

package task

import (
	"context"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelLoan: the monitor lends a permit for a task that it found stalled, while
// that task comes back and gives its lane up, and two callers want to run. Never more
// than one of the two runs, both finish, and there is one permit in the end.
func TestModelLoan(t *testing.T) {
	prove(t, preemptions(1), func(x *checker.Explorer, env *checker.Env) model {
		rt := newBorrowedRuntime(env)
		l := rt.lanes[rt.free.take()]
		s := &stack{kind: kindBorrowed, rt: rt}
		s.cur.Store(newModelTask(&rt.root))
		l.running(s)
		rt.monitor.stalls.looks[l.id] = look{on: s, cur: s.cur.Load(), polls: l.stats.polls.Load()}
		var running sy.Int32
		caller := func() {
			_, _ = BlockOn(context.Background(), rt, func(context.Context) (int, error) {
				if running.Add(1) > 1 {
					x.Fail("two run under one permit")
				}
				running.Add(-1)
				return 0, nil
			})
		}
		return model{
			Model: checker.Model{
				Threads: threads(
					"stalled", func() { rt.freeLane(l) },
					"monitor", func() { rt.monitor.lend(l) },
					"caller 1", caller, "caller 2", caller),
				Check: func() string {
					if rt.spares.len() != 1 {
						return "a spare lane was lost or made"
					}
					return atRest(rt)
				},
			},
			faults: map[string]fault{
				"a debt is paid twice":    spoil(&l.debt, sy.Compare, sy.LeftOut).in("stalled"),
				"a debt is not seen":      spoil(&l.debt, sy.Read, sy.LeftOut).in("stalled"),
				"a loan is not announced": spoil(&rt.free.words[0], sy.Read, sy.LeftOut).in("monitor"),
			},
		}
	})
}

//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelQuiet: admission closes while a client spawns a task from outside, a
// caller comes and goes, and a worker runs what it finds. Quiet is noticed in the
// end, and never while anything that was admitted is not yet over.
func TestModelQuiet(t *testing.T) {
	prove(t, preemptions(2), func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		capWorkers(rt, 1)
		w := newModelWorker(rt)
		var fresh task
		admitted, ran := false, 0
		loud := func(what string) {
			if rt.quiet.Load() {
				x.Fail("quiet while %s", what)
			}
		}
		client := func() {
			if admitted = rt.admit(); admitted {
				rt.injector.push(&fresh)
				rt.notify()
			}
		}
		caller := func() {
			if rt.admit() {
				loud("a caller is here")
				rt.leave()
			}
		}
		worker := func() {
			s := newModelStack(w)
			for t := w.find(s); t != nil; t = w.find(s) {
				loud("a task runs")
				ran++
				w.lane.ended()
			}
		}
		closer := func() {
			rt.closed.Store(true)
			rt.checkQuiet()
		}
		return model{
			Model: checker.Model{
				Threads: threads("client", client, "caller", caller, "worker", worker, "closer", closer),
				Idle:    func(thread string) bool { return thread == "worker" },
				Check: func() string {
					if !rt.quiet.Load() {
						return "quiet was not noticed"
					}
					if admitted != (ran == 1) {
						return "a task was admitted and not run, or the other way round"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"a worker does not look":      spoil(&rt.closed, sy.Read, sy.LeftOut).in("worker"),
				"a leaver does not look":      spoil(&rt.closed, sy.Read, sy.LeftOut).in("caller").number(2),
				"admission does not look":     spoil(&rt.closed, sy.Read, sy.LeftOut).in("caller").number(1),
				"a lane's count is not shown": spoil(&rt.lanes[0].shown, sy.Write, sy.LeftOut),
				"admission does not count":    spoil(&rt.live, sy.Write, sy.LeftOut).in("client"),
			},
		}
	})
}

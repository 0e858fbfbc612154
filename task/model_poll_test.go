//go:build weftsim

package task

import (
	"context"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelPoll: a worker polls a state machine that waits for two events, while
// two wakers bring one each. Whenever a wake falls, before, within or after the
// end of a poll, the machine is polled again and ends, and it is never queued
// twice.
func TestModelPoll(t *testing.T) {
	prove(t, preemptions(2), func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		capWorkers(rt, 1)
		w := newModelWorker(rt)
		var events sy.Int32
		p := &poller{poll: func(context.Context, Waker) (bool, error) { return events.Load() == 2, nil }}
		p.task.body = p
		p.task.flags.Store(flagPoll)
		p.task.family, p.task.up = rt.root.family, &rt.root
		worker := func() {
			s := newModelStack(w)
			for t := w.find(s); t != nil; t = w.find(s) {
				for ; t != nil; t = s.next {
					if t.done() {
						x.Fail("polled after its end")
					}
					s.next = nil
					s.run(t)
				}
			}
		}
		waker := func() {
			events.Add(1)
			Waker{p}.Wake()
		}
		sy.Hold()
		rt.live.Add(1)
		rt.injector.push(&p.task)
		sy.Release()
		return model{
			Model: checker.Model{
				Threads: threads("worker", worker, "waker 1", waker, "waker 2", waker),
				Idle:    func(thread string) bool { return thread == "worker" },
				Check: func() string {
					if !p.task.done() {
						return "two events, and the machine has not ended"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"the end of a poll does not compare":   spoil(&p.state, sy.Compare, sy.Blind).in("worker"),
				"a wake during a poll is not noted":    spoil(&p.state, sy.Compare, sy.LeftOut).in("waker 2").while(func() bool { return p.state.Load() == pollRuns }),
				"a waker leaves the machine waiting":   spoil(&p.state, sy.Compare, sy.LeftOut).in("waker 1").while(func() bool { return p.state.Load() == pollWaits }),
				"a waker takes it without comparing":   spoil(&p.state, sy.Compare, sy.Blind).in("waker").while(func() bool { return p.state.Load() == pollRuns }),
				"the end of a poll does not see wakes": spoil(&p.state, sy.Read, sy.LeftOut).in("worker"),
			},
		}
	})
}

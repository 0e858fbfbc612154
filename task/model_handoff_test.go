//go:build weftsim

package task

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// newBorrowedRuntime has no workers, and a monitor that scans when a model says so.
func newBorrowedRuntime(env *checker.Env) *Runtime {
	rt := newModelRuntime(env, 1, 2)
	capWorkers(rt, 0)
	rt.monitor.asleep.Store(false)
	rt.monitor.unused.Store(false)
	return rt
}

// atRest says what is wrong with a runtime that nobody uses any more.
func atRest(rt *Runtime) string {
	if rt.free.len() != 1 || rt.searching.Load() != 0 || rt.returners.len() != 0 || rt.live.Load() != 0 {
		return fmt.Sprint(rt.free.len(), " lanes are free, ", rt.searching.Load(), " search, ", rt.returners.len(), " return, ", rt.live.Load(), " live")
	}
	return ""
}

// TestModelHandoff: two callers share one permit through BlockOn; one of them blocks
// in a marked region, and the monitor finds it old enough. Both finish, never more
// than one runs outside the region, and the permit is free in the end.
func TestModelHandoff(t *testing.T) {
	prove(t, preemptions(3), func(x *checker.Explorer, env *checker.Env) model {
		rt := newBorrowedRuntime(env)
		ctx := context.Background()
		var running sy.Int32
		begin := func() {
			if running.Add(1) > 1 {
				x.Fail("two run under one permit")
			}
		}
		end := func() { running.Add(-1) }
		blocker := func() {
			_, _ = BlockOn(ctx, rt, func(ctx context.Context) (int, error) {
				begin()
				end()
				_, _ = Block(ctx, func() (int, error) { return 0, nil })
				begin()
				end()
				return 0, nil
			})
		}
		caller := func() {
			_, _ = BlockOn(ctx, rt, func(context.Context) (int, error) {
				begin()
				end()
				return 0, nil
			})
		}
		monitor := func() {
			env.Clock.Store(1_000_000)
			rt.monitor.scan()
		}
		region, free := &rt.lanes[0].region, &rt.free.words[0]
		return model{
			Model: checker.Model{
				Threads: threads("blocker", blocker, "caller", caller, "monitor", monitor),
				Check:   func() string { return atRest(rt) },
			},
			faults: map[string]fault{
				"the leaver does not compare":   spoil(region, sy.Compare, sy.Blind).in("blocker"),
				"the monitor does not compare":  spoil(region, sy.Compare, sy.Blind).in("monitor"),
				"the monitor keeps the permit":  spoil(free, sy.Write, sy.LeftOut).in("monitor"),
				"a caller gives to nobody":      spoil(&rt.returners.n, sy.Read, sy.LeftOut).in("caller"),
				"a permit is taken blindly":     spoil(free, sy.Compare, sy.Blind),
				"who returns does not announce": spoil(&rt.searching, sy.Compare, sy.LeftOut).in("blocker"),
			},
		}
	})
}

// TestModelReturners: two callers queue for the permit one after the other while a
// third holds it. They get it in that order.
func TestModelReturners(t *testing.T) {
	prove(t, preemptions(2), func(x *checker.Explorer, env *checker.Env) model {
		rt := newBorrowedRuntime(env)
		var order []string
		queued := func(n int) {
			at := &rt.returners.n
			await(x, at, func() bool { return at.Load() >= int64(n) })
		}
		var held sy.Int32
		caller := func(name string, before func(), inside func()) func() {
			return func() {
				before()
				_, _ = BlockOn(context.Background(), rt, func(context.Context) (int, error) {
					order = append(order, name)
					inside()
					return 0, nil
				})
			}
		}
		none := func() {}
		holds := func() { await(x, &held, func() bool { return held.Load() == 1 }) }
		return model{
			Model: checker.Model{
				Threads: threads(
					"holder", caller("holder", none, func() { held.Store(1); queued(2) }),
					"first", caller("first", holds, none),
					"second", caller("second", func() { queued(1) }, none)),
				Check: func() string {
					if !slices.Equal(order, []string{"holder", "first", "second"}) {
						return fmt.Sprint("served in the order ", order)
					}
					return atRest(rt)
				},
			},
			faults: map[string]fault{
				"the permit is kept":             spoil(&rt.free.words[0], sy.Write, sy.LeftOut).in("holder"),
				"a free permit is taken at once": spoil(&rt.returners.n, sy.Read, sy.LeftOut).in("holder"),
			},
		}
	})
}

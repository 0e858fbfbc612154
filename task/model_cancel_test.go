//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// modelCancel: a task is cancelled while its child links itself, looks and waits.
// The child always hears of it. With ends, the one that is cancelled is further up,
// and the task between the two ends meanwhile.
func modelCancel(ends bool) func(x *checker.Explorer, env *checker.Env) model {
	return func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		above := newModelTask(&rt.root)
		parent := above
		if ends {
			parent = newModelTask(above)
		}
		child := newModelTask(parent)
		s := &stack{kind: kindBase, rt: rt, parker: env.NewParker()}
		s.cur.Store(child)
		list := threads("child", func() {
			child.arm(child, s)
			for child.Err() == nil {
				s.park()
			}
			child.finish(nil)
		}, "canceller", above.cancel)
		if ends {
			list = append(list, threads("parent", func() {
				parent.link()
				parent.finish(nil)
			})...)
		}
		linked := func() bool { return child.flags.Load()&flagLinked != 0 }
		return model{
			Model: checker.Model{
				Threads: list,
				Check: func() string {
					if b := rt.root.branch.Load(); b != nil && b.kids() != nil && b.kids().kids() != nil {
						return "a task that has ended is still linked"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"the epoch stays":              spoil(&rt.cancelEpoch, sy.Write, sy.LeftOut),
				"the flag is not set":          spoil(&above.flags, sy.Write, sy.LeftOut).in("canceller"),
				"the child is not woken":       spoil(&child.token, sy.Compare, sy.LeftOut).in("canceller"),
				"the child overlooks the flag": spoil(&above.flags, sy.Read, sy.LeftOut).in("child").while(linked),
			},
		}
	}
}

func TestModelCancel(t *testing.T) {
	t.Run("child", func(t *testing.T) { prove(t, checker.Options{}, modelCancel(false)) })
	t.Run("grandchild", func(t *testing.T) { prove(t, preemptions(2), modelCancel(true)) })
}

// TestModelAfterFunc: callbacks are registered with a task's context while the task
// ends and one above it is cancelled. One is taken back: it is called once or that
// came in time. One is kept: it is called once.
func TestModelAfterFunc(t *testing.T) {
	prove(t, preemptions(1), func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		above := newModelTask(&rt.root)
		parent := newModelTask(above)
		calls, kept, stopped := 0, 0, false
		user := func() { stopped = parent.AfterFunc(func() { calls++ })() }
		keeper := func() { parent.AfterFunc(func() { kept++ }) }
		ends := func() { parent.finish(nil) }
		return model{
			Model: checker.Model{
				Threads: threads("user", user, "keeper", keeper, "parent", ends, "canceller", above.cancel),
				Check: func() string {
					if stopped == (calls > 0) || calls > 1 {
						return "the callback was called and taken back, or neither, or twice"
					}
					if kept != 1 {
						return "the callback that was kept was not called once"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"the user looks no more":   spoil(&above.flags, sy.Read, sy.LeftOut).in("keeper").while(func() bool { return registered(parent) }),
				"the canceller walks past": spoil(&above.branch, sy.Read, sy.LeftOut).in("canceller"),
			},
		}
	})
}

func registered(t *task) bool {
	b := t.branch.Load()
	return b != nil && b.extra.Load() != nil && b.extra.Load().afters != nil
}

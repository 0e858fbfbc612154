//go:build weftsim

package task

import (
	"context"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelRuntime is the whole runtime at one permit: a task is spawned from
// outside, spawns a child and joins it; it is joined, and the runtime shut down.
// Results arrive and nothing is left.
func TestModelRuntime(t *testing.T) {
	prove(t, preemptions(3), func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		runs := 0
		user := func() {
			h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
				child := Go(ctx, func(context.Context) (int, error) { runs++; return 3, nil })
				v, err := child.Join(ctx)
				return v + 1, err
			})
			if v, err := h.Join(context.Background()); v != 4 || err != nil {
				x.Fail("the result is %d, %v", v, err)
			}
			if err := rt.Shutdown(context.Background()); err != nil {
				x.Fail("shutdown: %v", err)
			}
		}
		return model{
			Model: checker.Model{
				Threads: threads("user", user),
				Check: func() string {
					if runs != 1 || rt.allStacks != nil || rt.running.Load() != 0 {
						return "the child did not run once, or something is left"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"nobody is notified":             spoil(&rt.free.words[0], sy.Read, sy.LeftOut).in("user"),
				"workers do not hear of the end": spoil(&rt.stopping, sy.Write, sy.LeftOut),
			},
		}
	})
}

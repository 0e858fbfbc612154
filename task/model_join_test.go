//go:build weftsim

package task

import (
	"context"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelJoin: two join a task that ends, one of them under a context that is
// cancelled. The first gets the result; the other gets it or the error of its
// context; both always return, and nobody is left in the cell.
func TestModelJoin(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		ctx := newModelTask(&rt.root)
		ctx.link() // the cancellation tree has models of its own
		ctx.more()
		h := &Handle[int]{}
		h.task.body, h.task.up, h.task.family = h, &rt.root, rt.root.family
		ender := func() {
			h.val = 7
			h.task.finish(nil)
		}
		joiner := func() {
			if v, err := h.Join(context.Background()); v != 7 || err != nil {
				x.Fail("the joiner got %d, %v", v, err)
			}
		}
		quitter := func() {
			if v, err := h.Join(ctx); err == nil && v != 7 {
				x.Fail("the quitter got %d", v)
			}
		}
		return model{
			Model: checker.Model{
				Threads: threads("ender", ender, "joiner", joiner, "quitter", quitter, "canceller", ctx.cancel),
			},
			faults: map[string]fault{
				"a joiner does not compare":          spoil(&h.task.cell, sy.Compare, sy.Blind).in("joiner"),
				"a second joiner replaces the first": spoil(&h.task.cell, sy.Compare, sy.Blind).in("quitter"),
				"who gives up takes all along":       spoil(&h.task.cell, sy.Compare, sy.Blind).in("quitter").number(2),
				"the end is not marked":              spoil(&h.task.cell, sy.Write, sy.LeftOut),
			},
		}
	})
}

//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// tally counts how often each task came out of the queues.
type tally map[*task]int

func (c tally) got(t *task) {
	if t != nil {
		c[t]++
	}
}

// once says what is wrong unless each of the tasks came out once.
func (c tally) once(tasks []task) string {
	for i := range tasks {
		if c[&tasks[i]] != 1 {
			return "a task came out another number of times than once"
		}
	}
	return ""
}

// TestModelDeque: an owner that pops, pushes past the end of a ring of two and
// spills, and two thieves. Every task comes out once.
func TestModelDeque(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		var d deque
		var own [2]deque
		d.init(2)
		tasks := make([]task, 4)
		count := tally{}
		d.push(&tasks[0])
		d.push(&tasks[1])
		owner := func() {
			if !d.push(&tasks[2]) {
				for first, _, n := d.spill(); n > 0; n-- {
					count.got(first)
					first = first.next
				}
				if !d.push(&tasks[2]) {
					count.got(&tasks[2])
				}
			}
			count.got(d.pop())
			if !d.push(&tasks[3]) {
				count.got(&tasks[3])
			}
		}
		thief := func(own *deque) func() {
			own.init(2)
			return func() { count.got(d.stealInto(own)) }
		}
		drain := func(d *deque) {
			for t := d.pop(); t != nil; t = d.pop() {
				count.got(t)
			}
		}
		return model{
			Model: checker.Model{
				Threads: threads("owner", owner, "thief 1", thief(&own[0]), "thief 2", thief(&own[1])),
				Check: func() string {
					drain(&d)
					drain(&own[0])
					drain(&own[1])
					return count.once(tasks)
				},
			},
			faults: map[string]fault{
				"pop or spill does not compare": spoil(&d.head, sy.Compare, sy.Blind).in("owner"),
				"steal does not compare":        spoil(&d.head, sy.Compare, sy.Blind).in("thief"),
				"push does not move tail":       spoil(&d.tail, sy.Write, sy.LeftOut).in("owner").number(1),
				"a cell is not written":         spoil(&d.ring[0], sy.Write, sy.LeftOut).in("owner"),
			},
		}
	})
}

//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelFifo: the injector under a pusher of one, a pusher of a list, a worker
// that grabs a share into its ring, and one that pops. Every task comes out once,
// those of one pusher in their order, and the count is right in the end.
func TestModelFifo(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		var q fifo
		var ring deque
		ring.init(4)
		tasks := make([]task, 3)
		count := tally{}
		one := func() { q.push(&tasks[0]) }
		list := func() {
			tasks[1].next = &tasks[2]
			q.pushList(&tasks[1], &tasks[2], 2)
		}
		grabber := func() { count.got(q.grab(&ring, 1)) }
		popper := func() {
			for range 2 {
				count.got(q.pop())
			}
		}
		return model{
			Model: checker.Model{
				Threads: threads("one", one, "list", list, "grabber", grabber, "popper", popper),
				Check: func() string {
					for t := ring.pop(); t != nil; t = ring.pop() {
						count.got(t)
					}
					for t := q.pop(); t != nil; t = q.pop() {
						count.got(t)
					}
					if q.len() != 0 || q.head != nil || q.tail != nil {
						return "something is left in an empty queue"
					}
					return count.once(tasks)
				},
			},
			faults: map[string]fault{
				"a push is not counted":     spoil(&q.n, sy.Write, sy.LeftOut).in("list"),
				"a pop is not counted":      spoil(&q.n, sy.Write, sy.LeftOut).in("popper"),
				"an empty queue looks full": spoil(&q.n, sy.Write, sy.LeftOut).in("grabber"),
			},
		}
	})
}

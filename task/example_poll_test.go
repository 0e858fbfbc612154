package task_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"weft/task"
)

// signal is an event that a state machine waits for.
type signal struct {
	mu    sync.Mutex
	fired bool
	waker task.Waker
}

// ready reports whether the event is there. If not, w is woken when it comes.
func (s *signal) ready(w task.Waker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waker = w
	return s.fired
}

func (s *signal) fire() {
	s.mu.Lock()
	s.fired = true
	w := s.waker
	s.mu.Unlock()
	w.Wake()
}

// An order is shipped when it has been paid and packed, in whatever order that
// happens. While it waits it is a closure on the heap and has no stack, so that a
// million orders may wait.
func ExampleGoPoll() {
	rt, err := task.Start(task.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	defer func() { _ = rt.Shutdown(ctx) }()

	var paid, packed signal
	state := "new"
	order := task.GoPoll(rt.Enter(ctx), func(ctx context.Context, w task.Waker) (done bool, err error) {
		if err := ctx.Err(); err != nil {
			return true, err // cancelled, or the minute is over
		}
		if state == "new" && paid.ready(w) {
			state = "paid"
		}
		if state == "paid" && packed.ready(w) {
			state = "shipped"
		}
		return state == "shipped", nil
	})

	packed.fire()
	paid.fire()
	_, err = order.Join(ctx)
	fmt.Println(state, err)
	// Output: shipped <nil>
}

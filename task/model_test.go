//go:build weftsim

package task

import (
	"testing"

	"weft/internal/sy"
)

// A small model checker: it runs a few threads one at a time and switches only at
// the operations of package sy, in every order there is. It sees what sequentially
// consistent atomics can do, which is what sync/atomic promises. Run it with
//
//	go test -tags weftsim -run Model ./task

// modelThread is a goroutine that goes on only when told to.
type modelThread struct {
	resume, paused chan struct{}
	over           bool
}

// explore runs make's threads in every interleaving, up to limit runs, and calls
// the check that make returned after each. It returns the number of runs and the
// first failure.
func explore(t *testing.T, limit int, make_ func() (threads []func(), check func() string)) (runs int, failure string) {
	t.Helper()
	defer func() { sy.Hook = nil }()
	var choices, widths []int
	for runs = 0; runs < limit; runs++ {
		threads, check := make_()
		step := 0
		runModel(threads, func(n int) int {
			if step == len(choices) {
				choices, widths = append(choices, 0), append(widths, n)
			}
			step++
			return choices[step-1]
		})
		if failure = check(); failure != "" {
			return runs + 1, failure
		}
		for len(choices) > 0 && choices[len(choices)-1] == widths[len(choices)-1]-1 {
			choices, widths = choices[:len(choices)-1], widths[:len(widths)-1]
		}
		if len(choices) == 0 {
			return runs + 1, ""
		}
		choices[len(choices)-1]++
	}
	t.Fatalf("more than %d interleavings", limit)
	return 0, ""
}

func runModel(threads []func(), choose func(n int) int) {
	var current *modelThread
	sy.Hook = func() {
		me := current
		me.paused <- struct{}{}
		<-me.resume
	}
	var alive []*modelThread
	for _, f := range threads {
		th := &modelThread{resume: make(chan struct{}), paused: make(chan struct{})}
		alive = append(alive, th)
		go func() {
			<-th.resume
			f()
			th.over = true
			th.paused <- struct{}{}
		}()
	}
	for len(alive) > 0 {
		i := 0
		if len(alive) > 1 {
			i = choose(len(alive))
		}
		current = alive[i]
		current.resume <- struct{}{}
		<-current.paused
		if current.over {
			alive = append(alive[:i:i], alive[i+1:]...)
		}
	}
	sy.Hook = nil
}

// modelDeque is an owner and a thief on a ring of two. Every task must come out
// once. pop is the owner's, so that a broken one can be planted.
func modelDeque(pop func(*deque) *task) func() ([]func(), func() string) {
	return func() ([]func(), func() string) {
		var d, own deque
		d.init(2)
		own.init(2)
		var tasks [3]task
		got := map[*task]int{}
		var byOwner, byThief []*task
		keep := func(l *[]*task, x *task) {
			if x != nil {
				*l = append(*l, x)
			}
		}
		d.push(&tasks[0])
		d.push(&tasks[1])
		owner := func() {
			keep(&byOwner, pop(&d))
			if !d.push(&tasks[2]) {
				keep(&byOwner, &tasks[2])
			}
		}
		thief := func() {
			keep(&byThief, d.stealInto(&own))
		}
		return []func(){owner, thief}, func() string {
			for x := d.pop(); x != nil; x = d.pop() {
				keep(&byOwner, x)
			}
			for x := own.pop(); x != nil; x = own.pop() {
				keep(&byThief, x)
			}
			for _, x := range append(byOwner, byThief...) {
				got[x]++
			}
			for i := range tasks {
				if got[&tasks[i]] != 1 {
					return "a task came out another number of times than once"
				}
			}
			return ""
		}
	}
}

func TestModelDeque(t *testing.T) {
	runs, failure := explore(t, 2_000_000, modelDeque((*deque).pop))
	t.Logf("%d interleavings", runs)
	if failure != "" {
		t.Error(failure)
	}
	// The same with a pop that does not compare before it moves head.
	_, failure = explore(t, 2_000_000, modelDeque(func(d *deque) *task {
		h := d.head.Load()
		if h == d.tail.Load() {
			return nil
		}
		x := d.ring[h&d.mask()].Load()
		d.head.Store(h + 1)
		return x
	}))
	if failure == "" {
		t.Error("the model did not notice a pop without compare-and-swap")
	}
}

// modelPublish is the meeting of a publisher and a worker that goes idle: the
// worker makes itself known, frees its lane, and looks at the queue once more; the
// publisher queues, and looks for a free lane. Work must not be left with nobody
// awake. early plants a worker that looks before it frees its lane.
func modelPublish(early bool) func() ([]func(), func() string) {
	return func() ([]func(), func() string) {
		var idlers, free bitmap
		idlers.init(1)
		free.init(1)
		var q fifo
		x := new(task)
		woken, awake := false, false
		publisher := func() {
			q.push(x)
			if free.any() && free.take() >= 0 {
				if idlers.take() >= 0 {
					woken = true
				} else {
					free.set(0)
				}
			}
		}
		worker := func() {
			idlers.set(0)
			if early {
				awake = q.len() > 0
				free.set(0)
				return
			}
			free.set(0)
			if q.len() > 0 && free.take() >= 0 {
				awake = idlers.clear(0)
			}
		}
		return []func(){publisher, worker}, func() string {
			if !woken && !awake {
				return "work was left with nobody awake"
			}
			return ""
		}
	}
}

func TestModelPublish(t *testing.T) {
	runs, failure := explore(t, 2_000_000, modelPublish(false))
	t.Logf("%d interleavings", runs)
	if failure != "" {
		t.Error(failure)
	}
	if _, failure = explore(t, 2_000_000, modelPublish(true)); failure == "" {
		t.Error("the model did not notice a worker that looks too early")
	}
}

// modelRegion is the end of a marked region against the monitor: exactly one of
// them has the lane afterwards. blind plants a worker that does not compare.
func modelRegion(blind bool) func() ([]func(), func() string) {
	return func() ([]func(), func() string) {
		l := &lane{}
		word := l.regionWord(1000)
		l.region.Store(word)
		owners := 0
		worker := func() {
			if blind {
				if l.region.Load() == word {
					l.region.Store(0)
					owners++
				}
				return
			}
			if l.region.CompareAndSwap(word, 0) {
				owners++
			}
		}
		monitor := func() {
			if w := l.region.Load(); w != 0 && regionAge(w, 1_000_000) >= 100 && l.region.CompareAndSwap(w, 0) {
				owners++
			}
		}
		return []func(){worker, monitor}, func() string {
			if owners != 1 {
				return "the lane has another number of owners than one"
			}
			return ""
		}
	}
}

func TestModelRegion(t *testing.T) {
	if _, failure := explore(t, 1000, modelRegion(false)); failure != "" {
		t.Error(failure)
	}
	if _, failure := explore(t, 1000, modelRegion(true)); failure == "" {
		t.Error("the model did not notice a worker that does not compare")
	}
}

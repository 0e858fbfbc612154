package task

import (
	"context"
	"time"
)

const (
	// unwindGrace is how long Shutdown waits, past the end of its context, for the
	// deferred calls of tasks that it unwinds.
	unwindGrace = time.Second
	// unwindPause is how often unwind looks for tasks that began to wait meanwhile.
	unwindPause = 10 * time.Millisecond
)

// waiting calls f for every task that has waited and has not ended.
func (r *Runtime) waiting(f func(*task)) {
	root := r.root.place()
	for todo := []*branch{root}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		mu := r.root.lock(b)
		for k := b.kids(); k != nil; k = k.next {
			todo = append(todo, k)
		}
		mu.Unlock()
		if b != root && !b.task.done() {
			f(b.task)
		}
	}
}

// unwind resumes every parked task into Goexit, and those that park while it
// looks, and waits a little for their deferred calls. It returns those that ended,
// with the traces of where they waited when it began.
func (r *Runtime) unwind(w *Waiter) []Straggler {
	traces := tracesOfStacks()
	stood := map[*task]string{}
	r.eachStack(func(s *stack, t *task) { stood[t] = string(traces.of(s)) })
	var doomed []*task
	for pass := time.Duration(0); pass < unwindGrace && !r.quiet.Load(); pass += unwindPause {
		r.waiting(func(t *task) {
			if t.canDoom() && t.flags.Or(flagDoomed)&flagDoomed == 0 {
				doomed = append(doomed, t)
			}
		})
		for _, t := range doomed {
			t.rouse()
		}
		stop := r.env.Timer(unwindPause, w.wake)
		_ = w.wait(context.Background())
		stop()
	}
	var late []Straggler
	for _, t := range doomed {
		if t.done() {
			late = append(late, Straggler{Name: t.name(), State: "unwound", Stack: stood[t]})
		}
	}
	return late
}

// stragglers describes the tasks that have begun and not ended: first those that
// have a stack, then waiting state machines.
func (r *Runtime) stragglers() []Straggler {
	var out []Straggler
	seen := map[*task]bool{}
	traces := tracesOfStacks()
	states := r.busyStates()
	add := func(t *task, trace []byte) {
		if seen[t] || t.done() {
			return
		}
		seen[t] = true
		state, busy := states[t]
		switch {
		case busy:
		case t.waits():
			state = "waiting"
		default:
			state = "ready"
		}
		out = append(out, Straggler{Name: t.name(), State: state, Stack: string(trace)})
	}
	r.eachStack(func(s *stack, t *task) { add(t, traces.of(s)) })
	r.waiting(func(t *task) { add(t, nil) })
	return out
}

// busyStates says of the tasks that run or are inside marked regions which it is.
func (r *Runtime) busyStates() map[*task]string {
	states := map[*task]string{}
	for _, l := range r.lanes {
		if t := l.current(); t != nil {
			states[t] = "running"
			if l.region.Load() != 0 {
				states[t] = "blocking"
			}
		}
	}
	detached := func(w *worker) {
		if t := w.detached.Load(); t != nil {
			states[t] = "blocking"
		}
	}
	for i := range r.workers {
		if w := r.workers[i].Load(); w != nil {
			detached(w)
		}
	}
	r.eachStack(func(s *stack, t *task) {
		if s.kind == kindBorrowed {
			detached(s.w) // its own, for ever
		}
	})
	return states
}

// eachStack calls f for every stack of the runtime and the task on it that has not
// ended. What the stack itself owns may not be read.
func (r *Runtime) eachStack(f func(*stack, *task)) {
	var all []*stack
	r.mu.Lock()
	for s := r.allStacks; s != nil; s = s.nextAll {
		all = append(all, s)
	}
	r.mu.Unlock()
	for _, s := range all {
		if t := s.cur.Load(); t != nil && !t.done() {
			f(s, t)
		}
	}
}

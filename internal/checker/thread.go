//go:build weftsim

package checker

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"

	"weft/internal/sy"
)

// thread is a goroutine that goes on only when it is chosen.
type thread struct {
	id      int
	name    string
	resume  chan struct{}
	over    bool
	dropped bool   // a timer that was stopped: never goes on
	pending sy.Op  // what it does next
	site    string // where, if somebody traces
	clock   clock  // what of the others has happened before it
}

// set is a set of threads by id.
type set uint32

func only(id int) set            { return 1 << id }
func (s set) has(id int) bool    { return s&only(id) != 0 }
func (s set) first() int         { return bits.TrailingZeros32(uint32(s)) }
func (s set) without(id int) set { return s &^ only(id) }

// start makes a thread that stands before its beginning.
func (x *Explorer) start(name string, f func(), by *thread) {
	if len(x.threads) == maxThreads {
		x.fail("more than %d threads", maxThreads)
		return
	}
	t := &thread{id: len(x.threads), name: name, resume: make(chan struct{}, 1)}
	if by != nil {
		t.clock = by.clock
	}
	x.threads = append(x.threads, t)
	go func() {
		<-t.resume
		defer x.finish(t)
		if !x.ending {
			f()
		}
	}()
}

// finish is deferred around a thread.
func (x *Explorer) finish(t *thread) {
	if v := recover(); v != nil && !x.ending {
		x.fail("panic in %s: %v\n%s", t.name, v, debug.Stack())
	}
	t.over = true
	if x.ending {
		x.over <- struct{}{}
		return
	}
	x.next()
}

// step is sy.Hook: the calling thread stands before op until it is chosen.
func (x *Explorer) step(op sy.Op) sy.Effect {
	if x.ending {
		if op.Gate != nil && !op.Gate.Open() {
			runtime.Goexit()
		}
		return sy.Whole
	}
	me := x.current
	effect := sy.Whole
	if x.model.Fault != nil {
		if effect = x.model.Fault(me.name, op); effect != sy.Whole {
			op.Gate = nil
			if op.Kind == sy.Lock {
				op = sy.Op{} // it orders nothing any more
			}
		}
	}
	me.pending = op
	if x.options.Trace != nil {
		me.site = site()
	}
	x.next()
	return effect
}

// next chooses who goes on, and returns when it is the caller's turn again.
func (x *Explorer) next() {
	me := x.current
	switch t := x.pick(); {
	case t == nil:
		x.over <- struct{}{}
	case t == me:
		return
	default:
		x.current = t
		t.resume <- struct{}{}
	}
	if me != nil && !me.over {
		<-me.resume
		if x.ending {
			runtime.Goexit()
		}
	}
}

// end ends threads that are left, one by one, without choosing any more.
func (x *Explorer) end(waiting []*thread) {
	x.ending = true
	for _, t := range waiting {
		x.current = t
		t.resume <- struct{}{}
		<-x.over
	}
}

// enabled are the threads that can go on.
func (x *Explorer) enabled() (s set) {
	for _, t := range x.threads {
		if !t.over && !t.dropped && (t.pending.Gate == nil || t.pending.Gate.Open()) {
			s |= only(t.id)
		}
	}
	return s
}

// pick decides which thread makes the next step, and notes the step. It returns
// nil when the run is over.
func (x *Explorer) pick() *thread {
	x.noteRaces()
	enabled := x.enabled()
	if enabled == 0 || x.failure != "" {
		return nil
	}
	if x.steps++; x.steps > maxSteps {
		x.fail("no end: more than %d steps in a run", maxSteps)
		return nil
	}
	last := -1
	if x.current != nil {
		last = x.current.id
	}
	if x.depth == len(x.path) {
		n := node{enabled: enabled, asleep: x.asleep, last: last, switches: x.switches}
		if enabled&^x.asleep == 0 {
			x.cut = true
			return nil
		}
		n.chosen = (enabled &^ x.asleep).first()
		if last >= 0 && enabled.has(last) && !x.asleep.has(last) {
			n.chosen = last
		}
		n.tried = only(n.chosen)
		if x.options.Every {
			n.wanted = enabled
		}
		x.path = append(x.path, n)
	}
	n := &x.path[x.depth]
	if x.options.Replay != nil && n.enabled == 0 {
		*n = node{chosen: n.chosen, enabled: enabled, last: last, tried: only(n.chosen)}
	}
	if n.enabled != enabled || !enabled.has(n.chosen) {
		x.fail("not deterministic: at step %d threads %b can go on, and %b could before", x.steps, enabled, n.enabled)
		return nil
	}
	t := x.threads[n.chosen]
	if last >= 0 && t.id != last && enabled.has(last) {
		x.switches++
	}
	if x.options.Trace != nil {
		x.options.Trace(x.describe(t))
	}
	x.happen(t, n)
	x.depth++
	return t
}

// standing says who waits for what.
func (x *Explorer) standing(waiting []*thread) string {
	var list []string
	for _, t := range waiting {
		if t.dropped {
			continue
		}
		list = append(list, fmt.Sprintf("%s waits to %v %s", t.name, t.pending.Kind, x.label(t.pending)))
	}
	return strings.Join(list, ", ")
}

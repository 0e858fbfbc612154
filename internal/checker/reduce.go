//go:build weftsim

package checker

import (
	"unsafe"

	"weft/internal/sy"
)

// node is one choice on the path of the present run: of a thread, or by Choose
// (width > 0).
type node struct {
	chosen int
	width  int // of Choose

	enabled  set
	asleep   set // not worth trying here: other runs cover it
	tried    set // chosen here now or before
	wanted   set // to be tried here
	last     int // the thread that made the step before, or -1
	switches int // preemptions up to here
}

// clock counts, for each thread, the events of it that happened before something:
// the number of the last one plus one, in the numbering of all events.
type clock [maxThreads]int32

func (c *clock) join(d *clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// event is a step that was made. Events have the numbers of their nodes.
type event struct {
	thread int
	op     sy.Op
}

// object is what operations of the present run touch.
type object struct {
	number   int
	wrote    clock   // of the last event that was no read
	read     clock   // joined, of the reads since
	accesses []int32 // the events
}

func (x *Explorer) object(at unsafe.Pointer) *object {
	o := x.objects[at]
	if o == nil {
		if n := len(x.spare); n > 0 {
			o, x.spare = x.spare[n-1], x.spare[:n-1]
			*o = object{accesses: o.accesses[:0]}
		} else {
			o = new(object)
		}
		o.number = len(x.objects) + 1
		x.objects[at] = o
	}
	return o
}

// dependent reports whether the order of a and b may matter.
func dependent(a, b sy.Op) bool {
	return a.At != nil && a.At == b.At && (a.Kind != sy.Read || b.Kind != sy.Read)
}

// happen notes that t makes its pending step at n.
func (x *Explorer) happen(t *thread, n *node) {
	number := int32(x.depth)
	x.moved = x.depth
	if t.pending.At != nil {
		o := x.object(t.pending.At)
		t.clock.join(&o.wrote)
		if t.pending.Kind == sy.Read {
			t.clock[t.id] = number + 1
			o.read.join(&t.clock)
		} else {
			t.clock.join(&o.read)
			t.clock[t.id] = number + 1
			o.wrote, o.read = t.clock, clock{}
		}
		o.accesses = append(o.accesses, number)
	} else {
		t.clock[t.id] = number + 1
	}
	x.events = append(x.events, event{t.id, t.pending})

	// Whoever was tried here, or slept, sleeps on unless this step disturbs it.
	x.asleep = 0
	if x.options.Every || x.options.Preemptions != 0 {
		return
	}
	for _, q := range x.threads {
		if (n.asleep | n.tried).has(q.id) && q != t && !dependent(q.pending, t.pending) {
			x.asleep |= only(q.id)
		}
	}
}

// noteRaces looks for pending steps that could have come before an event that
// they depend on. Only the thread that just moved has a new step to look at all
// events for; to the others only the last event is new.
func (x *Explorer) noteRaces() {
	if x.options.Every || x.options.Replay != nil || x.current == nil || len(x.events) == 0 {
		return
	}
	last := x.moved
	for _, t := range x.threads {
		switch {
		case t.over || t.pending.At == nil:
		case t == x.current:
			x.noteRace(t)
		case x.races(last, t):
			x.want(last, t)
		}
	}
}

// races reports whether t's pending step could have come before event i.
func (x *Explorer) races(i int, t *thread) bool {
	e := &x.events[i]
	return dependent(e.op, t.pending) && e.thread != t.id && !x.before(i, t) &&
		!(e.op.Kind == sy.Unlock && t.pending.Kind == sy.Lock) // a lock cannot be taken before it is given up
}

// before reports whether event i happened before what t does next.
func (x *Explorer) before(i int, t *thread) bool { return t.clock[x.events[i].thread] > int32(i) }

// noteRace finds the last event that t's pending step races with.
func (x *Explorer) noteRace(t *thread) {
	o := x.objects[t.pending.At]
	if o == nil {
		return
	}
	var seen set
	for k := len(o.accesses) - 1; k >= 0; k-- {
		i := int(o.accesses[k])
		if x.options.Preemptions != 0 {
			// What leads from one race to the next may be beyond the bound: all
			// threads' last ones count, whatever happened between.
			if e := x.events[i]; e.thread != t.id && !seen.has(e.thread) && dependent(e.op, t.pending) {
				seen |= only(e.thread)
				x.want(i, t)
			}
			continue
		}
		if x.races(i, t) {
			x.want(i, t)
			return
		}
		if x.events[i].op.Kind != sy.Read && x.before(i, t) {
			return // and so did all that came before it
		}
	}
}

// want puts down that t should be tried in place of event i.
func (x *Explorer) want(i int, t *thread) {
	if x.options.Preemptions == 0 {
		x.wantAt(i, t)
		return
	}
	x.path[i].add(t.id)
	// The bound may forbid the switch there, but not where the thread of event i
	// got its turn.
	for j := i; j >= 0; j-- {
		n := &x.path[j]
		if n.width == 0 && n.last != n.chosen {
			n.add(t.id)
			return
		}
	}
}

// add wants thread id, or anybody if it cannot go on.
func (n *node) add(id int) {
	if n.enabled.has(id) {
		n.wanted |= only(id)
	} else {
		n.wanted |= n.enabled
	}
}

func (x *Explorer) wantAt(i int, t *thread) {
	n := &x.path[i]
	if n.enabled.has(t.id) {
		n.wanted |= only(t.id)
		return
	}
	// It could not go on there: somebody who led to its step must move first.
	var leads set
	for q := range x.threads {
		if n.enabled.has(q) && int(t.clock[q]) > i+1 {
			leads |= only(q)
		}
	}
	switch {
	case leads == 0:
		n.wanted |= n.enabled
	case leads&(n.wanted|n.tried) == 0:
		n.wanted |= only(leads.first())
	}
}

// backtrack goes to the last choice that has something left to try. It reports
// false when there is none.
func (x *Explorer) backtrack() bool {
	x.path = x.path[:x.depth]
	for len(x.path) > 0 {
		n := &x.path[len(x.path)-1]
		if n.width > 0 {
			if n.chosen++; n.chosen < n.width {
				return true
			}
		} else {
			for left := n.wanted &^ n.tried &^ n.asleep; left != 0; left = left.without(left.first()) {
				if id := left.first(); x.affordable(n, id) {
					n.tried |= only(id)
					n.chosen = id
					return true
				}
			}
		}
		x.path = x.path[:len(x.path)-1]
	}
	return false
}

// affordable reports whether choosing id at n keeps within the bound.
func (x *Explorer) affordable(n *node, id int) bool {
	if x.options.Preemptions == 0 || n.last < 0 || id == n.last || !n.enabled.has(n.last) {
		return true
	}
	return n.switches < max(x.options.Preemptions, 0)
}

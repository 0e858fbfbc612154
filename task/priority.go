package task

import "weft/internal/sy"

// Class is how urgent a task is. Classes share the permits by weight while more
// than one of them has queued tasks; a class that has none costs nothing and lends
// its share. A class never preempts another: it is looked at when a worker picks.
type Class int8

// The classes, from the least urgent. Of 21 picks of a lane on which all three
// wait, 16 go to High, 4 to Normal and 1 to Low. The oldest Low task, once it has
// waited for Config.Aging, goes within 4 picks whatever the weights.
const (
	Low    Class = -1 // background work
	Normal Class = 0  // the zero value and the default
	High   Class = 1
)

// String is the name of the class.
func (c Class) String() string {
	switch {
	case c < Normal:
		return "low"
	case c > Normal:
		return "high"
	}
	return "normal"
}

// Priority spawns the task in class c; values beyond Low and High count as those.
// Without it a task is of the class of the task with whose context it was spawned,
// as it is then, else Normal: the children of background work are background
// work, unless they say otherwise.
//
// A task that joins another of a lower class lends it its own class, for good, so
// that nobody waits behind work that is less urgent than himself: the other takes
// its place at the end of the joiner's class, or runs at once where Join may run
// it in place. That holds for the joined task itself, not for what it waits for
// already; of a long queue only the 64 oldest and 64 newest tasks are looked
// at, and one between them keeps its place until its turn.
//
// Callers that come back from Block, pinned tasks and BlockOn wait for their
// permit in one queue of the order of return, which comes before all classes.
func Priority(c Class) Option {
	return func(o *options) { o.class, o.classed = c, true }
}

// ScopePriority is Priority for the children of a scope.
func ScopePriority(c Class) ScopeOption {
	return func(s *Scope) { s.node.setClass(c) }
}

// classBits are the bits of task.flags that hold the class. They change after the
// spawn only when a joiner raises the class.
const classBits = flagHigh | flagLow

func (t *task) class() Class { return classOf(t.flags.Load()) }

func classOf(flags uint32) Class {
	switch {
	case flags&flagHigh != 0:
		return High
	case flags&flagLow != 0:
		return Low
	}
	return Normal
}

func (c Class) bits() uint32 {
	switch {
	case c > Normal:
		return flagHigh
	case c < Normal:
		return flagLow
	}
	return 0
}

// setClass is for a task that was not queued yet.
func (t *task) setClass(c Class) {
	if t.flags.Load()&classBits != 0 {
		t.flags.And(^uint32(classBits))
	}
	if bits := c.bits(); bits != 0 {
		t.flags.Or(bits)
		if !t.rt.classes.used.Load() {
			t.rt.classes.used.Store(true)
		}
	}
}

// taskKey finds the task that a derived context stems from.
type taskKey struct{}

// inherit takes the class of up, with whose context t is spawned.
func (t *task) inherit(up *task) {
	if bits := up.flags.Load() & classBits; bits != 0 {
		t.flags.Or(bits)
	}
}

// raise gives t at least the class of a task that joins it. If it waits in the
// queue of its old class it moves. Whoever queues it at this moment reads the
// class under the lock of the queue, and the class is written before that lock is
// taken here, so it is not left behind.
func (t *task) raise(joiner *task) {
	from := t.class()
	t.lift(joiner)
	if from == Low && t.class() > Low && t.rt.classes.low.take(&t.rt.classes, t, false) {
		t.rt.publish(t)
	}
}

// lift is raise for a task that is in no queue.
func (t *task) lift(joiner *task) {
	to := joiner.class()
	if to <= t.class() {
		return
	}
	if to == High {
		t.flags.Or(flagHigh)
	}
	t.flags.And(^uint32(flagLow))
}

const (
	agedEvery = 4 // picks of a lane from one look for aged tasks to the next
	searchEnd = 64
)

// weights of High, Normal, Low.
var weights = [3]int32{16, 4, 1}

// shares deals a lane's picks out to the classes that have work: each gains its
// weight, the richest is served and pays the sum of what all gained. (Smooth
// weighted round-robin, as it is called among load balancers.)
type shares struct {
	credit [3]int32
	turn   uint32
}

func (sh *shares) deal(waits [3]bool) Class {
	best, sum := -1, int32(0)
	for i, waiting := range waits {
		if !waiting {
			sh.credit[i] = 0
			continue
		}
		sh.credit[i] += weights[i]
		sum += weights[i]
		if best < 0 || sh.credit[i] > sh.credit[best] {
			best = i
		}
	}
	if best < 0 {
		return Normal
	}
	sh.credit[best] -= sum
	return Class(1 - best)
}

// stays is the class of the task that yields while its lane picks, if one does.
type stays uint8

const staysNot stays = 0

func staysAs(c Class) stays { return stays(c + 2) }

// index is the class's place in shares.
func (s stays) index() int { return 3 - int(s) }

// classes are the queues of tasks that are not Normal, which all lanes share.
// Normal ones are in the lanes' rings and slots and in the injector. queued is the
// one word that a program without classes reads at each pick; it is counted
// before a pusher looks for a worker to notify, as fifo.n is.
type classes struct {
	queued sy.Int64
	used   sy.Bool // some task was not Normal
	_      [48]byte
	high   classQueue
	low    classQueue
}

func (c *classes) of(k Class) *classQueue {
	if k > Normal {
		return &c.high
	}
	return &c.low
}

// push queues t, which is not Normal or was not a moment ago.
func (c *classes) push(t *task, now int64) {
	for {
		k := t.class()
		if k == Normal {
			t.rt.injector.push(t)
			return
		}
		if c.of(k).push(c, t, now, k) {
			return
		}
	}
}

// pushClass queues t, which is not Normal.
func (rt *Runtime) pushClass(t *task) {
	rt.classes.push(t, rt.env.Now())
	rt.notify()
}

// publish queues t for whoever comes first.
func (rt *Runtime) publish(t *task) {
	if t.flags.Load()&classBits != 0 {
		rt.pushClass(t)
		return
	}
	if seq := rt.injector.seq.Add(1); seq%outsideSampleEvery == 0 {
		rt.clockIn(t, len(rt.lanes), seq/outsideSampleEvery)
	}
	rt.injector.push(t)
	rt.notify()
}

// pickFor is pick for a task of class k that yields.
func (l *lane) pickFor(k Class) *task {
	l.staying = staysAs(k)
	t := l.pick()
	l.staying = staysNot
	return t
}

// pickClass is called while tasks that are not Normal are queued. It reports false
// if it is the turn of Normal ones. A task that yields counts as waiting; if it is
// the turn of its class and nobody else of that class waits, it goes on: nil, true.
func (l *lane) pickClass() (t *task, over bool) {
	rt := l.rt
	c := &rt.classes
	staying := l.staying
	waits := [3]bool{c.high.len() > 0, l.hasWork() || rt.injector.len() > 0 || rt.yielders.len() > 0, c.low.len() > 0}
	queued := waits
	if staying != staysNot {
		waits[staying.index()] = true
	}
	l.shares.turn++
	if queued[2] && (waits[0] || waits[1]) && rt.cfg.Aging >= 0 && l.shares.turn%agedEvery == 0 {
		if t := l.takeClass(Low, int64(rt.cfg.Aging)); t != nil {
			return t, true
		}
	}
	k := l.shares.deal(waits)
	switch {
	case !queued[1-k]:
		return nil, staying != staysNot
	case k == Normal:
		return nil, false
	case k == Low && !waits[0] && !waits[1]:
		// Before background work comes what is less so on other lanes.
		if t := l.stealQueued(); t != nil {
			return t, true
		}
	}
	t = l.takeClass(k, 0)
	return t, t != nil
}

// anyClass takes the oldest of the most urgent class, for a lane that finds
// nothing else.
func (l *lane) anyClass() *task {
	if t := l.takeClass(High, 0); t != nil {
		return t
	}
	return l.takeClass(Low, 0)
}

// takeFresh takes t out of the queue of its class if it has not begun.
func (rt *Runtime) takeFresh(t *task) bool {
	if rt.classes.queued.Load() == 0 {
		return false
	}
	k := t.class()
	return k != Normal && rt.classes.of(k).take(&rt.classes, t, true)
}

// takeClass takes the oldest of class k if it has waited for at least age.
func (l *lane) takeClass(k Class, age int64) *task {
	rt := l.rt
	q := rt.classes.of(k)
	if q.len() == 0 {
		return nil
	}
	now := rt.env.Now()
	t, since := q.pop(&rt.classes, now-age)
	if t != nil {
		l.waited[1-k].add(now - since)
	}
	return t
}

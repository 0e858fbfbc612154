package task

import (
	"context"

	"weft/internal/sy"
)

// Cancellation. Nothing is registered when a task is spawned: Err walks to the
// parents. A task links itself into the tree of branches when it first waits or
// when somebody asks for Done or AfterFunc, and from then until its end; its
// ancestors are linked with it, so that a cancel finds it by walking down.
//
// Locks: the fields of a branch (and of its extra) are guarded by its own shard; a
// branch's place among its siblings (prev, next, parent) by the parent's shard.
// No two shards are ever held at once, nothing foreign is called under one.
//
// No cancel is lost: whoever cancels sets the flag first and walks then; whoever
// waits links first and reads the flags then.
const cancelShards = 32

type shard struct {
	mu sy.Mutex
	_  [56]byte
}

// after is one function to call upon cancellation.
type after struct {
	f          func()
	owner      *branch
	prev, next *after
	waiting    bool
}

func (t *task) lock(b *branch) *sy.Mutex {
	mu := &t.rt.shards[b.shard].mu
	mu.Lock()
	return mu
}

// cancel marks t and everything below. Without effect on a task that has ended.
func (t *task) cancel() { apart(t.doCancel) }

func (t *task) doCancel() {
	if t.done() {
		return
	}
	t.cancels()
	t.flags.Or(flagCanceled)
	t.rt.cancelEpoch.Add(1)
	defer t.searchAbove() // also if a callback calls runtime.Goexit
	t.propagate()
}

// propagate tells everything below t that its Err has changed.
func (t *task) propagate() {
	t.rouse()
	root := t.branch.Load()
	if root == nil {
		return
	}
	t.spread([]*branch{root}, nil, nil)
}

// spread calls afters, which were fired's, and does the same for the branches of
// todo and all below. Should a callback call runtime.Goexit, the rest is done on
// the way out.
func (t *task) spread(todo []*branch, fired *branch, afters *after) {
	defer func() {
		if fired != nil || len(todo) > 0 {
			t.spread(todo, fired, afters)
		}
	}()
	for {
		for afters != nil {
			f := afters.f
			afters = afters.next
			t.rt.guard("cancellation callback", f)
		}
		for fired != nil {
			fired = fired.prune() // it may have stayed for its callbacks alone
		}
		if len(todo) == 0 {
			return
		}
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		mu := t.lock(b)
		if afters = b.fire(); afters != nil {
			fired = b
		}
		for k := b.kids(); k != nil; k = k.next {
			todo = append(todo, k)
		}
		mu.Unlock()
		if b.task != t {
			b.task.rouse()
		}
	}
}

// fire closes the channel of Done and takes the callbacks, for the caller to call
// once it has given up the lock. Who makes the channel later closes it at once.
func (b *branch) fire() (afters *after) {
	if x := b.extra.Load(); x != nil {
		if x.done != nil && !b.fired {
			close(x.done)
		}
		afters, x.afters = x.afters, nil
		for a := afters; a != nil; a = a.next {
			a.waiting = false
		}
	}
	b.fired = true
	return afters
}

// link makes t reachable for cancels from above. It is cheap when done already.
//
// Ancestors that wait for a child run in place get no branch of their own, for in
// a deep recursion almost all tasks are of that kind: they are only marked as
// passed, and a cancel of one of them has to search (searchAbove).
func (t *task) link() {
	for t.up != nil && t.flags.Load()&flagLinked == 0 {
		// The nearest ancestor that needs a link but has none comes first.
		x, p := t, t.above()
		for p.up != nil && p.flags.Load()&flagLinked == 0 {
			x, p = p, p.above()
		}
		x.linkTo(p)
	}
}

// above is the ancestor to link to.
func (t *task) above() *task {
	p := t.up
	for p.up != nil && p.flags.Load()&flagLinked == 0 && (p.nested || p.done()) {
		p.flags.Or(flagPassed)
		p = p.up
	}
	return p
}

// linkTo puts t among the kids of p, unless p left the tree meanwhile.
func (t *task) linkTo(p *task) {
	b, pb := t.place(), p.place()
	mu := t.lock(pb)
	for pb.gone {
		mu.Unlock()
		p = p.up
		pb = p.place()
		mu = t.lock(pb)
	}
	won := t.flags.Or(flagLinked)&flagLinked == 0
	if won {
		px := pb.more()
		b.parent.Store(pb)
		if b.next = px.kids; b.next != nil {
			b.next.prev = b
		}
		px.kids = b
	}
	mu.Unlock()
	if !won {
		return
	}
	// Below another task that one watches the outside context for both.
	if p.up == nil && t.family != t.rt.root.family {
		t.watchBase()
	}
	if t.done() {
		t.unlink()
	}
}

// searchAbove finds descendants of t that are linked to one of its ancestors, if
// there can be any, and tells them.
func (t *task) searchAbove() {
	if t.flags.Load()&flagPassed == 0 {
		return
	}
	var found []*task
	for p := t.up; p != nil; p = p.up {
		pb := p.branch.Load()
		if pb == nil {
			continue
		}
		mu := t.lock(pb)
		for k := pb.kids(); k != nil; k = k.next {
			for x := k.task.up; x != nil && x != p; x = x.up {
				if x == t {
					found = append(found, k.task)
					break
				}
			}
		}
		mu.Unlock()
	}
	propagateAll(found)
}

func propagateAll(tasks []*task) {
	defer func() {
		if len(tasks) > 0 { // a callback called runtime.Goexit
			propagateAll(tasks)
		}
	}()
	for len(tasks) > 0 {
		k := tasks[0]
		tasks = tasks[1:]
		k.propagate()
	}
}

// watchBase hears of the end of the outside context. That may be foreign code.
func (t *task) watchBase() {
	defer t.rt.keepPanic("context")
	if t.base.Done() == nil {
		return
	}
	stop := context.AfterFunc(t.base, t.propagate)
	t.more().stopBase.Store(&stop)
	if t.done() {
		t.rt.guard("context", func() { stop() })
	}
}

// unlink is called at the task's end. A branch that still has kids or callbacks
// stays until they go, for they expect to hear from above.
func (t *task) unlink() {
	b := t.branch.Load()
	mu := t.lock(b)
	b.over = true
	mu.Unlock()
	for b != nil {
		b = b.prune()
	}
}

// prune takes b out of the tree if nothing needs it, and returns the parent,
// which may now be in the same position.
func (b *branch) prune() *branch {
	t := b.task
	mu := t.lock(b)
	pb := b.parent.Load() // by whoever links b, under another lock
	if !b.over || b.gone || !b.idle() || pb == nil {
		mu.Unlock()
		return nil
	}
	b.gone = true
	mu.Unlock()
	if x := b.extra.Load(); x != nil {
		if stop := x.stopBase.Load(); stop != nil {
			t.rt.guard("context", func() { (*stop)() })
		}
	}
	mu = t.lock(pb)
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		pb.more().kids = b.next
	}
	if b.next != nil {
		b.next.prev = b.prev
	}
	b.prev, b.next = nil, nil
	mu.Unlock()
	return pb
}

// AfterFunc arranges for f to be called when the context is cancelled, on the
// goroutine that cancels, or on one of its own if that has happened already. stop
// reports whether it came in time. The context package uses it to derive contexts
// from a task's without a goroutine.
func (t *task) AfterFunc(f func()) (stop func() bool) {
	var elsewhere func() bool
	if guests && aside(func() { elsewhere = t.AfterFunc(f) }) {
		forget := peek(&elsewhere)
		return func() bool {
			var was bool
			apart(func() { was = forget() })
			return peek(&was)
		}
	}
	t.link()
	b := t.place()
	x := b.more()
	a := &after{f: f, owner: b, waiting: true}
	mu := t.lock(b)
	if b.gone {
		mu.Unlock()
		if t.up.up == nil {
			return t.afterEnd(f)
		}
		return t.up.AfterFunc(f)
	}
	if a.next = x.afters; a.next != nil {
		a.next.prev = a
	}
	x.afters = a
	mu.Unlock()
	if t.Err() != nil && t.forget(a) {
		// Too late to be called by the cancel, and not from here: the context
		// package holds a lock that f takes.
		t.rt.reaper(func() { t.rt.guard("cancellation callback", f) })
	}
	return func() bool { return t.forget(a) }
}

// afterEnd is AfterFunc of a task that has ended and has no other above it: f
// hears of Shutdown and of the outside context, whichever comes first.
func (t *task) afterEnd(f func()) (stop func() bool) {
	var decided sy.Bool
	once := func() {
		if decided.CompareAndSwap(false, true) {
			f()
		}
	}
	offRoot, offBase := t.up.AfterFunc(once), context.AfterFunc(t.base, once)
	return func() bool {
		offRoot()
		offBase()
		return decided.CompareAndSwap(false, true)
	}
}

// forget takes a callback back.
func (t *task) forget(a *after) bool {
	b := a.owner
	mu := t.lock(b)
	was := a.waiting
	if was {
		a.waiting = false
		if a.prev != nil {
			a.prev.next = a.next
		} else {
			b.more().afters = a.next
		}
		if a.next != nil {
			a.next.prev = a.prev
		}
	}
	mu.Unlock()
	for was && b != nil {
		b = b.prune()
	}
	return was
}

// doneChan returns the channel of Done, linking the task at first use.
func (t *task) doneChan() <-chan struct{} {
	var elsewhere <-chan struct{}
	if guests && aside(func() { elsewhere = t.doneChan() }) {
		return peek(&elsewhere)
	}
	t.link()
	b := t.place()
	x := b.more()
	mu := t.lock(b)
	fresh := x.done == nil
	if fresh {
		x.done = make(chan struct{})
		if b.fired {
			close(x.done)
		}
	}
	done := x.done
	mu.Unlock()
	if fresh && t.Err() != nil {
		mu.Lock()
		if !b.fired {
			b.fired = true
			close(done)
		}
		mu.Unlock()
	}
	return done
}

// Canceler cancels one task and does nothing else. The zero Canceler does
// nothing at all. Copies are independent; one may be kept after the task's end,
// where it has no effect. Safe for concurrent use.
type Canceler struct{ t *task }

// Cancel asks the task to stop: a queued one will not run, a waiting one wakes,
// a running one sees it in its context. It does not wait.
func (c Canceler) Cancel() {
	if c.t != nil {
		c.t.cancel()
	}
}

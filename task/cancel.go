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
// Locks: the fields of a branch are guarded by the shard of its own extra; a
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

// branch is a task's place in the tree.
type branch struct {
	task       *task
	parent     *extra
	prev, next *extra // among the parent's kids
	kids       *extra
	afters     *after
	done       chan struct{}
	fired      bool // a cancel has passed here
	over       bool // the task has ended
	gone       bool // ended and unlinked: link further up instead
}

// after is one function to call upon cancellation.
type after struct {
	f          func()
	owner      *extra
	prev, next *after
	waiting    bool
}

func (t *task) lock(x *extra) *sy.Mutex {
	mu := &t.rt.shards[x.shard].mu
	mu.Lock()
	return mu
}

// cancel marks t and everything below. Without effect on a task that has ended.
func (t *task) cancel() {
	if t.done() {
		return
	}
	t.flags.Or(flagCanceled)
	t.rt.cancelEpoch.Add(1)
	t.propagate()
	if t.flags.Load()&flagPassed != 0 {
		t.searchAbove()
	}
}

// propagate tells everything below t that its Err has changed.
func (t *task) propagate() {
	t.wake(nil)
	root := t.extra.Load()
	if root == nil {
		return
	}
	for todo := []*extra{root}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		mu := t.lock(x)
		if x.done != nil && !x.fired {
			close(x.done)
		}
		x.fired = true // whoever makes the channel later closes it at once
		afters := x.afters
		x.afters = nil
		for a := afters; a != nil; a = a.next {
			a.waiting = false
		}
		for k := x.kids; k != nil; k = k.next {
			todo = append(todo, k)
		}
		mu.Unlock()
		if x != root {
			x.task.wake(nil)
		}
		for a := afters; a != nil; a = a.next {
			t.rt.guard("cancellation callback", a.f)
		}
	}
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
	x := t.more()
	px := p.more()
	mu := t.lock(px)
	for px.gone {
		mu.Unlock()
		p = p.up
		px = p.more()
		mu = t.lock(px)
	}
	won := t.flags.Or(flagLinked)&flagLinked == 0
	if won {
		x.parent = px
		if x.next = px.kids; x.next != nil {
			x.next.prev = x
		}
		px.kids = x
	}
	mu.Unlock()
	if !won {
		return
	}
	// Below another task that one watches the outside context for both.
	if p.up == nil && t.base.Done() != nil {
		t.watchBase(x)
	}
	if t.done() {
		t.unlink()
	}
}

// searchAbove finds descendants of t that are linked to one of its ancestors.
func (t *task) searchAbove() {
	for p := t.up; p != nil; p = p.up {
		px := p.extra.Load()
		if px == nil {
			continue
		}
		var found []*task
		mu := t.lock(px)
		for k := px.kids; k != nil; k = k.next {
			for x := k.task.up; x != nil && x != p; x = x.up {
				if x == t {
					found = append(found, k.task)
					break
				}
			}
		}
		mu.Unlock()
		for _, k := range found {
			k.propagate()
		}
	}
}

func (t *task) watchBase(x *extra) {
	stop := context.AfterFunc(t.base, t.propagate)
	x.stopBase.Store(&stop)
	if t.done() {
		stop()
	}
}

// unlink is called at the task's end. A branch that still has kids or callbacks
// stays until they go, for they expect to hear from above.
func (t *task) unlink() {
	x := t.extra.Load()
	mu := t.lock(x)
	x.over = true
	mu.Unlock()
	for x != nil {
		x = x.task.prune(x)
	}
}

// prune takes x out of the tree if nothing needs it, and returns the parent,
// which may now be in the same position.
func (t *task) prune(x *extra) *extra {
	mu := t.lock(x)
	if !x.over || x.gone || x.kids != nil || x.afters != nil || x.parent == nil {
		mu.Unlock()
		return nil
	}
	x.gone = true
	px := x.parent
	mu.Unlock()
	if stop := x.stopBase.Load(); stop != nil {
		(*stop)()
	}
	mu = t.lock(px)
	if x.prev != nil {
		x.prev.next = x.next
	} else {
		px.kids = x.next
	}
	if x.next != nil {
		x.next.prev = x.prev
	}
	x.prev, x.next = nil, nil
	mu.Unlock()
	return px
}

// AfterFunc arranges for f to be called when the context is cancelled, on the
// goroutine that cancels. stop reports whether it came in time. The context
// package uses it to derive contexts from a task's without a goroutine.
func (t *task) AfterFunc(f func()) (stop func() bool) {
	t.link()
	x := t.more()
	a := &after{f: f, owner: x, waiting: true}
	mu := t.lock(x)
	if x.gone {
		mu.Unlock()
		if t.up.up == nil {
			return context.AfterFunc(t.base, f)
		}
		return t.up.AfterFunc(f)
	}
	if a.next = x.afters; a.next != nil {
		a.next.prev = a
	}
	x.afters = a
	mu.Unlock()
	if t.Err() != nil && t.forget(a) {
		f()
	}
	return func() bool { return t.forget(a) }
}

// forget takes a callback back.
func (t *task) forget(a *after) bool {
	x := a.owner
	mu := t.lock(x)
	was := a.waiting
	if was {
		a.waiting = false
		if a.prev != nil {
			a.prev.next = a.next
		} else {
			x.afters = a.next
		}
		if a.next != nil {
			a.next.prev = a.prev
		}
	}
	mu.Unlock()
	for was && x != nil {
		x = x.task.prune(x)
	}
	return was
}

// doneChan returns the channel of Done, linking the task at first use.
func (t *task) doneChan() <-chan struct{} {
	t.link()
	x := t.more()
	mu := t.lock(x)
	fresh := x.done == nil
	if fresh {
		x.done = make(chan struct{})
		if x.fired {
			close(x.done)
		}
	}
	done := x.done
	mu.Unlock()
	if fresh && t.Err() != nil {
		mu.Lock()
		if !x.fired {
			x.fired = true
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

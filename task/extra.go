package task

import "weft/internal/sy"

// branch is a task's place in the cancellation tree (cancel.go), made when it
// first waits. A million tasks may wait, so it is small: what few of them need
// hangs off extra.
type branch struct {
	task       *task
	parent     sy.Pointer[branch]
	prev, next *branch // among the parent's kids
	extra      sy.Pointer[extra]
	shard      uint8 // which lock guards it
	fired      bool  // a cancel has passed here
	over       bool  // the task has ended
	gone       bool  // ended and unlinked: link further up instead
}

// extra is what few tasks need, made at first use. name is written before the
// task is queued and stopBase is atomic; the shard of the branch guards the rest.
type extra struct {
	name     string
	kids     *branch
	afters   *after
	done     chan struct{}           // the context's Done
	ended    chan struct{}           // Handle.Done's
	stopBase sy.Pointer[func() bool] // ends the registration with task.base
	profile  *profile                // written before flagShown is set
}

// place returns the task's branch, making it at first use. Any goroutine may call it.
func (t *task) place() *branch {
	if b := t.branch.Load(); b != nil {
		return b
	}
	b := &branch{task: t, shard: uint8(t.rt.shardSeq.Add(1) % cancelShards)}
	if t.branch.CompareAndSwap(nil, b) {
		return b
	}
	return t.branch.Load()
}

// plant is place for a task that is about to wait: it takes a branch that was made
// where there is more room on the stack.
func (t *task) plant(l *lane) {
	if b := l.twig; b != nil {
		b.task, b.shard = t, uint8(t.rt.shardSeq.Add(1)%cancelShards)
		if t.branch.CompareAndSwap(nil, b) {
			l.twig = nil
		}
	}
}

// more returns the task's extra, making it at first use. Any goroutine may call it.
func (t *task) more() *extra { return t.place().more() }

func (b *branch) more() *extra {
	if x := b.extra.Load(); x != nil {
		return x
	}
	x := &extra{}
	if b.extra.CompareAndSwap(nil, x) {
		return x
	}
	return b.extra.Load()
}

// kids is the first of those linked below b, whose lock is held.
func (b *branch) kids() *branch {
	if x := b.extra.Load(); x != nil {
		return x.kids
	}
	return nil
}

// idle reports whether nothing below b expects to hear from above. The lock is held.
func (b *branch) idle() bool {
	x := b.extra.Load()
	return x == nil || x.kids == nil && x.afters == nil
}

package task

import (
	"context"
	"runtime"
)

// nestMax is how many children may run in place on one stack. Unlimited nesting
// would overflow a Go stack, which nothing can recover from.
const nestMax = 64

// Handle is the right to a task's result and to cancel it. It may be copied as a
// pointer, shared and dropped; any number of goroutines may use it.
type Handle[T any] struct {
	task task
	val  T
	fn   func(context.Context) (T, error)
}

//go:norace
func (h *Handle[T]) exec() {
	defer h.task.settle()
	h.val, h.task.err = h.fn(&h.task)
	h.task.returned = true
}

func (h *Handle[T]) ended() {}

// code is read by whoever asks for the task's name, while it runs or after: fn is
// never changed, so what it captured lives as long as the handle.
func (h *Handle[T]) code() any { return h.fn }

// Join waits for the task and returns its result: the function's own, a
// *PanicError, ErrCanceled if it was cancelled before it ran, or ErrClosed. If
// ctx ends first its error is returned and the task goes on.
//
// A task that calls Join is parked and holds no permit meanwhile; a plain
// goroutine simply waits. A child that has not begun may run in place, on the
// caller's stack: then a cancellation of ctx is noticed when the child returns.
// If the child ended by runtime.Goexit, so does a joining task, and so does what
// BlockOn runs; a plain goroutine, or a task inside a marked region, gets ErrGoexit.
//
//go:norace
func (h *Handle[T]) Join(ctx context.Context) (T, error) {
	t := &h.task
	if guests && aside(func() { _, _ = h.Join(ctx) }) {
		if v, done, err := h.TryJoin(); done {
			return v, err
		}
		var zero T
		return zero, ctx.Err()
	}
	if !t.done() {
		if s := here(); s != nil && s.claim(ctx, t) {
			if s.begin(t) {
				defer s.unwound(t)
				h.exec()
				t.settled = true
			}
			s.conclude(t)
			s.cur.Store(s.unnest())
		} else if err := t.join(ctx, s); err != nil {
			var zero T
			return zero, err
		}
	}
	if t.flags.Load()&flagGoexit != 0 {
		if s := here(); s != nil && s.working() {
			runtime.Goexit()
		}
	}
	return h.val, t.err
}

// TryJoin returns the result if the task has ended. It never waits, but for a
// task that has not ended it is a checkpoint: a loop over it does not keep that
// task from running.
//
//go:norace
func (h *Handle[T]) TryJoin() (v T, done bool, err error) {
	hide()
	done = h.task.done()
	reveal()
	if !done {
		Checkpoint(context.Background())
		return v, false, nil
	}
	h.task.joined()
	return h.val, true, h.task.err
}

// Done is closed when the task has ended and its result can be had.
func (h *Handle[T]) Done() <-chan struct{} {
	var elsewhere <-chan struct{}
	if guests && aside(func() { elsewhere = h.Done() }) {
		return peek(&elsewhere)
	}
	t := &h.task
	b := t.place()
	x := b.more()
	mu := t.lock(b)
	fresh := x.ended == nil
	if fresh {
		x.ended = make(chan struct{})
	}
	done := x.ended
	mu.Unlock()
	if fresh && !t.addWaiter(newFan(flagNotify, func() { close(done) })) {
		close(done)
	}
	return done
}

// Cancel asks the task to stop: a queued one will not run, a waiting one wakes, a
// running one sees it in its context. It does not wait for the end.
func (h *Handle[T]) Cancel() { h.task.cancel() }

// Canceler returns the right to cancel alone.
func (h *Handle[T]) Canceler() Canceler { return Canceler{&h.task} }

// join waits until t has ended or ctx has. s is the caller's stack.
func (t *task) join(ctx context.Context, s *stack) error {
	me, s := caller(t.rt, s)
	disarm := me.arm(ctx, s)
	defer disarm.stop()
	if !t.addWaiter(me) {
		return nil
	}
	if s.kind != kindPlain && (me.flags.Load()^t.flags.Load())&classBits != 0 {
		t.raise(me)
	}
	for !t.done() {
		if err := ctx.Err(); err != nil {
			t.dropWaiter(me)
			if t.done() {
				return nil
			}
			return err
		}
		s.park()
	}
	return nil
}

// claim takes a child that is next on this lane, or among the first or last of the
// queue of another class, to run it right here. Only a child
// that sees exactly the joiner's context may: anything else could wait for
// something the joiner holds without the joiner's cancellation reaching it. A poll
// task is polled here once, but may have to be waited for all the same.
func (s *stack) claim(ctx context.Context, t *task) bool {
	if !s.working() {
		return false
	}
	s.checkpoint()
	me := s.cur.Load()
	if !inPlace || t.up != me || len(s.nest) >= nestMax || t.rt != s.rt {
		return false
	}
	if c, ok := ctx.(*task); !ok || c != me {
		return false
	}
	if slot := &s.w.lane.slot; slot.Load() != t || !slot.CompareAndSwap(t, nil) {
		if !s.rt.takeFresh(t) {
			return false
		}
	}
	s.w.lane.taken(t)
	if !t.fresh() { // it was woken: let it go on by itself
		s.w.lane.pushNext(t)
		return false
	}
	if (me.flags.Load()^t.flags.Load())&classBits != 0 {
		t.lift(me)
	}
	s.nest = append(s.nest, me)
	s.cur.Store(t)
	t.nested = true
	if t.flags.Load()&flagPoll != 0 {
		s.pollInPlace(t)
		return false
	}
	return true
}

// unnest takes the innermost joiner off, and keeps no pointer to it.
func (s *stack) unnest() *task {
	last := len(s.nest) - 1
	t := s.nest[last]
	s.nest[last] = nil
	s.nest = s.nest[:last]
	return t
}

// arming is a registration that wakes a waiter when a context ends.
type arming struct{ off func() bool }

func (a arming) stop() {
	if a.off != nil {
		a.off()
	}
}

// arm sees to it that t is woken when ctx ends. Its own context costs one link
// at first use; a foreign one is registered for the time of the wait.
func (t *task) arm(ctx context.Context, s *stack) arming {
	if s.kind != kindPlain {
		if s.kind == kindCoroutine && t.branch.Load() == nil {
			t.plant(s.w.lane)
		}
		t.link() // cancels and Shutdown must find who waits
	}
	if c, ok := ctx.(*task); ok {
		if c == t {
			return arming{}
		}
		return arming{c.AfterFunc(func() { t.wake(nil) })}
	}
	if ctx.Done() == nil {
		return arming{}
	}
	return arming{context.AfterFunc(ctx, func() { t.wake(nil) })}
}

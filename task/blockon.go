package task

import (
	"context"
	"runtime"
)

// BlockOn runs fn as a task of rt on the caller's own goroutine and returns its
// result. Nil rt means the runtime of ctx, else the default one. While fn runs it
// holds a permit; while it waits it holds none, so nested waits go on even with a
// single permit. A panic of fn is returned as a *PanicError; runtime.Goexit goes
// on through the caller.
//
// Called by a task of rt, whatever the context, it is a direct call. Called by a
// task of another runtime it is a marked region there. It fails with
// ErrInBlockingRegion inside Block, with ErrInHook inside a hook, with ErrClosed
// after Shutdown. Until it has its first permit it may also fail, without calling
// fn, with the error of ctx, or with ErrClosed when Shutdown begins.
func BlockOn[T any](ctx context.Context, rt *Runtime, fn func(context.Context) (T, error)) (T, error) {
	var zero T
	if fn == nil {
		panic(nilFunction)
	}
	if guests {
		var v T
		var err error
		var direct bool
		if aside(func() {
			if direct = isDirect(ctx, rt, here()); !direct {
				v, err = BlockOn(ctx, rt, fn)
			}
		}) {
			if peek(&direct) {
				Checkpoint(ctx)
				return directly(ctx, fn)
			}
			return peek(&v), peek(&err)
		}
	}
	s := here()
	if rt == nil {
		rt = runtimeFor(ctx, s)
	}
	if s != nil {
		switch {
		case s.hooked:
			return zero, ErrInHook
		case s.region > 0:
			return zero, ErrInBlockingRegion
		case s.cur.Load() != nil && s.rt == rt:
			s.checkpoint()
			return directly(ctx, fn)
		case s.cur.Load() != nil:
			return Block(ctx, func() (T, error) { return borrow(ctx, rt, fn) })
		}
	}
	return borrow(ctx, rt, fn)
}

// isDirect reports whether BlockOn on s is a direct call.
func isDirect(ctx context.Context, rt *Runtime, s *stack) bool {
	return s != nil && s.working() && (rt == s.rt || rt == nil && runtimeFor(ctx, s) == s.rt)
}

// directly calls fn within the calling task; only panics are kept.
func directly[T any](ctx context.Context, fn func(context.Context) (T, error)) (v T, err error) {
	defer catch(&err)
	return fn(ctx)
}

func borrow[T any](ctx context.Context, rt *Runtime, fn func(context.Context) (T, error)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if !rt.admit() {
		return zero, ErrClosed
	}
	h := &Handle[T]{fn: fn}
	t := &h.task
	t.body = h
	t.flags.Or(flagBorrowed)
	t.below(ctx, rt)
	rt.counts.borrowed.Add(1)
	rt.counts.borrowers.Add(1)
	defer rt.leaveBorrowed()
	s := rt.newBorrowed(t)
	defer s.giveBack()
	if s.ask() != nil {
		t.finish(s)
		if err := ctx.Err(); err != nil {
			return zero, err
		}
		return zero, ErrClosed
	}
	s.lead(t)
	t.finish(s)
	return h.val, t.err
}

func (rt *Runtime) leaveBorrowed() {
	rt.counts.borrowers.Add(-1)
	rt.leave()
}

// lead calls the function of a borrowed caller's task.
func (s *stack) lead(t *task) {
	defer s.unwound(t)
	if s.rt.shows() {
		s.show(t)
	}
	s.exec(t)
	t.settled = true
}

// newBorrowed makes the calling goroutine a stack of rt with t on it, as yet
// without a permit. giveBack undoes it.
func (rt *Runtime) newBorrowed(t *task) *stack {
	s := &stack{kind: kindBorrowed, rt: rt, parker: rt.env.NewParker()}
	s.cur.Store(t)
	s.w = &worker{id: -1, rt: rt, base: s}
	t.stack = s
	s.outer = stacks.enter(s)
	rt.list(s)
	return s
}

func (s *stack) giveBack() {
	s.cur.Store(nil)
	stacks.leave(s, s.outer)
	s.rt.delist(s)
	if s.w.lane != nil {
		s.lend()
	}
}

// ask waits for the first permit of a borrowed caller or pinned task. Unlike later
// ones, which it must have to go on, this one it can do without: it returns the
// task's Err, and holds nothing, if that comes first. The task is linked before it
// looks, so a cancel or Shutdown either is seen here or sees it.
func (s *stack) ask() error {
	rt, t := s.rt, s.cur.Load()
	if s.takeFree() {
		return nil
	}
	t.link()
	rt.returners.push(t)
	rt.notify()
	for !s.granted() {
		// Who took it out of the queue meanwhile is about to grant.
		if err := t.startErr(); err != nil && rt.returners.remove(t) {
			return err
		}
		s.await()
	}
	return nil
}

// runPinned is the goroutine of a pinned task. Its thread stays locked and ends
// with it, since the task may have altered it.
func (rt *Runtime) runPinned(t *task) {
	defer rt.memberEnded()
	if !oneThread { // the one thread there would stay locked, and no coroutine could run
		runtime.LockOSThread()
	}
	s := rt.newBorrowed(t)
	s.pinned = true
	defer s.dismiss()
	if err := s.ask(); err != nil {
		t.err = canceledBefore(err)
		t.finish(s)
		s.giveBack()
		rt.counts.ended.Add(1)
		rt.leave()
		return
	}
	defer s.giveBack()
	s.run(t)
}

package task

import (
	"context"

	"weft/internal/sy"
)

// Waiter holds one token: Wake leaves it, Wait waits for it and takes it. It is
// what queues, channels and locks are built of. One caller may wait at a time;
// anybody may wake, from tasks and from plain goroutines. The zero Waiter is
// ready for use and must not be copied after that.
//
// Everything that happened before a Wake is seen after the Wait that took its
// token.
type Waiter struct {
	cell sy.Pointer[task] // nil, who waits and gets the next token, or doneMark for a token left
}

// Wait returns nil once it has taken a token, or the error of ctx. A task is
// parked and holds no permit meanwhile; a plain goroutine simply waits. It panics
// if somebody waits already.
func (w *Waiter) Wait(ctx context.Context) error {
	if w.TryWait() {
		Checkpoint(ctx)
		return nil
	}
	var err error
	if guests && aside(func() { err = w.wait(ctx) }) {
		if peek(&err) != nil {
			return ctx.Err()
		}
		w.taken()
		return nil
	}
	return w.wait(ctx)
}

func (w *Waiter) wait(ctx context.Context) error {
	s := here()
	rt := plainRuntime
	if s != nil && s.working() {
		s.checkpoint()
		rt = s.rt
	}
	me, s := caller(rt, s)
	arm := me.arm(ctx, s)
	defer arm.stop()
	if !w.cell.CompareAndSwap(nil, me) {
		if w.take() {
			return nil
		}
		panic("task: two callers in Waiter.Wait")
	}
	for w.cell.Load() == me {
		if err := ctx.Err(); err != nil {
			if w.cell.CompareAndSwap(me, nil) {
				return err
			}
			break
		}
		s.park()
	}
	return nil // whoever woke us took us out of the cell, token and all
}

// TryWait takes the token if there is one.
func (w *Waiter) TryWait() bool {
	hide()
	took := w.take()
	reveal()
	if took {
		w.taken()
	}
	return took
}

func (w *Waiter) take() bool {
	return w.cell.Load() == doneMark && w.cell.CompareAndSwap(doneMark, nil)
}

// Wake leaves a token and wakes who waits. Tokens do not add up. It never blocks.
// A task that it wakes is the next to run on the waker's worker.
func (w *Waiter) Wake() {
	w.woken()
	if guests && aside(w.wake) {
		return
	}
	w.wake()
}

func (w *Waiter) wake() {
	s := here()
	if s != nil && s.working() {
		s.budget-- // but no checkpoint, since wakers hold locks
	}
	for {
		switch t := w.cell.Load(); t {
		case doneMark:
			return
		case nil:
			if w.cell.CompareAndSwap(nil, doneMark) {
				return
			}
		default:
			if w.cell.CompareAndSwap(t, nil) {
				t.wakeNext(s)
				return
			}
		}
	}
}

package flow

import (
	"context"
	"errors"

	"weft/internal/sy"
	"weft/task"
)

// ErrClosed is returned by Send on a closed queue, and by Recv once a closed queue
// is empty.
var ErrClosed = errors.New("flow: closed")

// Queue is an unbounded first-in-first-out queue of many senders and one receiver.
// Values of one sender arrive in the order they were sent. The zero Queue is empty
// and ready for use; it must not be copied after that.
//
// Invariant: a value or the close is in place before the receiver is woken, and
// the receiver looks again after it took a token, so no wake is lost.
type Queue[T any] struct {
	mu     sy.Mutex
	in     []T // what was sent since the receiver last looked
	closed bool
	waiter task.Waiter

	out  []T // the receiver's own: what it took, from next on
	next int
}

// Send appends v and never waits. It may be called by anybody; it fails with
// ErrClosed alone.
func (q *Queue[T]) Send(v T) error {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return ErrClosed
	}
	first := len(q.in) == 0
	q.in = append(q.in, v)
	q.mu.Unlock()
	if first {
		q.waiter.Wake()
	}
	return nil
}

// Close ends the queue: later Sends fail, and Recv returns what was sent before and
// then ErrClosed. It may be called by anybody, more than once.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.waiter.Wake()
}

// TryRecv returns the oldest value, if there is one. It never waits. Only the
// receiver may call it.
func (q *Queue[T]) TryRecv() (v T, ok bool) {
	if q.next == len(q.out) && !q.refill() {
		return v, false
	}
	var zero T
	v = q.out[q.next]
	q.out[q.next] = zero
	q.next++
	return v, true
}

// Recv returns the oldest value, waiting for one. It returns the error of ctx if
// that ends first, and ErrClosed when the queue is closed and empty. Only the
// receiver may call it: at most one caller at a time.
func (q *Queue[T]) Recv(ctx context.Context) (v T, err error) {
	for {
		if v, ok := q.TryRecv(); ok {
			return v, nil
		}
		q.mu.Lock()
		over := q.closed && len(q.in) == 0
		q.mu.Unlock()
		if over {
			return v, ErrClosed
		}
		if err := q.waiter.Wait(ctx); err != nil {
			return v, err
		}
	}
}

// Len is how many values wait. Only the receiver may call it.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.in) + len(q.out) - q.next
}

// keepCap is how large a buffer may be that is kept for the next values.
const keepCap = 4096

// refill takes everything that was sent, and leaves the emptied buffer to senders.
func (q *Queue[T]) refill() bool {
	spare := q.out[:0]
	if cap(spare) > keepCap {
		spare = nil
	}
	q.next = 0
	q.mu.Lock()
	q.out, q.in = q.in, spare
	q.mu.Unlock()
	return len(q.out) > 0
}

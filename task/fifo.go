package task

import "weft/internal/sy"

// fifo is a locked queue of tasks linked through next. The injector (work from
// outside the workers, and what overflowed) and the queue of returning callers
// are fifos. len may be read without the lock: a push is counted before its
// pusher looks for a worker to notify.
type fifo struct {
	n          sy.Int64
	seq        sy.Uint32 // of what publish pushed
	mu         sy.Mutex
	head, tail *task
	_          [24]byte
}

func (q *fifo) len() int { return int(q.n.Load()) }

func (q *fifo) push(t *task) {
	t.next = nil
	q.pushList(t, t, 1)
}

// pushList appends n tasks linked from first to last.
func (q *fifo) pushList(first, last *task, n int) {
	q.mu.Lock()
	if q.tail == nil {
		q.head = first
	} else {
		q.tail.next = first
	}
	q.tail = last
	q.n.Add(int64(n))
	q.mu.Unlock()
}

// pop takes the oldest, or nil.
func (q *fifo) pop() *task {
	if q.n.Load() == 0 {
		return nil
	}
	q.mu.Lock()
	t := q.popLocked()
	q.mu.Unlock()
	return t
}

func (q *fifo) popLocked() *task {
	t := q.head
	if t != nil {
		q.unlink(nil, t)
	}
	return t
}

// unlink takes out t, which comes after before, or first if that is nil.
func (q *fifo) unlink(before, t *task) {
	if before == nil {
		q.head = t.next
	} else {
		before.next = t.next
	}
	if q.tail == t {
		q.tail = before
	}
	t.next = nil
	q.n.Add(-1)
}

// isCaller reports whether t, which is queued, is a borrowed caller's.
func (t *task) isCaller() bool { return t.stack != nil && t.stack.kind == kindBorrowed }

// popCaller takes the oldest if it is a borrowed caller; with any, the oldest
// borrowed caller wherever it stands.
func (q *fifo) popCaller(any bool) *task {
	if q.n.Load() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var before *task
	for t := q.head; t != nil; before, t = t, t.next {
		if t.isCaller() {
			q.unlink(before, t)
			return t
		}
		if !any {
			return nil
		}
	}
	return nil
}

// remove takes t out and reports whether it was there. Who fails has been taken by
// somebody else, who is about to serve it.
func (q *fifo) remove(t *task) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	var before *task
	for x := q.head; x != nil; before, x = x, x.next {
		if x == t {
			q.unlink(before, t)
			return true
		}
	}
	return false
}

// hasCaller reports whether a borrowed caller is in the queue.
func (q *fifo) hasCaller() bool {
	if q.n.Load() == 0 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for t := q.head; t != nil; t = t.next {
		if t.isCaller() {
			return true
		}
	}
	return false
}

// grab takes the oldest to run now and moves up to more others into d, whose
// owner calls.
func (q *fifo) grab(d *deque, share int) *task {
	if q.n.Load() == 0 {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.popLocked()
	room := min(len(d.ring)-d.len(), len(d.ring)/2)
	for n := min(int(q.n.Load())/share, room); n > 0; n-- {
		d.push(q.popLocked())
	}
	return t
}

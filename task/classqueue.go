package task

import "weft/internal/sy"

// classQueue is the queue of one class: a growing ring of tasks with the time at
// which they came, under a lock. Tasks may be taken out of the middle, which
// leaves an empty entry that pop passes over.
//
// Invariants: entries in [head, tail) (mod 2^64) may hold tasks, all others are
// nil; n is how many do; the entry at head holds one unless n is 0.
type classQueue struct {
	n          sy.Int64
	mu         sy.Mutex
	ring       []entry // a power of two
	head, tail uint64
	_          [32]byte
}

type entry struct {
	task *task
	at   int64
}

const classRingSize = 64 // of a classQueue that holds little

func (q *classQueue) len() int { return int(q.n.Load()) }

// push appends t. It reports false if t is no longer of class k.
func (q *classQueue) push(c *classes, t *task, now int64, k Class) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.class() != k {
		return false
	}
	if q.tail-q.head == uint64(len(q.ring)) {
		q.resize(max(classRingSize, 2*len(q.ring)))
	}
	*q.at(q.tail) = entry{t, now}
	q.tail++
	q.n.Add(1)
	c.queued.Add(1)
	return true
}

// pop takes the oldest if it came no later than latest, and returns when it came.
func (q *classQueue) pop(c *classes, latest int64) (t *task, since int64) {
	if q.n.Load() == 0 {
		return nil, 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n.Load() == 0 {
		return nil, 0
	}
	e := *q.at(q.head)
	if e.at > latest {
		return nil, 0
	}
	q.remove(c, q.head)
	return e.task, e.at
}

// take removes t if it is among those that came first or last; with fresh only
// if it has not begun. That is written before a task is queued, so it can be read
// under the lock.
func (q *classQueue) take(c *classes, t *task, fresh bool) bool {
	if q.n.Load() == 0 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	size := q.tail - q.head
	for i := range min(size, 2*searchEnd) {
		at := q.tail - 1 - i
		if i >= searchEnd {
			at = q.head + i - searchEnd
		}
		if q.at(at).task == t {
			if fresh && !t.fresh() {
				return false
			}
			q.remove(c, at)
			return true
		}
	}
	return false
}

func (q *classQueue) at(i uint64) *entry { return &q.ring[i&uint64(len(q.ring)-1)] }

// remove empties an entry and keeps the invariants of head and tail.
func (q *classQueue) remove(c *classes, i uint64) {
	*q.at(i) = entry{}
	q.n.Add(-1)
	c.queued.Add(-1)
	for q.head != q.tail && q.at(q.head).task == nil {
		q.head++
	}
	for q.head != q.tail && q.at(q.tail-1).task == nil {
		q.tail--
	}
	if size := int(q.tail - q.head); len(q.ring) > classRingSize && size < len(q.ring)/8 {
		q.resize(len(q.ring) / 2)
	}
}

func (q *classQueue) resize(size int) {
	ring := make([]entry, size)
	for i := q.head; i != q.tail; i++ {
		ring[i&uint64(size-1)] = *q.at(i)
	}
	q.ring = ring
}

package schedule

// fifo is a queue of entries in the order of arrival. Its zero value is empty.
type fifo struct {
	items []*entry
	head  int
}

func (q *fifo) push(e *entry) { q.items = append(q.items, e) }

// pop returns nil when the queue is empty.
func (q *fifo) pop() *entry {
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
		return nil
	}
	e := q.items[q.head]
	q.items[q.head] = nil
	q.head++
	return e
}

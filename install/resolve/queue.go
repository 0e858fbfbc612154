package resolve

import "container/heap"

// workQueue holds the nodes whose edges are to be looked at: shallow ones first,
// because they bear on what lies deeper, and then by path, so that the same input
// gives the same tree. A node that waits already is not queued twice.
type workQueue struct {
	items   workHeap
	waiting map[*Node]bool
}

type workItem struct {
	node  *Node
	depth int
	path  string
}

func newWorkQueue() *workQueue { return &workQueue{waiting: make(map[*Node]bool)} }

func (q *workQueue) push(n *Node) {
	if !q.waiting[n] {
		q.waiting[n] = true
		heap.Push(&q.items, workItem{n, n.depth(), n.Path()})
	}
}

// pop returns nil when nothing waits.
func (q *workQueue) pop() *Node {
	if len(q.items) == 0 {
		return nil
	}
	n := heap.Pop(&q.items).(workItem).node
	delete(q.waiting, n)
	return n
}

type workHeap []workItem

func (h workHeap) Len() int      { return len(h) }
func (h workHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h workHeap) Less(i, j int) bool {
	if h[i].depth != h[j].depth {
		return h[i].depth < h[j].depth
	}
	return compareNames(h[i].path, h[j].path) < 0
}
func (h *workHeap) Push(x any) { *h = append(*h, x.(workItem)) }
func (h *workHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = workItem{}
	*h = (*h)[:last]
	return x
}

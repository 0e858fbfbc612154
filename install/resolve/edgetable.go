package resolve

import "iter"

// edgeTable holds the edges that leave a node, in the order of their creation.
// The zero table is empty.
type edgeTable struct {
	list  []*Edge
	index map[string]*Edge
}

func (t *edgeTable) get(key string) *Edge {
	if t.index != nil {
		return t.index[key]
	}
	for _, e := range t.list {
		if e.key == key {
			return e
		}
	}
	return nil
}

// add appends e; no edge of its key may be there.
func (t *edgeTable) add(e *Edge) {
	t.list = append(t.list, e)
	switch {
	case t.index != nil:
		t.index[e.key] = e
	case len(t.list) > indexFrom:
		t.index = make(map[string]*Edge, 2*len(t.list))
		for _, e := range t.list {
			t.index[e.key] = e
		}
	}
}

func (t *edgeTable) remove(e *Edge) {
	for i, x := range t.list {
		if x == e {
			t.list = append(t.list[:i:i], t.list[i+1:]...)
			break
		}
	}
	delete(t.index, e.key)
}

// edgeChain is a list of edges with removal in constant time, threaded through
// one of the two pairs of hooks that an edge has.
type edgeChain struct {
	first, last *Edge
	size        int
	hook        chainHook
}

type chainHook uint8

const (
	chainIn    chainHook = iota // edges that lead to one node
	chainNamed                  // edges of one name in a tree
)

type chainLinks struct{ prev, next *Edge }

func (c *edgeChain) add(e *Edge) {
	l := &e.links[c.hook]
	l.prev, l.next = c.last, nil
	if c.last == nil {
		c.first = e
	} else {
		c.last.links[c.hook].next = e
	}
	c.last = e
	c.size++
}

func (c *edgeChain) remove(e *Edge) {
	l := &e.links[c.hook]
	if l.prev == nil {
		c.first = l.next
	} else {
		l.prev.links[c.hook].next = l.next
	}
	if l.next == nil {
		c.last = l.prev
	} else {
		l.next.links[c.hook].prev = l.prev
	}
	l.prev, l.next = nil, nil
	c.size--
}

// all yields the edges; the one just yielded may be removed.
func (c *edgeChain) all() iter.Seq[*Edge] {
	return func(yield func(*Edge) bool) {
		for e := c.first; e != nil; {
			next := e.links[c.hook].next
			if !yield(e) {
				return
			}
			e = next
		}
	}
}

// snapshot returns the edges as they stand now.
func (c *edgeChain) snapshot() []*Edge {
	out := make([]*Edge, 0, c.size)
	for e := c.first; e != nil; e = e.links[c.hook].next {
		out = append(out, e)
	}
	return out
}

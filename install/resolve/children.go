package resolve

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// foldKey is the form under which names are compared: many file systems hold
// names that differ in case or in Unicode composition only for the same.
func foldKey(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return strings.ToLower(norm.NFKD.String(name))
		}
	}
	return name
}

// indexFrom is how many entries a table has before it keeps a map.
const indexFrom = 8

// childTable holds a node's children in the order of their arrival; a child
// that takes another's place arrives last. The zero table is empty.
type childTable struct {
	first, last *Node
	size        int
	index       map[string]*Node
}

func (t *childTable) get(key string) *Node {
	if t.index != nil {
		return t.index[key]
	}
	for n := t.first; n != nil; n = n.nextSibling {
		if n.key == key {
			return n
		}
	}
	return nil
}

// add appends n; no child of its key may be there.
func (t *childTable) add(n *Node) {
	n.prevSibling, n.nextSibling = t.last, nil
	if t.last == nil {
		t.first = n
	} else {
		t.last.nextSibling = n
	}
	t.last = n
	t.size++
	switch {
	case t.index != nil:
		t.index[n.key] = n
	case t.size > indexFrom:
		t.index = make(map[string]*Node, 2*t.size)
		for c := t.first; c != nil; c = c.nextSibling {
			t.index[c.key] = c
		}
	}
}

func (t *childTable) remove(n *Node) {
	if n.prevSibling == nil {
		t.first = n.nextSibling
	} else {
		n.prevSibling.nextSibling = n.nextSibling
	}
	if n.nextSibling == nil {
		t.last = n.prevSibling
	} else {
		n.nextSibling.prevSibling = n.prevSibling
	}
	n.prevSibling, n.nextSibling = nil, nil
	t.size--
	if t.index != nil {
		delete(t.index, n.key)
	}
}

// list returns the children as they stand now, so that a loop over it may
// change the table.
func (t *childTable) list() []*Node {
	out := make([]*Node, 0, t.size)
	for n := t.first; n != nil; n = n.nextSibling {
		out = append(out, n)
	}
	return out
}

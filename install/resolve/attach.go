package resolve

import (
	"path"
	"strings"
)

// Moving nodes. Invariant: whenever a function of this file returns, every edge
// of every tree ends at what the lookup of its name finds from its start. Each
// function first changes the structure and then reloads the edges that may look
// elsewhere now: those of the same name below the changed folder, and those that
// would cross from one tree into another.

// family returns n and all nodes below it.
func (n *Node) family() []*Node {
	out := []*Node{n}
	for i := 0; i < len(out); i++ {
		for c := out[i].children.first; c != nil; c = c.nextSibling {
			out = append(out, c)
		}
		out = append(out, out[i].fsChildren...)
	}
	return out
}

// unlink takes n out of its parent's folder, keeping its path.
func (n *Node) unlink() {
	if n.parent != nil {
		n.at = n.Path()
		n.parent.children.remove(n)
		n.parent = nil
	}
	if p := n.fsParent; p != nil {
		for i, c := range p.fsChildren {
			if c == n {
				p.fsChildren = append(p.fsChildren[:i:i], p.fsChildren[i+1:]...)
				break
			}
		}
		n.fsParent = nil
	}
}

// move brings the nodes over to tree t.
func move(family []*Node, t *Tree) {
	for _, n := range family {
		if n.tree != t {
			n.tree.exclude(n)
			t.include(n)
		}
	}
}

// reloadCrossing reloads the edges of the nodes that lead into another tree, or
// come from one, or lead nowhere.
func reloadCrossing(family []*Node) {
	for _, n := range family {
		for _, e := range n.edgesIn.snapshot() {
			if e.to == n && e.from.tree != n.tree {
				e.reload(false)
			}
		}
		for _, e := range n.edgesOut.list {
			if e.to == nil || e.to.tree != n.tree {
				e.reload(false)
			}
		}
	}
}

// detach takes n and everything below it out of its tree. It becomes the root of
// a tree of its own, which nothing in the old one can find.
func (n *Node) detach() {
	if n.tree.Root == n {
		return
	}
	family := n.family()
	n.unlink()
	for _, m := range family {
		for _, l := range m.linksIn {
			l.target = nil
			m.tree.dangling = append(m.tree.dangling, l)
		}
		m.linksIn = nil
		if m.isLink && m.target != nil {
			m.target.dropLink(m)
			m.target = nil
		}
	}
	t := &Tree{Root: n, env: n.tree.env}
	move(family, t)
	reloadCrossing(family)
}

func (n *Node) dropLink(link *Node) {
	for i, l := range n.linksIn {
		if l == link {
			n.linksIn = append(n.linksIn[:i:i], n.linksIn[i+1:]...)
			return
		}
	}
}

// attach puts n, with everything below it, into parent's node_modules folder. A
// node of the same name there is detached.
func (n *Node) attach(parent *Node) {
	if parent.isLink {
		parent = parent.target
	}
	if n.parent == parent || n == parent {
		return
	}
	family := n.family()
	n.unlink()
	if old := parent.children.get(n.key); old != nil {
		old.detach()
	}
	n.at = ""
	n.parent = parent
	parent.children.add(n)
	move(family, parent.tree)
	n.settle(family)
}

// replace puts n at the place of old, which is detached; old's children stay
// where they are, below n. n must have no children.
func (n *Node) replace(old *Node) {
	parent := old.parent
	var kids []*Node
	if !n.isLink {
		kids = old.children.list()
	}
	for _, kid := range kids {
		old.children.remove(kid)
		kid.parent = nil
	}
	if old.isLink && old.target != nil && !n.isLink {
		old.target.detach()
	}
	old.detach()
	for _, kid := range kids {
		kid.parent = n
		n.children.add(kid)
	}
	n.attach(parent)
}

// settle finishes an attachment: links find their ends, and edges are reloaded.
func (n *Node) settle(family []*Node) {
	for _, m := range family {
		if m.isLink {
			m.findTarget()
		} else if len(m.tree.dangling) > 0 {
			m.catchLinks()
		}
	}
	if n.parent != nil {
		n.parent.reloadNamed(n.key)
	}
	reloadCrossing(family)
}

// reloadNamed reloads the edges of one name that start at n or below it and that
// a change in n's folder concerns.
func (n *Node) reloadNamed(key string) {
	if n.tree.indexed {
		if c := n.tree.named[key]; c != nil {
			for e := range c.all() {
				if e.from.within(n) {
					n.recheck(e)
				}
			}
		}
		return
	}
	for _, m := range n.family() {
		if e := m.edgesOut.get(key); e != nil {
			n.recheck(e)
		}
	}
}

func (n *Node) recheck(e *Edge) {
	if e.from.lookup(e.key) != e.to || e.to != nil && e.to.parent == n && !n.IsRoot() {
		e.reload(true)
	}
}

// settleTop puts a directory that a link leads to into tree t: under the nearest
// node whose directory contains it, or beside them all.
func (n *Node) settleTop(t *Tree) {
	family := n.family()
	n.unlink()
	if cur := t.nodeAt(n.at); cur != nil && cur != n {
		cur.detach()
	}
	for dir := path.Dir(n.at); ; dir = path.Dir(dir) {
		if above := t.nodeAt(dir); above != nil && !above.isLink {
			if rest := relativePath(above.Path(), n.at); rest == "node_modules/"+n.Name {
				n.attach(above)
				return
			}
			n.fsParent = above
			above.fsChildren = append(above.fsChildren, n)
			break
		}
		if dir == "/" || dir == "." {
			break
		}
	}
	move(family, t)
	t.tops = append(t.tops, n)
	t.adoptTops(n)
	n.settle(family)
}

// adoptTops gives n the directories below its own that had a parent further up.
func (t *Tree) adoptTops(n *Node) {
	dir := n.Path()
	for _, top := range append([]*Node(nil), t.tops...) {
		if top == n || !strings.HasPrefix(top.at, dir+"/") {
			continue
		}
		if p := top.fsParent; p != nil && len(p.Path()) >= len(dir) {
			continue
		}
		top.unlink()
		top.fsParent = n
		n.fsChildren = append(n.fsChildren, top)
		for _, m := range top.family() {
			for _, e := range m.edgesOut.list {
				e.reload(false)
			}
		}
	}
}

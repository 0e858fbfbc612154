package resolve

// graft copies everything below from's root to root, which has nothing below it,
// and reports whether there was anything. The tree that is copied stays as it is.
func graft(from *Tree, root *Node) bool {
	t := root.tree
	twins := map[*Node]*Node{from.Root: root}
	var links, fresh []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		for c := n.children.first; c != nil; c = c.nextSibling {
			twin := newNode(t.env, c.Name, c.Manifest)
			if c.isLink {
				twin.isLink, twin.real = true, c.real
				links = append(links, c)
				twins[c] = twin
				continue
			}
			twin.Resolved, twin.Integrity, twin.HasShrinkwrap = c.Resolved, c.Integrity, c.HasShrinkwrap
			twin.locked = c.locked
			twins[c] = twin
			fresh = append(fresh, twin)
			twin.attach(twins[n])
			walk(c)
		}
	}
	walk(from.Root)
	for _, top := range from.tops {
		twin := newNode(t.env, top.Name, top.Manifest)
		twin.locked = top.locked
		twin.at = top.at
		twins[top] = twin
		twin.settleTop(t)
		fresh = append(fresh, twin)
		walk(top)
	}
	for _, l := range links {
		twins[l].attach(twins[l.parent])
	}
	for _, n := range fresh {
		n.declareEdges()
	}
	calcFlags(root, false)
	return from.Root.children.size > 0
}

package resolve

// resetFlags makes all flags unknown, so that settleFlags can find them anew.
func (t *Tree) resetFlags() {
	for _, n := range t.nodes {
		if n != nil {
			n.flagsUnknown()
		}
	}
}

// calcFlags walks the graph from the root and clears flags that are not true.
// Every flag says "only by such dependencies", so it starts as true and falls
// once the node is reached otherwise; it never rises again, and the walk ends
// when nothing falls. Nodes that nothing reaches keep all flags and are
// extraneous.
func calcFlags(root *Node, clearRoot bool) {
	if clearRoot {
		root.flagsNone()
	}
	seen := map[*Node]bool{}
	stack := []*Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		seen[n] = true
		if !n.Extraneous { // nor is what holds it
			for p := n.lookupParent(); p != nil && p.Extraneous; p = p.lookupParent() {
				p.Extraneous = false
			}
		}
		if n.isLink {
			if t := n.target; t != nil && (inheritFlags(t, n) || !seen[t]) {
				stack = append(stack, t)
			}
			continue
		}
		for _, e := range n.edgesOut.list {
			if e.to != nil && lowerFlags(e) {
				stack = append(stack, e.to)
			}
		}
	}
	delete(seen, root)
	// A node is devOptional where both kinds of paths overlap; one that has one of
	// the two flags by itself is not.
	for n := range seen {
		if n.DevOptional && (n.Dev || n.Optional) {
			n.DevOptional = false
		}
	}
}

// fall clears *flag if it is set and cond holds.
func fall(flag *bool, cond bool, changed *bool) {
	if *flag && cond {
		*flag, *changed = false, true
	}
}

func inheritFlags(target, link *Node) (changed bool) {
	fall(&target.Dev, !link.Dev, &changed)
	fall(&target.Optional, !link.Optional, &changed)
	fall(&target.DevOptional, !link.DevOptional, &changed)
	fall(&target.Peer, !link.Peer, &changed)
	fall(&target.Extraneous, !link.Extraneous, &changed)
	return changed
}

func lowerFlags(e *Edge) (changed bool) {
	n, to := e.from, e.to
	dev, optional := e.Type == Dev, e.IsOptional()
	fall(&to.Extraneous, !n.Extraneous && e.Type != PeerOptional, &changed)
	fall(&to.Dev, !n.Dev && !dev, &changed)
	fall(&to.Optional, !n.Optional && !optional, &changed)
	fall(&to.DevOptional, !n.DevOptional && !n.Dev && !n.Optional && !dev && !optional, &changed)
	fall(&to.Peer, !n.Peer && !e.IsPeer(), &changed)
	return changed
}

// settleFlags brings the flags up to date after placing and prunes what is
// extraneous. A tree that was made from nothing has nothing to prune.
func (b *builder) settleFlags() error {
	if b.tree.FromDisk && b.result.Changed {
		b.tree.resetFlags()
	}
	if !b.tree.FromDisk || b.result.Changed {
		calcFlags(b.tree.Root, true)
	} else {
		b.tree.Root.flagsNone()
	}
	if b.tree.FromDisk && (b.result.Changed || b.suspect) {
		b.tree.prune()
	}
	return nil
}

// prune detaches what nothing needs.
func (t *Tree) prune() {
	for _, n := range t.Nodes() {
		if n.Extraneous && n.parent != nil && n.tree == t {
			n.detach()
		}
	}
}

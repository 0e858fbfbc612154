package resolve

// CarryBundles gives what kept packages bundle the flags that it has in the tree
// that is installed. npm does not look into a bundle again that stays, and takes
// its nodes over from node_modules. There the hidden lockfile says what was true
// before package.json was edited, and that is lowered where it does not hold any
// more but never raised; npm's lockfiles repeat it.
//
// kept is asked about nodes of the ideal tree. The actual tree's flags are changed.
func CarryBundles(actual, ideal *Tree, kept func(*Node) bool) {
	recalled := false
	for _, n := range ideal.Nodes() {
		if n.parent == nil || n.isLink || len(n.Manifest.BundleDependencies) == 0 || !kept(n) {
			continue
		}
		if !recalled {
			recalled = true
			actual.recallFlags()
		}
		a := actual.nodeAt(joinPath(actual.Root.RealPath(), n.Location()))
		if a == nil || a.isLink {
			continue
		}
		for _, c := range a.children.list() {
			if kid := n.children.get(c.key); kid != nil && c.InBundle() {
				carryFlags(c, kid)
			}
		}
	}
}

// recallFlags starts from the flags that a lockfile gave, where it gave some.
func (t *Tree) recallFlags() {
	for _, n := range t.Nodes() {
		if e := n.locked; e != nil && n != t.Root {
			n.Dev, n.Optional, n.Peer, n.Extraneous = e.Dev, e.Optional, e.Peer, e.Extraneous
			n.DevOptional = e.DevOptional || e.Dev || e.Optional
		}
	}
	calcFlags(t.Root, true)
}

// carryFlags copies flags to a node, and to what lies below it.
func carryFlags(from, to *Node) {
	to.Dev, to.Optional, to.DevOptional = from.Dev, from.Optional, from.DevOptional
	to.Peer, to.Extraneous = from.Peer, from.Extraneous
	for _, c := range from.children.list() {
		if kid := to.children.get(c.key); kid != nil {
			carryFlags(c, kid)
		}
	}
}

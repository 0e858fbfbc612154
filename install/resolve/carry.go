package resolve

// CarryBundles gives what kept packages bundle the flags that it has in the tree
// that is installed, lowered where they are not true any more but never raised.
// npm does not look into a bundle again that stays, and takes its nodes over from
// node_modules, where the hidden lockfile says what was true before package.json
// was edited; its lockfiles repeat that.
//
// kept is asked about nodes of the ideal tree.
func CarryBundles(actual, ideal *Tree, kept func(*Node) bool) {
	carried := false
	for _, n := range ideal.Nodes() {
		if n.parent == nil || n.isLink || len(n.Manifest.BundleDependencies) == 0 || !kept(n) {
			continue
		}
		a := actual.nodeAt(joinPath(actual.Root.RealPath(), n.Location()))
		if a == nil || a.isLink {
			continue
		}
		for _, c := range a.children.list() {
			if kid := n.children.get(c.key); kid != nil && c.InBundle() {
				carryFlags(c, kid)
				carried = true
			}
		}
	}
	if carried {
		calcFlags(ideal.Root, true)
	}
}

// carryFlags copies flags to a node, and to what lies below it.
func carryFlags(from, to *Node) {
	if e := from.locked; e != nil {
		to.Dev, to.Optional, to.Peer, to.Extraneous = e.Dev, e.Optional, e.Peer, e.Extraneous
		to.DevOptional = e.DevOptional || e.Dev || e.Optional
	} else {
		to.Dev, to.Optional, to.Peer, to.Extraneous = from.Dev, from.Optional, from.Peer, from.Extraneous
		to.DevOptional = from.DevOptional
	}
	for _, c := range from.children.list() {
		if kid := to.children.get(c.key); kid != nil {
			carryFlags(c, kid)
		}
	}
}

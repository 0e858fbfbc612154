package resolve

import "slices"

// bundler returns the node that brings n inside its own tarball, nil if none
// does: the nearest one up whose bundleDependencies name n, or name something at
// that level that needs n.
func (n *Node) bundler() *Node {
	for p := n.parent; p != nil; p = p.parent {
		if len(p.Manifest.BundleDependencies) > 0 {
			return n.findBundler(map[*Node]bool{})
		}
	}
	return nil // only an ancestor that bundles something can be the answer
}

func (n *Node) findBundler(seen map[*Node]bool) *Node {
	if seen[n] {
		return nil // a cycle brings nothing
	}
	seen[n] = true
	parent := n.parent
	if parent == nil {
		return nil
	}
	if b := parent.findBundler(seen); b != nil {
		return b
	}
	if slices.Contains(parent.Manifest.BundleDependencies, n.Name) {
		return parent
	}
	for e := range n.edgesIn.all() {
		if b := e.from.findBundler(seen); b == parent {
			return b
		}
	}
	return nil
}

// InBundle reports whether the node comes inside the tarball of a package
// further up, or of the project.
func (n *Node) InBundle() bool { return n.bundler() != nil }

// inDepBundle reports whether a dependency brings the node; what only the project
// lists as bundled has to be installed like everything else.
func (n *Node) inDepBundle() bool {
	b := n.bundler()
	return b != nil && b != n.tree.Root
}

// Bundled reports whether a dependency brings the node inside its tarball, so
// that there is nothing to fetch for it.
func (n *Node) Bundled() bool { return n.inDepBundle() }

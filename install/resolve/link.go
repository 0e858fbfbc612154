package resolve

import "weft/npm/manifest"

// newLink returns a link that leads to the directory real, in a tree of its own.
// m is the manifest found there.
func newLink(e *env, name, real string, m *manifest.Manifest) *Node {
	n := newNode(e, name, m)
	n.isLink, n.real = true, real
	return n
}

// findTarget connects a link with the node at its end. If the tree has none, the
// directory becomes a node of the tree.
func (n *Node) findTarget() {
	t := n.tree
	end := t.nodeAt(n.real)
	for hops := 0; end != nil && end.isLink && hops < 64; hops++ {
		end = end.target
	}
	if end == nil || end.isLink {
		if end = n.target; end == nil || end.tree != t {
			end = newNode(t.env, folderName(n.real), n.Manifest)
			end.Name = n.Name
			end.key = n.key
			end.at = n.real
			end.settleTop(t)
			end.declareEdges()
		}
	}
	n.setTarget(end)
}

func (n *Node) setTarget(end *Node) {
	if n.target != nil {
		n.target.dropLink(n)
	}
	n.target = end
	n.Manifest, n.version = end.Manifest, nil
	n.real = end.Path()
	end.linksIn = append(end.linksIn, n)
	if n.overrides != nil {
		n.forwardRules()
	}
	if n.parent != nil {
		n.parent.reloadNamed(n.key)
	}
}

// catchLinks connects links that lead to n's place and lost what was there before.
func (n *Node) catchLinks() {
	t, at := n.tree, n.Path()
	kept := t.dangling[:0:0]
	for _, l := range t.dangling {
		switch {
		case l.tree != t || l.target != nil: // pruned, or connected since
		case l.real == at:
			l.setTarget(n)
		default:
			kept = append(kept, l)
		}
	}
	t.dangling = kept
}

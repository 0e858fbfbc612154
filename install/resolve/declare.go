package resolve

import "weft/npm/manifest"

// addEdge makes an edge out of n, in place of one of the same name.
func (n *Node) addEdge(e *Edge) {
	if old := n.edgesOut.get(e.key); old != nil {
		old.detach()
	}
	e.from = n
	e.links = [2]chainLinks{}
	if n.overrides != nil {
		e.overrides = n.overrides.forEdge(e)
	}
	n.edgesOut.add(e)
	if n.tree.indexed {
		n.tree.index(e)
	}
	e.reload(true)
}

// declareEdges makes the edges that the node's manifest declares. Of a name that
// is declared more than once the last declaration holds, in the order peer,
// optional peer, plain, optional, development. Links declare nothing: their
// targets do.
func (n *Node) declareEdges() {
	if n.isLink {
		return
	}
	m := n.Manifest
	slab := make([]Edge, 0, len(m.PeerDependencies)+len(m.Dependencies)+len(m.OptionalDependencies)+len(m.DevDependencies))
	declare := func(deps manifest.Deps, t EdgeType, keep func(name string) bool) {
		for _, d := range deps {
			if keep != nil && !keep(d.Name) {
				continue
			}
			key := foldKey(d.Name)
			if cur := n.edgesOut.get(key); cur != nil && cur.Type == Workspaces {
				continue
			}
			e := Edge{Name: d.Name, key: key, written: d.Spec, Type: t}
			if len(m.AcceptDependencies) > 0 {
				if e.accept, e.accepts = m.AcceptDependencies.Get(d.Name); e.accepts && e.accept == "" {
					e.accept = "*"
				}
			}
			slab = append(slab, e)
			n.addEdge(&slab[len(slab)-1])
		}
	}
	if !n.tree.env.legacyPeerDeps {
		declare(m.PeerDependencies, Peer, func(name string) bool { return !m.PeerOptional[name] })
		declare(m.PeerDependencies, PeerOptional, func(name string) bool { return m.PeerOptional[name] })
	}
	declare(m.Dependencies, Prod, nil)
	declare(m.OptionalDependencies, Optional, nil)
	if n.isTop() && n.at != "" && (n.source == nil || n.source.isTop() && n.source.at != "") {
		declare(m.DevDependencies, Dev, nil)
	}
}

// setManifest replaces what the package says of itself, and so its edges; the
// dependents are held against it again.
func (n *Node) setManifest(m *manifest.Manifest) {
	for _, e := range n.EdgesOut() {
		e.detach()
	}
	n.Manifest, n.version, n.locked = m, nil, nil
	n.declareWorkspaces()
	n.declareEdges()
	for _, e := range n.edgesIn.snapshot() {
		e.reload(true)
	}
}

// declareWorkspaces makes the edges from the project to its workspaces.
func (n *Node) declareWorkspaces() {
	for _, w := range n.workspaces {
		n.addEdge(&Edge{Name: w.Name, key: foldKey(w.Name), written: "file:" + w.Dir, Type: Workspaces})
	}
}

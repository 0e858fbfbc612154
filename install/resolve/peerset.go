package resolve

// peerEntry is an edge by which a set of peers came into the tree (from a
// dependent that does not want its end as a peer, or from a top), and the set.
type peerEntry struct {
	edge *Edge
	set  *nodeSet
}

// peerEntries returns every peer set that n is part of.
func peerEntries(n *Node) []peerEntry {
	union := newNodeSet(n)
	for i := 0; i < len(union.list); i++ {
		m := union.list[i]
		for _, e := range m.edgesOut.list {
			if e.IsPeer() && e.to != nil && e.Valid() {
				union.add(e.to)
			}
		}
		for e := range m.edgesIn.all() {
			if e.IsPeer() && e.Valid() {
				union.add(e.from)
			}
		}
	}
	var out []peerEntry
	for _, m := range union.list {
		var set *nodeSet // the same for every edge that enters here
		for e := range m.edgesIn.all() {
			if e.IsPeer() && !e.from.isTop() || !e.Valid() {
				continue
			}
			if set == nil {
				set = peersFrom(m)
			}
			if set.has(n) {
				out = append(out, peerEntry{e, set})
			}
		}
	}
	return out
}

// peersFrom returns n and all peers that it brings along.
func peersFrom(n *Node) *nodeSet {
	set := newNodeSet(n)
	for i := 0; i < len(set.list); i++ {
		for _, e := range set.list[i].edgesOut.list {
			if e.IsPeer() && e.to != nil && e.Valid() {
				set.add(e.to)
			}
		}
	}
	return set
}

// deepestTarget returns the deepest folder, from start upwards, where a
// dependency of start by that name may lie. A peer has to lie beside its
// dependent, or higher.
func deepestTarget(start *Node, key string) *Node {
	for n := start; n != nil; n = n.lookupParent() {
		if n.IsRoot() || n.lookupParent() == nil {
			return n
		}
		if e := n.edgesOut.get(key); e == nil || !e.IsPeer() {
			return n
		}
	}
	return nil
}

package resolve

// verdict is the answer to the question whether a dependency can lie in a folder.
type verdict uint8

const (
	verdictNone     verdict = iota
	verdictOK               // there is room
	verdictKeep             // what is there will do
	verdictReplace          // it may take the place of what is there
	verdictConflict         // somebody would be broken
)

// placement asks whether dep, with the peers that lie beside it in its virtual
// root, can lie in target's folder in order to satisfy edge. Asking changes
// nothing.
type placement struct {
	dep    *Node
	target *Node
	edge   *Edge
	parent *placement // of a peer: the check of the one that brings it
	path   []*Node    // the chain of dependents to this peer

	preferDedupe bool
	current      *Node // what lies at that place now
	excused      bool  // the peer set overrode this edge already

	self     verdict // regardless of the peers
	verdict  verdict
	peers    verdict // kept by withPeers
	children []*placement
}

func canPlace(dep, target *Node, edge *Edge, parent *placement, path []*Node, preferDedupe bool) *placement {
	p := &placement{
		dep: dep, target: target, edge: edge, parent: parent, path: path,
		preferDedupe: preferDedupe || edge.IsPeer(), // peers try harder to be singletons
		current:      target.children.get(edge.key),
		excused:      !dep.satisfiesEdge(edge),
	}
	p.verdict = p.check()
	if p.self == verdictNone {
		p.self = p.verdict
	}
	return p
}

// satisfiesEdge reports whether n would do as the end of e.
func (n *Node) satisfiesEdge(e *Edge) bool { return e.satisfiedBy(n) }

func (p *placement) check() verdict {
	if p.dep.err != nil { // it will be pruned, or end the resolution
		if p.current != nil {
			return verdictReplace
		}
		return verdictOK
	}
	targetEdge := p.target.edgesOut.get(p.edge.key)
	if targetEdge != nil && targetEdge.IsPeer() && !p.target.isTop() {
		return verdictConflict // peers do not lie inside their dependents
	}
	if p.current == nil {
		if targetEdge != nil && targetEdge != p.edge && !p.dep.satisfiesEdge(targetEdge) {
			return verdictConflict
		}
		return p.checkVacant()
	}
	return p.checkOccupied()
}

// checkVacant asks those below who find another node of that name further up,
// which dep would hide.
func (p *placement) checkVacant() verdict {
	if p.target != p.top().edge.from {
		if hidden := p.target.lookup(p.edge.key); hidden != nil {
			for e := range hidden.edgesIn.all() {
				if e.from.within(p.target) && e.Valid() && !p.dep.satisfiesEdge(e) {
					return verdictConflict
				}
			}
		}
	}
	return p.withPeers(verdictOK)
}

func (p *placement) checkOccupied() verdict {
	dep, current := p.dep, p.current
	if dep.matches(current) && (p.excused || current.satisfiesEdge(p.edge)) {
		return verdictKeep
	}
	order, ok := compareVersions(dep, current)
	newer := ok && order >= 0
	if newer && current.canReplaceWith(dep, nil) {
		if v := p.withPeers(verdictReplace); v != verdictConflict {
			return v
		}
	}
	if current.satisfiesEdge(p.edge) {
		return verdictKeep
	}
	if p.preferDedupe && !newer && current.canReplaceWith(dep, nil) {
		if v := p.withPeers(verdictReplace); v != verdictConflict {
			return v
		}
	}
	// Whoever can go deeper leaves the place to the one who cannot.
	if p.target != p.deepest() {
		return verdictConflict
	}
	if !p.edge.IsPeer() && p.target == p.edge.from {
		return p.withPeers(verdictReplace)
	}
	if p.parent == nil && !p.edge.IsPeer() {
		return verdictConflict
	}
	if p.canOustPeers() {
		return p.withPeers(verdictReplace)
	}
	return verdictConflict
}

// canOustPeers reports whether every peer set that what is there belongs to can
// either be replaced by the set that dep brings or move deeper.
func (p *placement) canOustPeers() bool {
	room := p.dep.parent // the virtual root with dep's set
	if room == nil {
		return false // a peer of its own displaced it: there is no set to replace another with
	}
	for _, entry := range peerEntries(p.current) {
		if entry.edge == p.edge || entry.edge == p.top().edge {
			continue
		}
		node := entry.edge.to
		if rep := room.children.get(node.key); rep != nil {
			// npm compares exact names here.
			if node.canReplaceWith(rep, func(name string) bool {
				c := room.children.get(foldKey(name))
				return c != nil && c.Name == name
			}) {
				continue
			}
		} else if replaceable(node, room) {
			continue
		}
		for _, peer := range entry.set.list {
			deep := deepestTarget(entry.edge.from, peer.key)
			if deep == p.target || p.target.within(deep) {
				return false
			}
		}
	}
	return true
}

// replaceable reports whether the set in room suits all peers that are wanted by
// node and by what is reached from it without meeting the set.
func replaceable(node, room *Node) bool {
	walk := newNodeSet(node)
	for i := 0; i < len(walk.list); i++ {
		for _, e := range walk.list[i].edgesOut.list {
			if !e.IsPeer() || !e.Valid() {
				continue
			}
			if rep := room.children.get(e.key); rep == nil {
				if e.to != nil {
					walk.add(e.to)
				}
			} else if !rep.satisfiesEdge(e) {
				return false
			}
		}
	}
	return true
}

// withPeers returns state if the peers of dep can be placed too, each as deep as
// it may lie at or above the target.
func (p *placement) withPeers(state verdict) verdict {
	p.self = state
	if p.peers != verdictNone {
		return p.peers
	}
	p.peers = state
	path := append(p.path[:len(p.path):len(p.path)], p.dep)
	for _, e := range p.dep.edgesOut.list {
		if !e.IsPeer() || e.to == nil || containsNode(path, e.to) {
			continue
		}
		child := canPlace(e.to, deepestTarget(p.target, e.to.key), e, p, path, true)
		p.children = append(p.children, child)
		if child.verdict == verdictConflict {
			p.peers = verdictConflict
		}
	}
	return p.peers
}

func containsNode(list []*Node, n *Node) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}

func (p *placement) top() *placement {
	for p.parent != nil {
		p = p.parent
	}
	return p
}

// deepest is the deepest folder where the dependency could lie.
func (p *placement) deepest() *Node {
	start := p.edge.from
	if p.parent != nil {
		start = p.parent.deepest()
	}
	return deepestTarget(start, p.edge.key)
}

// conflicts returns the checks of peers that failed, nearest first.
func (p *placement) conflicts() []*placement {
	var out []*placement
	all := append([]*placement(nil), p.children...)
	for i := 0; i < len(all); i++ {
		all = append(all, all[i].children...)
		if all[i].verdict == verdictConflict {
			out = append(out, all[i])
		}
	}
	return out
}

package resolve

// placer puts one dependency into the tree, and then those of its peers that the
// tree does not have. It is made by place, which also does the work.
type placer struct {
	rules  placeRules
	dep    *Node // in a virtual root, with its peers
	edge   *Edge
	parent *placer // of a peer: the placer of the one that brings it

	nesting int

	check  *placement // of the folder chosen
	self   *placement // of the highest folder where dep alone has no conflict
	placed *Node      // nil if nothing was placed

	children []*placer
	revisit  *nodeSet // dependents of what was pruned along the way
}

// peerNestingMax bounds the chain of peers that one placement brings: two peers
// that exclude each other would displace each other for ever.
const peerNestingMax = 1000

// placeRules are the settings and sinks of placements.
type placeRules struct {
	force, strictPeerDeps, preferDedupe bool
	warn                                func(*PeerConflict)
}

// place puts dep where edge finds it: in the highest folder, from the deepest
// possible one upwards until the first conflict. It returns a *PeerConflictError
// if there is none and the project itself is to blame, or all are to be strict.
func place(rules placeRules, dep *Node, edge *Edge, parent *placer) (*placer, error) {
	p := &placer{rules: rules, dep: dep, edge: edge, parent: parent}
	if parent != nil {
		if p.nesting = parent.nesting + 1; p.nesting > peerNestingMax {
			return nil, ErrUnsettled
		}
	}
	if edge.to != nil && edge.Valid() {
		return p, nil
	}
	p.choose()
	if p.check == nil {
		if !rules.force && (p.isMine() || rules.strictPeerDeps) {
			top := p.top()
			return nil, &PeerConflictError{p.conflict(top.edge, top.dep)}
		}
		if p.self == nil {
			p.warn(edge, dep)
			return p, nil
		}
		p.check = p.self
	}
	target := p.check.target
	state := p.check.verdict
	if state == verdictConflict {
		state = p.check.self
	}
	if state == verdictKeep {
		if edge.IsPeer() && !edge.Valid() {
			p.warn(edge, dep)
		}
		p.dedupe(target, true)
		return p, nil
	}
	if earlier := sameAbove(target, dep); earlier != nil {
		p.placed = newLink(target.tree.env, earlier.Name, earlier.Path(), earlier.Manifest)
		p.placed.attach(target)
		return p, nil
	}
	p.put(target)
	return p, p.placePeers()
}

// choose asks one folder after the other, going up.
func (p *placer) choose() {
	var above *placement
	if p.parent != nil {
		above = p.parent.check
	}
	for target := p.start(); target != nil; target = target.lookupParent() {
		// Where the name is wanted as a peer it cannot lie; further up it can.
		if e := target.edgesOut.get(p.edge.key); e != nil && e.IsPeer() && !target.isTop() {
			continue
		}
		c := canPlace(p.dep, target, p.edge, above, nil, p.rules.preferDedupe)
		if c.self != verdictConflict {
			p.self = c
		}
		if c.verdict == verdictConflict {
			return
		}
		p.check = c
		if p.dep.err != nil {
			return // it will be pruned, or end the resolution: any place will do
		}
	}
}

// start is the deepest folder to ask: at least as high as the dependent of a peer.
func (p *placer) start() *Node {
	from := p.edge.from
	if p.parent != nil {
		from = p.parent.start()
	}
	return deepestTarget(from, p.edge.key)
}

func (p *placer) top() *placer {
	for p.parent != nil {
		p = p.parent
	}
	return p
}

// sameAbove finds the same content further up. Placing it once more would let
// two packages that need each other nest for ever, so a link is made to it.
func sameAbove(target, dep *Node) *Node {
	for n := target; n != nil; n = n.lookupParent() {
		if !n.isTop() && n.matches(dep) {
			return n
		}
	}
	return nil
}

// put places a copy of dep in target's folder and prunes what that makes
// superfluous.
func (p *placer) put(target *Node) {
	dep, env := p.dep, target.tree.env
	if dep.isLink {
		p.placed = newLink(env, dep.Name, dep.real, dep.Manifest)
		p.placed.target = dep.target
	} else {
		p.placed = newNode(env, dep.Name, dep.Manifest)
	}
	n := p.placed
	n.Resolved, n.Integrity, n.HasShrinkwrap = dep.Resolved, dep.Integrity, dep.HasShrinkwrap
	n.err, n.short, n.overrides = dep.err, dep.short, dep.overrides
	n.declareEdges()
	if old := target.children.get(p.edge.key); old != nil {
		p.replaceOld(old)
	} else {
		n.attach(target)
	}
	if p.edge.IsPeer() && !n.satisfiesEdge(p.edge) {
		p.warn(p.edge, dep)
	}
	if p.edge.to != nil && p.edge.to != n && p.edge.Valid() {
		p.dedupe(p.edge.to, false)
	}
	for _, twin := range append([]*Node(nil), target.tree.byName[p.edge.Name]...) {
		if twin.tree != target.tree || twin.isTop() || !twin.within(target) {
			continue
		}
		p.dedupe(twin, false)
		if twin.tree == target.tree {
			for _, kid := range twin.children.list() {
				p.dedupe(kid, false)
			}
		}
	}
}

// placePeers places the peers that the placed node does not find.
func (p *placer) placePeers() error {
	room := p.dep.parent
	if room == nil {
		return nil // a peer of its own displaced it; its peers are found when its turn comes
	}
	for _, e := range p.placed.EdgesOut() {
		if !e.IsPeer() || e.Conflicted || e.Valid() {
			continue
		}
		peer := room.children.get(e.key)
		if peer == nil || !peer.satisfiesEdge(e) {
			continue // an optional one, or one that the set overrode
		}
		child, err := place(p.rules, peer, e, p)
		if err != nil {
			return err
		}
		p.children = append(p.children, child)
	}
	return nil
}

// replaceOld puts the new node in old's place, and prunes what only the old one
// needed, and the peer sets that it held together if they can go deeper.
func (p *placer) replaceOld(old *Node) {
	target, n := old.parent, p.placed
	var oldDeps []*Node
	for _, e := range old.edgesOut.list {
		if to := e.to; to != nil && n.edgesOut.get(e.key) == nil {
			oldDeps = append(oldDeps, exclusiveDeps([]*Node{to}, func(e *Edge) bool { return e.to != to })...)
		}
	}
	var sets []*Node
	for _, e := range old.edgesIn.snapshot() {
		if !e.IsPeer() || e.Conflicted || e.from.parent != target || n.satisfiesEdge(e) {
			continue
		}
		for _, entry := range peerEntries(e.from) {
			node := entry.edge.to
			if !entry.edge.from.isProject() {
				sets = append(sets, exclusiveDeps([]*Node{node}, func(e *Edge) bool { return e.to != node && !e.Conflicted })...)
			} else {
				p.warn(e, p.dep)
			}
		}
	}
	n.replace(old)
	pruneReplaced(n, oldDeps)
	for _, m := range sets {
		for e := range m.edgesIn.all() {
			if p.revisit == nil {
				p.revisit = newNodeSet()
			}
			p.revisit.add(e.from)
		}
		m.detach()
	}
}

// pruneReplaced prunes what the replaced node needed and the new one does not,
// unless somebody else needs it.
func pruneReplaced(n *Node, oldDeps []*Node) {
	bad := newNodeSet()
	for _, e := range n.edgesOut.list {
		if e.to != nil && !e.Valid() {
			bad.add(e.to)
		}
	}
	for _, dep := range oldDeps {
		for _, m := range exclusiveDeps([]*Node{dep}, func(e *Edge) bool { return e.to != dep && e.Valid() }) {
			bad.add(m)
		}
	}
	for _, m := range exclusiveDeps(bad.list, func(e *Edge) bool { return e.from != n && e.to != n && e.Valid() }) {
		m.detach()
	}
}

// dedupe prunes n, with what only it needs, if something as good is found
// further up; else, if it is to descend, it looks at the nodes below.
func (p *placer) dedupe(n *Node, descend bool) {
	if n.canDedupe(p.rules.preferDedupe) {
		for _, m := range exclusiveDeps([]*Node{n}, func(e *Edge) bool { return e.to != n && e.Valid() }) {
			m.detach()
		}
		return
	}
	if !descend {
		return
	}
	kids := n.children.list()
	sortNodes(kids)
	for _, kid := range kids {
		p.dedupe(kid, true)
	}
	tops := append([]*Node(nil), n.fsChildren...)
	sortNodes(tops)
	for _, top := range tops {
		kids := top.children.list()
		sortNodes(kids)
		for _, kid := range kids {
			p.dedupe(kid, true)
		}
	}
}

// isMine reports whether the placement is on the project's own behalf: a conflict
// is then the user's to solve.
func (p *placer) isMine() bool {
	edge := p.top().edge
	n := edge.from
	if n.isProject() {
		return true
	}
	if !edge.IsPeer() {
		return false
	}
	peers := false
	for e := range n.edgesIn.all() {
		if e.IsPeer() {
			peers = true
		} else if e.from.isProject() {
			return true
		}
	}
	if peers {
		for _, entry := range peerEntries(n) {
			if entry.edge.from.isProject() {
				return true
			}
		}
	}
	return false
}

// isProject reports whether the node is the project or one of its workspaces.
func (n *Node) isProject() bool { return n.IsRoot() || n.IsWorkspace() }

package resolve

import "sort"

// A virtual root ("room") stands in for a node that needs something: it declares
// the same dependencies but has an empty node_modules folder. A candidate for one
// dependency is put into it, then the candidate's peers, and theirs, so that the
// set is found that can be placed together, without touching the tree.

// fillNestingMax bounds the chain of peers that one candidate brings. Peers that
// want each other in versions that exclude each other would bring a new one for
// ever.
const fillNestingMax = 300

// candidate returns a node that satisfies e, an edge of n, if one can be had. It
// lies in a virtual root with its peers, or is in the tree already.
func (b *builder) candidate(n *Node, e *Edge) (*Node, error) {
	room := b.rooms[n]
	if room == nil {
		room = b.newRoom(n)
	}
	if re := room.edgesOut.get(e.key); re != nil && re.to != nil && re.Valid() && re.to.satisfiesEdge(e) {
		return re.to, nil
	}
	if e.Type == PeerOptional {
		from := n
		if p := n.lookupParent(); p != nil {
			from = p
		}
		if found := hoistable(from, e); found != nil {
			return found, nil
		}
	}
	if !e.IsPeer() {
		room = b.newRoom(n)
	}
	return b.fill(e, room, nil, newNodeSet(n))
}

// newRoom makes a virtual root for n. The directories that n's links lead to have
// stand-ins in it, so that what they need of a candidate is not forgotten.
func (b *builder) newRoom(n *Node) *Node {
	room := newNode(b.env, folderName(n.RealPath()), n.Manifest)
	room.at, room.source, room.overrides = n.RealPath(), n, n.overrides
	room.declareEdges()
	for c := n.children.first; c != nil; c = c.nextSibling {
		if !c.isLink || c.target == nil {
			continue
		}
		stand := newNode(b.env, folderName(c.real), c.target.Manifest)
		stand.at, stand.source = c.real, c.target
		stand.settleTop(room.tree)
		stand.declareEdges()
	}
	b.rooms[n] = room
	return room
}

// hoistable looks below n, nearest first, for a node that satisfies e.
func hoistable(n *Node, e *Edge) *Node {
	queue := n.children.list()
	for i := 0; i < len(queue); i++ {
		if c := queue[i]; c.Name == e.Name && !c.inDepBundle() && c.satisfiesEdge(e) {
			return c
		}
		queue = append(queue, queue[i].children.list()...)
	}
	return nil
}

// fill puts a node for e into room, and then its peers. advice is a second edge
// of the same name that should be satisfied too, if both can be. required has the
// nodes without which the thing that is being placed would not work.
func (b *builder) fill(e *Edge, room *Node, advice *Edge, required *nodeSet) (*Node, error) {
	if b.filling++; b.filling > fillNestingMax {
		return nil, ErrUnsettled
	}
	defer func() { b.filling-- }()
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	node, err := b.fromSpec(e, room, e)
	if err != nil {
		return nil, err
	}
	if advice != nil && !advice.Valid() {
		second, err := b.fromSpec(advice, room, e)
		if err != nil {
			return nil, err
		}
		if e.Valid() {
			node = second
		}
	}
	if node.tree == b.tree {
		return node, nil // a workspace, which has its place
	}
	node.attach(room)
	if required.has(e.from) && e.Type != PeerOptional ||
		advice != nil && required.has(advice.from) && advice.Type != PeerOptional {
		required.add(node)
	}
	return node, b.fillPeers(node, required)
}

// fillPeers puts the peers of a node into its room. Where the room's own
// dependency of that name decides otherwise, or another peer does, that is an
// error if the project itself asked for both and nothing is left to try, and else
// a conflict that placement will deal with.
func (b *builder) fillPeers(n *Node, required *nodeSet) error {
	var peers []*Edge
	for _, e := range n.edgesOut.list {
		if e.IsPeer() && !(e.to != nil && e.Valid()) {
			peers = append(peers, e)
		}
	}
	sort.SliceStable(peers, func(i, j int) bool { return compareNames(peers[i].Name, peers[j].Name) < 0 })
	for _, e := range peers {
		room := n.parent
		if room == nil {
			return nil // a compatible peer took n's place meanwhile
		}
		if e.to != nil && e.Valid() {
			continue
		}
		own := room.edgesOut.get(e.key)
		tolerate := b.o.Force || !room.source.isProject() && !b.o.StrictPeerDeps
		if e.to == nil {
			if own == nil {
				if _, err := b.fill(e, room, nil, required); err != nil {
					return err
				}
				continue
			}
			dep, err := b.fill(own, room, e, required)
			if err != nil {
				return err
			}
			if e.Valid() {
				continue
			}
			if tolerate || !required.has(dep) {
				e.Conflicted = true
				continue
			}
			if n.parent == nil {
				return nil
			}
			return &PeerConflictError{b.conflict(e, own)}
		}
		// Something lies there that does not satisfy: would what does satisfy
		// also suit those who wanted the other?
		current := e.to
		dep, err := b.fill(e, b.newRoom(e.from), nil, required)
		if err != nil {
			return err
		}
		if current.canReplaceWith(dep, nil) {
			if _, err := b.fill(e, n.parent, nil, required); err != nil {
				return err
			}
			continue
		}
		if tolerate || !required.has(e.from) {
			continue
		}
		return &PeerConflictError{b.conflict(e, own)}
	}
	return nil
}

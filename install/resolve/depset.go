package resolve

// nodeSet is a set of nodes that keeps the order of their arrival and may grow
// during a walk over list.
type nodeSet struct {
	list []*Node
	in   map[*Node]bool
}

func newNodeSet(nodes ...*Node) *nodeSet {
	s := &nodeSet{in: make(map[*Node]bool, len(nodes))}
	for _, n := range nodes {
		s.add(n)
	}
	return s
}

func (s *nodeSet) add(n *Node) {
	if !s.in[n] {
		s.in[n] = true
		s.list = append(s.list, n)
	}
}

func (s *nodeSet) has(n *Node) bool { return s.in[n] }

// exclusiveDeps returns the given nodes and everything that only they need: all
// that can be reached from them over edges that count, less what somebody else
// needs over such an edge. counts must not depend on the set.
func exclusiveDeps(start []*Node, counts func(*Edge) bool) []*Node {
	s := newNodeSet(start...)
	for i := 0; i < len(s.list); i++ {
		for _, e := range s.list[i].edgesOut.list {
			if e.to != nil && counts(e) {
				s.add(e.to)
			}
		}
	}
	// Removing a node can free those it needs, so removals are followed along
	// the edges until nothing changes.
	var freed []*Node
	remove := func(n *Node) {
		s.in[n] = false
		freed = append(freed, n)
	}
	for _, n := range s.list {
		for e := range n.edgesIn.all() {
			if !s.in[e.from] && counts(e) {
				if s.in[n] {
					remove(n)
				}
				break
			}
		}
	}
	for len(freed) > 0 {
		n := freed[len(freed)-1]
		freed = freed[:len(freed)-1]
		for _, e := range n.edgesOut.list {
			if e.to != nil && s.in[e.to] && counts(e) {
				remove(e.to)
			}
		}
	}
	out := s.list[:0]
	for _, n := range s.list {
		if s.in[n] {
			out = append(out, n)
		}
	}
	return out
}

// canReplaceWith reports whether other could stand at n's place without anybody
// noticing: everyone who depends on n and would not be gone with it is satisfied
// by other too. Peers whose folded names are in ignore are replaced along with n
// and are not asked.
func (n *Node) canReplaceWith(other *Node, ignore func(key string) bool) bool {
	if other.Name != n.Name || other.PackageName() != n.PackageName() {
		return false
	}
	if len(n.edgesOut.list) > 0 && !other.overrides.equal(n.overrides) {
		return false
	}
	var gone map[*Node]bool
	for e := range n.edgesIn.all() {
		if ignore != nil && n.parent != nil && e.from.parent == n.parent && e.IsPeer() && ignore(e.from.Name) {
			continue
		}
		if e.satisfiedBy(other) {
			continue
		}
		if gone == nil {
			gone = make(map[*Node]bool)
			for _, m := range exclusiveDeps([]*Node{n}, func(e *Edge) bool { return e.to != n && e.Valid() }) {
				gone[m] = true
			}
		}
		if !gone[e.from] {
			return false
		}
	}
	return true
}

// canDedupe reports whether n may go because everyone who needs it would find
// something as good further up, or because nobody needs it. Of two versions the
// greater one is kept, unless an override chose the lesser.
func (n *Node) canDedupe(preferDedupe bool) bool {
	if n.inDepBundle() || n.inShrinkwrap() {
		return false
	}
	if n.lookupParent() == nil || n.lookupParent().lookupParent() == nil {
		return false
	}
	if n.edgesIn.size == 0 {
		return true
	}
	other := n.lookupParent().lookupParent().lookup(n.key)
	if other == nil {
		return false
	}
	if other.matches(n) {
		return true
	}
	if !n.canReplaceWith(other, nil) {
		return false
	}
	order, ok := compareVersions(other, n)
	return preferDedupe || ok && (order == 0 || order > 0 && !n.overridden())
}

package resolve

// EdgeType is the kind of a dependency.
type EdgeType uint8

// The kinds of dependencies.
const (
	Prod EdgeType = iota
	Dev
	Optional
	Peer
	PeerOptional
	Workspaces // from the project to one of its workspaces
)

// String names the type as npm does.
func (t EdgeType) String() string {
	return [...]string{"prod", "dev", "optional", "peer", "peerOptional", "workspace"}[t]
}

// Fault is what is wrong with an edge.
type Fault uint8

// The faults of edges.
const (
	NoFault   Fault = iota
	Missing         // nothing of that name is found
	Invalid         // what is found does not satisfy
	PeerLocal       // a peer lies inside the package that wants it
	Detached        // the package no longer declares it
)

// String names the fault in lower case.
func (f Fault) String() string {
	return [...]string{"none", "missing", "invalid", "peer local", "detached"}[f]
}

// Edge is one dependency that a node declares. It ends at the node that a lookup
// of its name finds from there.
type Edge struct {
	// Name is the name under which the dependency is looked up.
	Name string
	// Type is the kind of the dependency.
	Type EdgeType
	// Conflicted marks a peer dependency that is known not to be met and was
	// accepted so.
	Conflicted bool

	key     string // folded Name
	written string // what the manifest says
	accept  string // a second spec that will do; "" if there is none
	accepts bool
	from    *Node
	to      *Node
	links   [2]chainLinks

	checked   bool // fault holds
	fault     Fault
	overrides *ruleSet

	wrote, wants *want // parsed forms of written and Spec, nil until asked
}

// From returns the node that declares the dependency.
func (e *Edge) From() *Node { return e.from }

// To returns the node that a lookup finds, nil if it finds none.
func (e *Edge) To() *Node { return e.to }

// Written returns what the manifest asks for.
func (e *Edge) Written() string { return e.written }

// Spec returns what is really asked for: what an override says, if one applies,
// else what is written.
func (e *Edge) Spec() string {
	if r := e.rule(); r != nil {
		return e.overrideSpec(r)
	}
	return e.written
}

// rule is the override that applies to this very edge, or nil.
func (e *Edge) rule() *ruleSet {
	if r := e.overrides; r != nil && r.value != "" && r.value != "*" && r.name == e.Name {
		return r
	}
	return nil
}

// IsOptional reports whether the edge may stay without an end.
func (e *Edge) IsOptional() bool { return e.Type == Optional || e.Type == PeerOptional }

// IsPeer reports whether the dependency is wanted beside the dependent.
func (e *Edge) IsPeer() bool { return e.Type == Peer || e.Type == PeerOptional }

// Valid reports whether the edge has no fault.
func (e *Edge) Valid() bool { return e.Fault() == NoFault }

// Fault returns what is wrong with the edge. The verdict is kept until the edge
// is reloaded.
func (e *Edge) Fault() Fault {
	if e.checked {
		return e.fault
	}
	switch {
	case e.to == nil && e.IsOptional():
		return NoFault // not kept: nothing was examined
	case e.to == nil:
		e.fault = Missing
	case e.IsPeer() && e.from == e.to.parent && !e.from.isTop():
		e.fault = PeerLocal
	case !e.satisfiedBy(e.to), e.overridesClash():
		e.fault = Invalid
	default:
		e.fault = NoFault
	}
	e.checked = true
	return e.fault
}

// overridesClash reports whether the rules that reach the end by this edge
// contradict those it already stands under. Of a package that depends on nothing
// they do not matter.
func (e *Edge) overridesClash() bool {
	return e.overrides != nil && e.to.overrides != nil && len(e.to.edgesOut.list) > 0 &&
		clash(e.overrides, e.to.overrides)
}

// satisfiedBy reports whether n would do as the end of this edge.
func (e *Edge) satisfiedBy(n *Node) bool {
	if n.Name != e.Name || e.from == nil {
		return false
	}
	if n.HasShrinkwrap || n.inShrinkwrap() || n.InBundle() {
		return e.accepted(n, e.writtenWant()) // what a package brings along is not overridden
	}
	if e.overrides == nil || e.overrides.keySpec == "" {
		return e.accepted(n, e.want())
	}
	// Under an override both its value and what was written will do, except a
	// version that the rule was made to replace.
	return e.accepted(n, e.want()) ||
		e.accepted(n, e.writtenWant()) && !e.accepted(n, e.parse(e.overrides.keySpec))
}

// accepted holds n against a want, and against the second spec that the
// dependent accepts.
func (e *Edge) accepted(n *Node, w *want) bool {
	return w.acceptedBy(n, e) || e.accepts && e.parse(e.accept).acceptedBy(n, e)
}

func (e *Edge) want() *want {
	if e.wants == nil {
		e.wants = e.parse(e.Spec())
	}
	return e.wants
}

func (e *Edge) writtenWant() *want {
	if e.wrote == nil {
		e.wrote = e.parse(e.written)
	}
	return e.wrote
}

func (e *Edge) parse(spec string) *want {
	return e.from.tree.env.want(e.Name, spec, e.base())
}

// base is the directory that relative paths in the edge's spec start from: the
// project's for what an override says, the tarball's for a package that came
// from a tarball on disk, else the dependent's own.
func (e *Edge) base() string {
	if r := e.overrides; r != nil && r.name == e.Name && r.value != "" {
		if e.from.source != nil {
			return e.from.source.tree.Root.RealPath()
		}
		return e.from.tree.Root.RealPath()
	}
	return e.from.sourceDir()
}

// reload looks the end up again. A hard reload also forgets the verdict.
func (e *Edge) reload(hard bool) {
	var old, rules *ruleSet
	changed := false
	if e.from.overrides == nil {
		e.setOverrides(nil)
	} else if rules = e.from.overrides.forEdge(e); !rules.equal(e.overrides) {
		changed, old = true, e.overrides
		e.setOverrides(rules)
	}
	to := e.from.lookup(e.key)
	switch {
	case to != e.to:
		if e.to != nil {
			e.to.dropEdgeIn(e)
		}
		e.to = to
		e.checked = false
		if to != nil {
			to.addEdgeIn(e)
		}
	case hard:
		e.checked = false
	case changed && to != nil:
		to.rulesLeft(old)
		to.rulesArrived(rules)
	}
}

func (e *Edge) setOverrides(r *ruleSet) {
	if e.overrides != r {
		e.overrides, e.wants, e.wrote = r, nil, nil
	}
}

// detach takes the edge out of the graph for good.
func (e *Edge) detach() {
	if e.to != nil {
		e.to.dropEdgeIn(e)
	}
	if e.from.tree.indexed {
		e.from.tree.unindex(e)
	}
	e.from.edgesOut.remove(e)
	e.to, e.from = nil, nil
	e.checked, e.fault = true, Detached
}

func (n *Node) addEdgeIn(e *Edge) {
	if e.overrides != nil && (n.overrides == nil || !n.overrides.equal(e.overrides)) {
		n.rulesArrived(e.overrides)
	}
	n.edgesIn.add(e)
}

func (n *Node) dropEdgeIn(e *Edge) {
	n.edgesIn.remove(e)
	if e.overrides != nil {
		n.rulesLeft(e.overrides)
	}
}

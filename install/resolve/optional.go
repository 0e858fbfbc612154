package resolve

import (
	"weft/install/target"
)

// optionalSet returns n, which is optional, with everything that has to go along
// if it cannot be had: the dependents up to the edges that are optional, and what
// only these need.
func optionalSet(n *Node) []*Node {
	set := newNodeSet(n)
	for i := 0; i < len(set.list); i++ {
		for e := range set.list[i].edgesIn.all() {
			if !e.IsOptional() {
				set.add(e.from)
			}
		}
	}
	return exclusiveDeps(set.list, func(e *Edge) bool { return !set.has(e.to) && !e.from.Inert })
}

// OptionalFailed makes n, which is optional and could not be fetched or
// extracted, inert, with what has to go along. It returns the nodes that became
// inert; the caller removes their folders. The lockfile keeps them.
func OptionalFailed(n *Node) []*Node {
	var out []*Node
	for _, m := range optionalSet(n) {
		if !m.Inert {
			m.Inert = true
			out = append(out, m)
		}
	}
	return out
}

// pruneFailed makes optional nodes inert that have no manifest. A node that is
// needed ends the resolution.
func (b *builder) pruneFailed() error {
	for _, n := range b.failed.list {
		if n.tree != b.tree {
			continue // never placed, or gone since
		}
		if !n.Optional {
			return n.err
		}
		OptionalFailed(n)
	}
	return nil
}

// checkTargets holds every node against the target. What is needed must be for
// the platform, and should be for this Node; what is optional and does not fit is
// made inert.
func (b *builder) checkTargets() error {
	t := b.o.Target
	for _, n := range b.tree.Nodes() {
		m := n.Manifest
		if !n.Optional && !b.omits(n) {
			if !(n.IsRoot() && declaresDevEngines(n)) {
				if err := b.checkEngine(n); err != nil {
					return err
				}
			}
			if !b.o.Force && t.OS != "" {
				if err := target.CheckPlatform(m.OS, m.CPU, m.Libc, t); err != nil {
					return &PlatformError{Node: n, Err: err}
				}
			}
		}
		if n.Optional && !n.Inert && !fits(n, t) {
			OptionalFailed(n)
		}
	}
	return nil
}

// fits reports whether the node is for the target's Node and platform.
func fits(n *Node, t target.Target) bool {
	m := n.Manifest
	return target.CheckEngine(m.Engines, t.NodeVersion, target.NpmVersion) == nil &&
		(t.OS == "" || target.CheckPlatform(m.OS, m.CPU, m.Libc, t) == nil)
}

func (b *builder) checkEngine(n *Node) error {
	node := b.o.Target.NodeVersion
	if b.o.Force {
		node = ""
	}
	err := target.CheckEngine(n.Manifest.Engines, node, target.NpmVersion)
	if err == nil {
		return nil
	}
	found := &EngineError{Node: n, Err: err}
	if b.o.EngineStrict {
		return found
	}
	b.result.Engines = append(b.result.Engines, found)
	return nil
}

func declaresDevEngines(n *Node) bool {
	v, ok := n.Manifest.Raw.Get("devEngines")
	return ok && v.Truthy()
}

// omits reports whether the settings leave the node out of the installation. Only
// what lies below the project or a workspace can be left out.
func (b *builder) omits(n *Node) bool { return n.Omitted(b.o.OmitDev, b.o.OmitOptional, b.o.OmitPeer) }

// Omitted reports whether the node is not to be installed where dependencies of
// these kinds are left out.
func (n *Node) Omitted(dev, optional, peer bool) bool {
	if !dev && !optional && !peer {
		return false
	}
	if top := n.top(); !top.IsRoot() && !top.IsWorkspace() {
		return false
	}
	return n.Peer && peer || n.Dev && dev || n.Optional && optional || n.DevOptional && dev && optional
}

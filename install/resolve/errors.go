package resolve

import (
	"fmt"
	"strings"
)

// LoadError says that nothing could be had for a dependency. Err says why: it
// wraps ErrNotFound, a *packument.NoMatchError, ErrGit, or what the Source gave.
type LoadError struct {
	Name, Spec string
	// By is the node that declares the dependency.
	By  *Node
	Err error
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("resolve %s@%s, required by %s: %v", e.Name, e.Spec, describe(e.By), e.Err)
}

// Unwrap returns Err.
func (e *LoadError) Unwrap() error { return e.Err }

// OverrideError says that an override contradicts what the project itself
// depends on.
type OverrideError struct{ Name, Written, Override string }

func (e *OverrideError) Error() string {
	return fmt.Sprintf("read overrides: %s is overridden to %s, but the project depends on %s itself", e.Name, e.Override, e.Written)
}

// EngineError says that a package is made for another Node or npm.
type EngineError struct {
	Node *Node
	Err  error // a *target.EngineError
}

func (e *EngineError) Error() string { return fmt.Sprintf("%s: %v", describe(e.Node), e.Err) }

// Unwrap returns Err.
func (e *EngineError) Unwrap() error { return e.Err }

// PlatformError says that a package that is needed is not for this platform.
type PlatformError struct {
	Node *Node
	Err  error // a *target.PlatformError
}

func (e *PlatformError) Error() string { return fmt.Sprintf("%s: %v", describe(e.Node), e.Err) }

// Unwrap returns Err.
func (e *PlatformError) Unwrap() error { return e.Err }

// LockError says that a lockfile contradicts itself.
type LockError struct {
	Location string
	Reason   string
}

func (e *LockError) Error() string {
	return fmt.Sprintf("read lockfile: %s: %s", e.Location, e.Reason)
}

// describe names a node for a message.
func describe(n *Node) string {
	if n == nil || n.IsRoot() && n.source == nil {
		return "the project"
	}
	name := n.PackageName()
	if name == "" {
		name = n.Name
	}
	if n.Version() != "" {
		name += "@" + n.Version()
	}
	if n.Name != n.PackageName() && n.PackageName() != "" && !n.isTop() {
		name = n.Name + " (" + name + ")"
	}
	return name
}

// PeerConflict is a peer dependency that is not met.
type PeerConflict struct {
	// Wants is the edge that cannot be met, as it stood when that was found.
	Wants Request
	// Found is what lies where the peer would have to be, nil if nothing does.
	Found *Holder
	// Instead is what would have been placed for the edge; nil if nothing would.
	Instead *Holder
	// Against is another dependency that decides otherwise, nil if none is known.
	Against *Request
}

// Request is a dependency in a conflict: who asks for what.
type Request struct {
	Name, Spec string
	Type       EdgeType
	By         string // "the project", or name@version
	Location   string // of the one who asks
}

// Holder is a package in a conflict, and who asks for it.
type Holder struct {
	Name, Version string
	Location      string // "" for a package that was not placed
	By            []Request
}

func (c *PeerConflict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s wants %s %s@%s", c.Wants.By, c.Wants.Type, c.Wants.Name, c.Wants.Spec)
	if c.Found != nil {
		fmt.Fprintf(&b, ", but %s@%s is there", c.Found.Name, c.Found.Version)
		for i, r := range c.Found.By {
			if i == 3 {
				fmt.Fprintf(&b, " and %d more", len(c.Found.By)-i)
				break
			}
			fmt.Fprintf(&b, ", for %s (%s)", r.By, r.Spec)
		}
	}
	if c.Against != nil {
		fmt.Fprintf(&b, "; %s wants %s@%s", c.Against.By, c.Against.Name, c.Against.Spec)
	}
	return b.String()
}

// PeerConflictError says that a peer conflict leaves no tree (npm's ERESOLVE).
type PeerConflictError struct{ Conflict *PeerConflict }

func (e *PeerConflictError) Error() string { return "resolve peers: " + e.Conflict.String() }

func requestOf(e *Edge) Request {
	by := requirer(e)
	r := Request{Name: e.Name, Spec: e.Spec(), Type: e.Type, By: describe(by)}
	if by.source == nil {
		r.Location = by.Location()
	}
	return r
}

func holderOf(n *Node) *Holder {
	if n == nil {
		return nil
	}
	h := &Holder{Name: n.Name, Version: n.Version()}
	if n.tree.indexed {
		h.Location = n.Location()
	}
	for e := range n.edgesIn.all() {
		if e.Valid() {
			h.By = append(h.By, requestOf(e))
		}
	}
	return h
}

// conflict describes an edge inside a virtual root that another dependency of
// the root decides otherwise.
func (b *builder) conflict(e, own *Edge) *PeerConflict {
	c := &PeerConflict{Wants: requestOf(e), Found: holderOf(e.from.lookup(e.key))}
	if own != nil {
		r := requestOf(own)
		c.Against = &r
	}
	return c
}

// conflict describes why dep cannot be placed for e.
func (p *placer) conflict(e *Edge, dep *Node) *PeerConflict {
	c := &PeerConflict{Wants: requestOf(e), Found: holderOf(e.from.lookup(e.key)), Instead: holderOf(dep)}
	if p.parent != nil {
		r := requestOf(p.edge)
		c.Against = &r
		return c
	}
	if p.self != nil && p.self.self != verdictConflict {
		for _, peer := range p.self.conflicts() { // the first peer that something is in the way of
			if peer.current != nil {
				r := requestOf(peer.edge)
				c.Against = &r
				c.Found = holderOf(peer.current)
				break
			}
		}
	}
	return c
}

// warn marks a peer dependency as not met, and reports it.
func (p *placer) warn(e *Edge, dep *Node) {
	e.Conflicted = true
	if p.rules.warn != nil {
		p.rules.warn(p.conflict(e, dep))
	}
}

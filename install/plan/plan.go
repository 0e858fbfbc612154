// Package plan compares the tree that is wanted with the one that is there, and
// says what has to be done about it, location by location.
//
// It is a pure function of two trees (see weft/install/resolve) and reads no
// file, except that a caller may let it ask whether a package's commands are in
// place. How packages are fetched and put in place is nobody's business here.
//
// The rules are npm's: what is inert or left out by the settings counts as not
// wanted; a package is kept if its version and integrity (or, where neither tree
// knows an integrity, its origin) are the same; what another package brings in
// its own tarball is neither added nor, while that package is kept, removed.
package plan

import (
	"sort"

	"weft/install/resolve"
	"weft/internal/locale"
	"weft/npm/integrity"
)

// Action is what has to be done at a location.
type Action uint8

// The actions.
const (
	Keep   Action = iota // it is as it should be
	Add                  // nothing is there yet
	Change               // something else is there
	Remove               // it is not wanted
)

// String names the action in lower case.
func (a Action) String() string { return [...]string{"keep", "add", "change", "remove"}[a] }

// Step is an action at a location.
type Step struct {
	Action Action
	// Location is the slash path from the project to the place.
	Location string
	// Actual is the node that is there, nil for Add.
	Actual *resolve.Node
	// Ideal is the node that should be there, nil for Remove.
	Ideal *resolve.Node
	// Bundled tells that another package's tarball holds this one: there is
	// nothing to fetch, it comes and goes with that package.
	Bundled bool
	// Within tells that a step further up changes or removes the folder that
	// holds this one. What is kept must then be carried over, and what is to be
	// removed is gone already.
	Within bool
}

// Options bear on what is wanted. The zero value wants everything.
type Options struct {
	// OmitDev, OmitOptional and OmitPeer leave out what is needed only by such
	// dependencies. Those nodes of the ideal tree are made inert.
	OmitDev, OmitOptional, OmitPeer bool
	// BinsMissing reports whether a command of a node that is there is not in
	// place; such a node is changed. Nil: all are in place.
	BinsMissing func(*resolve.Node) bool
}

// Diff returns a step for every place in a node_modules folder that either tree
// has, outer folders before inner ones, and each level in npm's order of strings.
// The project and the directories that links lead to have no step of their own.
func Diff(actual, ideal *resolve.Tree, o Options) []Step {
	d := &differ{o: o, steps: make(map[string]*Step, ideal.Len())}
	for _, n := range ideal.Nodes() {
		if n.Parent() == nil {
			continue
		}
		if n.Omitted(o.OmitDev, o.OmitOptional, o.OmitPeer) {
			n.Inert = true
		}
		if !n.Inert {
			location := n.Location()
			d.steps[location] = &Step{Location: location, Ideal: n, Bundled: n.Bundled()}
			d.order = append(d.order, location)
		}
	}
	for _, n := range actual.Nodes() {
		if n.Parent() == nil {
			continue
		}
		location := n.Location()
		if s := d.steps[location]; s != nil {
			s.Actual = n
			continue
		}
		d.steps[location] = &Step{Location: location, Actual: n, Bundled: n.Bundled()}
		d.order = append(d.order, location)
	}
	d.sort()
	return d.decide()
}

type differ struct {
	o     Options
	steps map[string]*Step
	order []string
}

func (d *differ) sort() {
	depth := make(map[string]int, len(d.order))
	for _, l := range d.order {
		s := d.steps[l]
		n := s.Ideal
		if n == nil {
			n = s.Actual
		}
		for p := n.Parent(); p != nil; p = p.Parent() {
			depth[l]++
		}
	}
	sort.Slice(d.order, func(i, j int) bool {
		a, b := d.order[i], d.order[j]
		if depth[a] != depth[b] {
			return depth[a] < depth[b]
		}
		return locale.Compare(a, b) < 0
	})
}

// decide fills the actions in, outer folders first.
func (d *differ) decide() []Step {
	out := make([]Step, 0, len(d.order))
	for _, location := range d.order {
		s := d.steps[location]
		holder := d.holder(s)
		s.Within = holder != nil && (holder.Within || holder.Action == Change || holder.Action == Remove)
		switch {
		case s.Ideal == nil:
			s.Action = Remove
			if s.Bundled && holder != nil && holder.Action == Keep && d.brings(s) {
				s.Action = Keep
			}
		case s.Actual == nil:
			s.Action = Add
		case d.differs(s):
			s.Action = Change
		}
		out = append(out, *s)
	}
	return out
}

// holder is the step of the package whose folder holds this one, nil for the
// project and other directories.
func (d *differ) holder(s *Step) *Step {
	n := s.Ideal
	if n == nil {
		n = s.Actual
	}
	if n.Parent().Parent() == nil {
		return nil
	}
	return d.steps[n.Parent().Location()]
}

// brings reports whether the package whose tarball holds an actual node is kept
// and says, as it is wanted, nothing else about it: its bundle was not looked into.
func (d *differ) brings(s *Step) bool {
	for n := s.Actual.Parent(); n != nil && n.Parent() != nil; n = n.Parent() {
		if h := d.steps[n.Location()]; h != nil && h.Ideal != nil && len(h.Ideal.Manifest.BundleDependencies) > 0 {
			return h.Action == Keep
		}
	}
	return false
}

// differs reports whether what is there is not what is wanted.
func (d *differ) differs(s *Step) bool {
	a, i := s.Actual, s.Ideal
	if a.IsLink() != i.IsLink() || a.Version() != i.Version() {
		return true
	}
	if d.o.BinsMissing != nil && d.o.BinsMissing(i) {
		return true
	}
	if i.IsLink() {
		return a.RealPath() != i.RealPath()
	}
	if a.Integrity == "" && i.Integrity == "" {
		return a.Resolved != i.Resolved
	}
	return a.Integrity == "" || i.Integrity == "" ||
		!integrity.Parse(i.Integrity).Match(integrity.Parse(a.Integrity))
}

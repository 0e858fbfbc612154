package resolve

import "fmt"

// Mismatch is one respect in which a lockfile does not fit package.json.
type Mismatch struct {
	Name string
	// Locked is the version in the lockfile, "" if it lacks the package.
	Locked string
	// Wanted is the version that package.json leads to.
	Wanted string
	// Location is where the package would lie.
	Location string
}

func (m Mismatch) String() string {
	if m.Locked == "" {
		return fmt.Sprintf("%s@%s is missing from the lockfile", m.Name, m.Wanted)
	}
	return fmt.Sprintf("%s is %s in the lockfile, where %s is needed", m.Name, m.Locked, m.Wanted)
}

// ValidateLock compares the tree that a lockfile describes ([Virtual]) with the
// one that package.json leads to (Ideal with FrozenPeers, from the same lockfile).
// An installation that must not change the lockfile goes ahead only if nothing is
// returned. What the lockfile has beyond that is pruned, and is no mismatch.
func ValidateLock(virtual, ideal *Tree) []Mismatch {
	var out []Mismatch
	locked := make(map[string]*Node, virtual.Len())
	for _, n := range virtual.Nodes() {
		locked[n.Location()] = n
	}
	for _, n := range ideal.Nodes() {
		l := locked[n.Location()]
		if l == nil || l.Version() != n.Version() {
			m := Mismatch{Name: n.Name, Wanted: n.Version(), Location: n.Location()}
			if l != nil {
				m.Locked = l.Version()
			}
			out = append(out, m)
		}
	}
	return out
}

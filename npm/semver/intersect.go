package semver

// Intersects reports whether some version may lie in both ranges, under r's options. Like npm, it
// compares bounds pairwise; it does not ask whether a version exists between two neighbours.
func (r *Range) Intersects(s *Range) bool {
	for _, a := range r.alts {
		left := r.set(a)
		if !satisfiable(left, r.options) {
			continue
		}
		for _, b := range s.alts {
			right := s.set(b)
			if satisfiable(right, r.options) && meet(left, right, r.options) {
				return true
			}
		}
	}
	return false
}

// meet reports whether each comparator of one list intersects each of the other.
func meet(left, right []Comparator, o Options) bool {
	for i := range left {
		for j := range right {
			if !left[i].intersects(&right[j], o) {
				return false
			}
		}
	}
	return true
}

// satisfiable reports whether the comparators of an alternative intersect each other.
func satisfiable(comps []Comparator, o Options) bool {
	for last := len(comps) - 1; last > 0; last-- {
		for i := range last {
			if !comps[last].intersects(&comps[i], o) {
				return false
			}
		}
	}
	return true
}

// Intersects reports whether some version may lie within both bounds.
func (c Comparator) Intersects(d Comparator, o Options) bool { return c.intersects(&d, o) }

func (c *Comparator) intersects(d *Comparator, o Options) bool {
	switch {
	case c.Op == OpAny:
		return true
	case c.Op == OpEqual:
		return testAll([]Comparator{*d}, &c.Version, o.IncludePrerelease)
	case d.Op == OpAny:
		return true
	case d.Op == OpEqual:
		return testAll([]Comparator{*c}, &d.Version, o.IncludePrerelease)
	case c.nothingBelow(o) || d.nothingBelow(o):
		return false
	case c.Op.upward() == d.Op.upward():
		return true
	}
	order := c.Version.compare(&d.Version)
	switch {
	case c.Version.equal(&d.Version) && c.Op.inclusive() && d.Op.inclusive():
		return true
	case order < 0:
		return c.Op.upward()
	case order > 0:
		return c.Op.downward()
	}
	return false
}

// nothingBelow reports whether c is an upper bound at the very bottom.
func (c *Comparator) nothingBelow(o Options) bool {
	if o.IncludePrerelease {
		return c.isNull()
	}
	return c.Op == OpLess && c.belowZero()
}

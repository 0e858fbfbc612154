package semver

// Hull returns the lowest and highest versions, by precedence, between which all versions that satisfy the range lie. It is a
// hull: the bounds themselves and versions between them need not satisfy the range. Where a side is open, has is false for it.
func (r *Range) Hull() (low, high Version, hasLow, hasHigh bool) {
	for i, a := range r.alts {
		l, h := hullOf(r.set(a))
		if i == 0 {
			hasLow, hasHigh = l != nil, h != nil
		}
		if hasLow = hasLow && l != nil; hasLow && (i == 0 || l.compare(&low) < 0) {
			low = *l
		}
		if hasHigh = hasHigh && h != nil; hasHigh && (i == 0 || h.compare(&high) > 0) {
			high = *h
		}
	}
	return low, high, hasLow, hasHigh
}

// hullOf returns the tightest bounds of one alternative, nil where a side is open.
func hullOf(comps []Comparator) (low, high *Version) {
	for i := range comps {
		c := &comps[i]
		if (c.Op.upward() || c.Op == OpEqual) && (low == nil || c.Version.compare(low) > 0) {
			low = &c.Version
		}
		if (c.Op.downward() || c.Op == OpEqual) && (high == nil || c.Version.compare(high) < 0) {
			high = &c.Version
		}
	}
	return low, high
}

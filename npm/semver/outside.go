package semver

// Above reports whether v is higher than every version the range allows (npm's gtr).
func (r *Range) Above(v Version) bool { return r.outside(&v, 1) }

// Below reports whether v is lower than every version the range allows (npm's ltr).
func (r *Range) Below(v Version) bool { return r.outside(&v, -1) }

// outside answers Above for sign 1; for -1 it turns every comparison round and answers Below.
func (r *Range) outside(v *Version, sign int) bool {
	if r.satisfies(v) {
		return false
	}
	open, openEqual := OpGreater, OpGreaterEqual
	if sign < 0 {
		open, openEqual = OpLess, OpLessEqual
	}
	for _, a := range r.alts {
		far, near := edges(r.set(a), sign)
		if far.Op == open || far.Op == openEqual {
			return false // no bound on that side
		}
		order := v.compare(&near.Version) * sign
		if order < 0 && near.Op == openEqual {
			return false
		}
		if order <= 0 && (near.Op == OpEqual || near.Op == open) {
			return false
		}
	}
	return true
}

// edges returns the comparators with the farthest and the nearest versions in the direction of sign.
func edges(comps []Comparator, sign int) (far, near *Comparator) {
	for i := range comps {
		c := &comps[i]
		if c.Op == OpAny {
			c = &Comparator{Op: OpGreaterEqual}
		}
		if far == nil {
			far, near = c, c
			continue
		}
		if c.Version.compare(&far.Version)*sign > 0 {
			far = c
		} else if c.Version.compare(&near.Version)*sign < 0 {
			near = c
		}
	}
	return far, near
}

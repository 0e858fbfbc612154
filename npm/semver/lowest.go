package semver

// MinVersion returns the lowest version that can satisfy the range; ok is false where none can.
func (r *Range) MinVersion() (min Version, ok bool) {
	for _, v := range []Version{{}, {Prerelease: "0"}} {
		if r.satisfies(&v) {
			return v, true
		}
	}
	for _, a := range r.alts {
		low, found := lowestOf(r.set(a))
		if found && (!ok || min.compare(&low) > 0) {
			min, ok = low, true
		}
	}
	if !ok || !r.satisfies(&min) {
		return Version{}, false
	}
	return min, true
}

// lowestOf returns the highest of the versions that the lower bounds of an alternative begin with.
func lowestOf(comps []Comparator) (low Version, ok bool) {
	for i := range comps {
		c := &comps[i]
		if c.Op.downward() {
			continue
		}
		v := c.Version
		if c.Op == OpGreater {
			if v.Prerelease == "" {
				v.Patch++
			} else {
				v.Prerelease += ".0"
			}
		}
		if !ok || v.compare(&low) > 0 {
			low, ok = v, true
		}
	}
	return low, ok
}

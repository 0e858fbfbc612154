package semver

// SubsetOf reports whether every version that satisfies r satisfies dom, under r's options. It follows npm's
// reasoning over bounds, which may say no where a cleverer one would say yes, never yes where versions are missing.
func (r *Range) SubsetOf(dom *Range) bool {
	if r == dom {
		return true
	}
	sawVersions := false
next:
	for _, a := range r.alts {
		for _, b := range dom.alts {
			if a.text == b.text {
				sawVersions = true
				continue next
			}
			switch alternativeSubset(r.set(a), dom.set(b), r.options) {
			case subsetYes:
				sawVersions = true
				continue next
			case subsetNo:
				sawVersions = true
			}
		}
		// Alternatives that no version satisfies do not count, unless all of them are so.
		if sawVersions {
			return false
		}
	}
	return true
}

// subsetAnswer is whether one alternative is a subset of another.
type subsetAnswer uint8

const (
	subsetNo   subsetAnswer = iota
	subsetYes               // it is
	subsetNull              // no version satisfies it
)

// bounds are the tightest comparators of an alternative.
type bounds struct {
	low, high *Comparator // >, >= and <, <=; nil where there is none
	exact     *Comparator // equality
	exacts    int
	order     int // of low's version and high's where both are there
}

func tightest(comps []Comparator) (b bounds) {
	for i := range comps {
		c := &comps[i]
		switch {
		case c.Op.upward():
			b.low = higherLow(b.low, c)
		case c.Op.downward():
			b.high = lowerHigh(b.high, c)
		default:
			b.exact = c
			b.exacts++
		}
	}
	if b.low != nil && b.high != nil {
		b.order = b.low.Version.compare(&b.high.Version)
	}
	return b
}

// null reports whether no version can satisfy b.
func (b *bounds) null() bool {
	if b.exacts > 1 {
		return true
	}
	if b.low == nil || b.high == nil {
		return false
	}
	return b.order > 0 || (b.order == 0 && (b.low.Op != OpGreaterEqual || b.high.Op != OpLessEqual))
}

// point reports whether low and high leave one version.
func (b *bounds) point() bool { return b.low != nil && b.high != nil && b.order == 0 }

func alternativeSubset(sub, dom []Comparator, o Options) subsetAnswer {
	subAny, domAny := isAny(sub), isAny(dom)
	if domAny && (subAny || o.IncludePrerelease) {
		return subsetYes
	}
	lowest := []Comparator{{Op: OpGreaterEqual}}
	if subAny {
		if o.IncludePrerelease {
			sub = []Comparator{{Op: OpGreaterEqual, Version: Version{Prerelease: "0"}}}
		} else {
			sub = lowest
		}
	}
	if domAny {
		dom = lowest
	}
	b := tightest(sub)
	if b.null() {
		return subsetNull
	}
	if b.exact != nil {
		return exactSubset(&b, dom, o)
	}
	if boundsSubset(&b, dom, o) {
		return subsetYes
	}
	return subsetNo
}

func isAny(comps []Comparator) bool { return len(comps) == 1 && comps[0].Op == OpAny }

// exactSubset answers for an alternative that names one version.
func exactSubset(b *bounds, dom []Comparator, o Options) subsetAnswer {
	v := &b.exact.Version
	in := func(c *Comparator) bool { return testAll([]Comparator{*c}, v, o.IncludePrerelease) }
	if (b.low != nil && !in(b.low)) || (b.high != nil && !in(b.high)) {
		return subsetNull
	}
	for i := range dom {
		if !in(&dom[i]) {
			return subsetNo
		}
	}
	return subsetYes
}

// boundsSubset answers for an alternative of lower and upper bounds.
func boundsSubset(b *bounds, dom []Comparator, o Options) bool {
	var domLow, domHigh bool
	wantLow, wantHigh := prereleasesWanted(b, o)
	for i := range dom {
		c := &dom[i]
		domLow = domLow || c.Op.upward()
		domHigh = domHigh || c.Op.downward()
		if b.low != nil {
			if wantLow && c.allowsPrereleaseOf(&b.low.Version) {
				wantLow = false
			}
			if c.Op.upward() {
				if higherLow(b.low, c) == c {
					return false
				}
			} else if b.low.Op == OpGreaterEqual && !c.test(&b.low.Version) {
				return false
			}
		}
		if b.high != nil {
			if wantHigh && c.allowsPrereleaseOf(&b.high.Version) {
				wantHigh = false
			}
			if c.Op.downward() {
				if lowerHigh(b.high, c) == c {
					return false
				}
			} else if b.high.Op == OpLessEqual && !c.test(&b.high.Version) {
				return false
			}
		}
		if c.Op.exact() && !b.point() {
			return false
		}
	}
	// An open side of sub must be open in dom too.
	if (b.low != nil && domHigh && b.high == nil) || (b.high != nil && domLow && b.low == nil) {
		return false
	}
	return !wantLow && !wantHigh
}

// prereleasesWanted reports for which of the two bounds dom must name a prerelease of the same release, since
// the alternative lets in prereleases there. "<1.2.3-0" lets in none.
func prereleasesWanted(b *bounds, o Options) (low, high bool) {
	if o.IncludePrerelease {
		return false, false
	}
	low = b.low != nil && b.low.Version.Prerelease != ""
	high = b.high != nil && b.high.Version.Prerelease != "" &&
		(b.high.Op != OpLess || b.high.Version.Prerelease != "0")
	return low, high
}

// allowsPrereleaseOf reports whether c names a prerelease of v's release.
func (c *Comparator) allowsPrereleaseOf(v *Version) bool {
	return c.Version.Prerelease != "" && c.Version.sameRelease(v)
}

// higherLow returns the tighter of two lower bounds, a where they are equal; a may be nil.
func higherLow(a, b *Comparator) *Comparator {
	if a == nil {
		return b
	}
	order := a.Version.compare(&b.Version)
	if order < 0 || (order == 0 && b.Op == OpGreater && a.Op == OpGreaterEqual) {
		return b
	}
	return a
}

// lowerHigh returns the tighter of two upper bounds, a where they are equal; a may be nil.
func lowerHigh(a, b *Comparator) *Comparator {
	if a == nil {
		return b
	}
	order := a.Version.compare(&b.Version)
	if order > 0 || (order == 0 && b.Op == OpLess && a.Op == OpLessEqual) {
		return b
	}
	return a
}

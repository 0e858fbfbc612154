package semver

// Valid returns the canonical form of a version, without build metadata; ok is false where it is none.
func Valid(version string, o Options) (canonical string, ok bool) {
	var v Version
	if !v.parse(version, o.Loose) {
		return "", false
	}
	return v.String(), true
}

// IsVersion reports whether version is one. It allocates nothing.
func IsVersion(version string, o Options) bool {
	var v Version
	return v.parse(version, o.Loose)
}

// IsRange reports whether rng is a range.
func IsRange(rng string, o Options) bool {
	r := Range{options: o}
	return len(rng) <= MaxRangeLength && r.parse(rng)
}

// ValidRange returns the canonical form of a range, "*" for one that accepts everything; ok is false where it is none.
func ValidRange(rng string, o Options) (canonical string, ok bool) {
	r, err := ParseRange(rng, o)
	if err != nil {
		return "", false
	}
	if s := r.String(); s != "" {
		return s, true
	}
	return "*", true
}

// Compare returns -1, 0 or 1 as a is below, equal to or above b in precedence. Its error wraps ErrInvalidVersion.
func Compare(a, b string, o Options) (int, error) {
	return compareStrings(a, b, o, Version.Compare)
}

// CompareBuild is Compare with build metadata as the last criterion, as sorting wants it.
func CompareBuild(a, b string, o Options) (int, error) {
	return compareStrings(a, b, o, Version.CompareBuild)
}

func compareStrings(a, b string, o Options, compare func(v, w Version) int) (int, error) {
	v, err := ParseVersion(a, o)
	if err != nil {
		return 0, err
	}
	w, err := ParseVersion(b, o)
	if err != nil {
		return 0, err
	}
	return compare(v, w), nil
}

// Satisfies reports whether the version lies in the range; false where either is malformed.
func Satisfies(version, rng string, o Options) bool {
	r := Range{options: o}
	return len(rng) <= MaxRangeLength && r.parse(rng) && r.SatisfiesString(version)
}

// MaxSatisfying returns the highest of the versions that lies in the range, as it was spelled, the first of equals.
// ok is false where none does or the range is malformed.
func MaxSatisfying(versions []string, rng string, o Options) (best string, ok bool) {
	r, err := ParseRange(rng, o)
	if err != nil {
		return "", false
	}
	return r.MaxSatisfying(versions)
}

// MinSatisfying returns the lowest of the versions that lies in the range, like MaxSatisfying.
func MinSatisfying(versions []string, rng string, o Options) (best string, ok bool) {
	r, err := ParseRange(rng, o)
	if err != nil {
		return "", false
	}
	return r.MinSatisfying(versions)
}

// Intersects reports whether some version may lie in both ranges. Its error wraps ErrInvalidRange.
func Intersects(a, b string, o Options) (bool, error) {
	return relate(a, b, o, (*Range).Intersects)
}

// Subset reports whether every version of the range sub lies in the range dom. Its error wraps ErrInvalidRange.
func Subset(sub, dom string, o Options) (bool, error) {
	if sub == dom {
		return true, nil // even where it is no range at all, as in npm
	}
	return relate(sub, dom, o, (*Range).SubsetOf)
}

func relate(a, b string, o Options, relation func(r, s *Range) bool) (bool, error) {
	r, err := ParseRange(a, o)
	if err != nil {
		return false, err
	}
	s, err := ParseRange(b, o)
	if err != nil {
		return false, err
	}
	return relation(r, s), nil
}

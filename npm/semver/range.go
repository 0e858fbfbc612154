package semver

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInvalidRange is the condition that every failure to read a range wraps.
var ErrInvalidRange = errors.New("invalid range")

// MaxRangeLength is the largest range in bytes that is read. npm has no such limit.
const MaxRangeLength = 32 << 10

// Range is a parsed range: a version satisfies it when it satisfies all comparators of one alternative.
// Make one with ParseRange; it must not be copied.
type Range struct {
	raw     string
	options Options
	comps   []Comparator
	alts    []alternative

	// Room for the common shapes (a caret, a tilde, one version), so that a range is one allocation.
	comps0 [2]Comparator
	alts0  [1]alternative
}

// alternative is one part of a range between "||".
type alternative struct {
	lo, hi int32  // its comparators are comps[lo:hi], at least one
	text   string // as npm keys its memo of parsed alternatives, which some answers of Subset depend on
}

// ParseRange reads a range. The empty string is "*". Its error wraps ErrInvalidRange.
func ParseRange(s string, o Options) (*Range, error) {
	r := &Range{options: o}
	if len(s) > MaxRangeLength {
		return nil, fmt.Errorf("parse range %q: longer than %d bytes: %w", clip(s), MaxRangeLength, ErrInvalidRange)
	}
	if !r.parse(s) {
		return nil, fmt.Errorf("parse range %q: %w", clip(s), ErrInvalidRange)
	}
	return r, nil
}

func (r *Range) parse(s string) bool {
	r.raw = collapse(s)
	r.alts = r.alts0[:0]
	b := builder{options: r.options, loose: r.options.Loose, comps: r.comps0[:0]}
	for rest, more := r.raw, true; more; {
		var text string
		text, rest, more = strings.Cut(rest, "||")
		text = trim(text)
		lo, hi, ok := b.alternative(text)
		if !ok {
			return false
		}
		if hi > lo {
			r.alts = append(r.alts, alternative{int32(lo), int32(hi), text})
		}
	}
	r.comps = b.comps
	if len(r.alts) == 0 {
		return false
	}
	r.simplify()
	return true
}

// simplify drops the alternatives that accept nothing, unless all do, and reduces a range with one that accepts
// everything to that.
func (r *Range) simplify() {
	if len(r.alts) == 1 {
		return
	}
	first := r.alts[0]
	kept := r.alts[:0]
	for _, a := range r.alts {
		if !r.comps[a.lo].isNull() {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		kept = append(kept, first)
	}
	r.alts = kept
	for _, a := range kept {
		if a.hi-a.lo == 1 && r.comps[a.lo].Op == OpAny {
			r.alts = append(kept[:0], a)
			return
		}
	}
}

func (r *Range) set(a alternative) []Comparator { return r.comps[a.lo:a.hi:a.hi] }

// Alternatives returns the comparators of each alternative. The caller may change what it gets.
func (r *Range) Alternatives() [][]Comparator {
	out := make([][]Comparator, len(r.alts))
	for i, a := range r.alts {
		out[i] = append([]Comparator(nil), r.set(a)...)
	}
	return out
}

// Options returns the options the range was read with.
func (r *Range) Options() Options { return r.options }

// Raw returns the text of the range as it was given, white space reduced.
func (r *Range) Raw() string { return r.raw }

// String returns the range in canonical form: comparators joined by blanks, alternatives by "||". It is "" for
// a range that accepts everything.
func (r *Range) String() string {
	var b strings.Builder
	for i, a := range r.alts {
		if i > 0 {
			b.WriteString("||")
		}
		formatComparators(&b, r.set(a))
	}
	return b.String()
}

// IsAny reports whether the range puts no bound on versions ("*", "", ">=0.0.0").
func (r *Range) IsAny() bool {
	return len(r.alts) == 1 && r.comps[r.alts[0].lo].Op == OpAny
}

// Satisfies reports whether v lies in the range. Unless prereleases are included, a prerelease does only where the
// alternative names a prerelease of the same major.minor.patch.
func (r *Range) Satisfies(v Version) bool { return r.satisfies(&v) }

func (r *Range) satisfies(v *Version) bool {
	for i := range r.alts {
		if testAll(r.set(r.alts[i]), v, r.options.IncludePrerelease) {
			return true
		}
	}
	return false
}

// SatisfiesString is Satisfies for a version still to be read; false where it is none.
func (r *Range) SatisfiesString(version string) bool {
	var v Version
	return v.parse(version, r.options.Loose) && r.satisfies(&v)
}

// MaxSatisfying returns the highest of the versions that satisfies the range, as it was spelled, the first of equals.
// ok is false where none does. Strings that are no versions are passed over.
func (r *Range) MaxSatisfying(versions []string) (best string, ok bool) {
	return r.extreme(versions, 1)
}

// MinSatisfying returns the lowest of the versions that satisfies the range, like MaxSatisfying.
func (r *Range) MinSatisfying(versions []string) (best string, ok bool) {
	return r.extreme(versions, -1)
}

func (r *Range) extreme(versions []string, sign int) (best string, ok bool) {
	var v, top Version
	for _, s := range versions {
		if !v.parse(s, r.options.Loose) || (ok && v.compare(&top) != sign) {
			continue
		}
		if r.satisfies(&v) {
			best, top, ok = s, v, true
		}
	}
	return best, ok
}

// testAll reports whether v satisfies every comparator of one alternative and the rule for prereleases.
func testAll(comps []Comparator, v *Version, includePrerelease bool) bool {
	for i := range comps {
		if !comps[i].test(v) {
			return false
		}
	}
	if v.Prerelease == "" || includePrerelease {
		return true
	}
	for i := range comps {
		c := &comps[i]
		if c.Op != OpAny && c.Version.Prerelease != "" && c.Version.sameRelease(v) {
			return true
		}
	}
	return false
}

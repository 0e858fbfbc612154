package packument

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"weft/npm/semver"
	"weft/npm/spec"
)

// Reasons for which no version can be picked; a NoMatchError wraps one of them.
var (
	ErrNoMatch    = errors.New("no matching version found")      // npm's ETARGET
	ErrNoVersions = errors.New("no versions available")          // npm's ENOVERSIONS
	ErrRestricted = errors.New("version is forbidden by policy") // npm's E403
	ErrSpecType   = errors.New("only versions, ranges and tags can be picked")
)

// NoMatchError says that no version answers a spec.
type NoMatchError struct {
	Name       string
	Wanted     string // the version, range or tag
	Type       spec.Type
	DefaultTag string
	Before     time.Time // the zero time where there was no limit
	Avoid      string
	Reason     error  // ErrNoMatch, ErrNoVersions or ErrRestricted
	Message    string // the policy's message with ErrRestricted

	packument *Packument
}

// Error names the package, what was wanted, and why it is not to be had.
func (e *NoMatchError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pick %s@%s", e.Name, e.Wanted)
	if !e.Before.IsZero() {
		fmt.Fprintf(&b, " before %s", e.Before.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(&b, ": %v", e.Reason)
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *NoMatchError) Unwrap() error { return e.Reason }

// Code returns npm's code for the reason: ETARGET, ENOVERSIONS or E403.
func (e *NoMatchError) Code() string {
	switch e.Reason {
	case ErrNoVersions:
		return "ENOVERSIONS"
	case ErrRestricted:
		return "E403"
	}
	return "ETARGET"
}

// Versions returns all versions that the document has.
func (e *NoMatchError) Versions() []string { return e.packument.Versions() }

// DistTags returns the document's tags. The caller must not change the slice.
func (e *NoMatchError) DistTags() []Tag { return e.packument.DistTags() }

// Near returns up to n versions for a hint, lowest first: those around the version or the lower end of the range that was
// wanted, else the highest.
func (e *NoMatchError) Near(n int) []string {
	all := e.packument.sorted() // highest first
	n = min(n, len(all))
	at := 0
	if r, err := semver.ParseRange(e.Wanted, semver.Options{Loose: true}); err == nil {
		if low, ok := r.MinVersion(); ok && (low.Major|low.Minor|low.Patch != 0 || low.IsPrerelease()) {
			at, _ = slices.BinarySearchFunc(all, low, func(c candidate, low semver.Version) int {
				return low.Compare(e.packument.versionOf(c))
			})
		}
	}
	from := min(max(0, at-n/2), len(all)-n)
	out := make([]string, 0, n)
	for _, c := range all[from : from+n] {
		out = append(out, e.packument.keyOf(c))
	}
	slices.Reverse(out)
	return out
}

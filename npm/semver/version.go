package semver

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrInvalidVersion is the condition that every failure to read a version wraps.
var ErrInvalidVersion = errors.New("invalid version")

// Options choose how versions and ranges are read. The zero value is what npm uses for a range in a manifest.
type Options struct {
	// Loose accepts spellings that are not semver but occur in old packages: "=1.2.3", "v 1.2.3",
	// "1.2.3beta", leading zeros. In a range it also drops the comparators that cannot be read.
	Loose bool
	// IncludePrerelease lets a prerelease satisfy any range that its precedence lies within, not only one that
	// names a prerelease of the same major.minor.patch.
	IncludePrerelease bool
}

// Version is one parsed version. The zero value is 0.0.0. Two versions of equal precedence may differ in Build.
type Version struct {
	Major, Minor, Patch uint64 // each at most 2^53 - 1
	// Prerelease holds the dotted identifiers after the hyphen, "" for a release.
	Prerelease string
	// Build holds the dotted identifiers after the plus sign. It plays no part in precedence.
	Build string
}

// ParseVersion reads a version, with white space around it ignored. Its error wraps ErrInvalidVersion.
// It allocates nothing, except for a loose prerelease with leading zeros and for errors.
func ParseVersion(s string, o Options) (Version, error) {
	var v Version
	if !v.parse(s, o.Loose) {
		return Version{}, fmt.Errorf("parse version %q: %w", clip(s), ErrInvalidVersion)
	}
	return v, nil
}

// clip shortens foreign text for a message.
func clip(s string) string {
	if len(s) > maxLength {
		return s[:maxLength] + "..."
	}
	return s
}

// parse reads s into v and reports whether it is a version; v is undefined where it is not.
func (v *Version) parse(s string, loose bool) bool {
	if len(s) > maxLength && codeUnits(s) > maxLength {
		return false
	}
	s = trim(s)
	i := 0
	if loose {
		i = skipPrefix(s, 0)
	} else if s != "" && s[0] == 'v' {
		i = 1
	}
	start := i
	if i = scanNumber(s, start, loose); i == start || i >= len(s) || s[i] != '.' {
		return false
	}
	major := s[start:i]
	start = i + 1
	if i = scanNumber(s, start, loose); i == start || i >= len(s) || s[i] != '.' {
		return false
	}
	minor := s[start:i]
	start = i + 1
	if i = scanNumber(s, start, loose); i == start {
		return false
	}
	if loose {
		i = givePatchBack(s, start, i)
	}
	patch := s[start:i]
	var pre string
	pre, i = scanPrerelease(s, i, loose)
	end := scanBuild(s, i, maxLetters)
	if end != len(s) {
		return false
	}
	v.Build = ""
	if end > i {
		v.Build = s[i+1 : end]
	}
	if loose {
		pre = canonicalPrerelease(pre)
	}
	v.Prerelease = pre
	var ok1, ok2, ok3 bool
	v.Major, ok1 = parseNumber(major)
	v.Minor, ok2 = parseNumber(minor)
	v.Patch, ok3 = parseNumber(patch)
	return ok1 && ok2 && ok3
}

// givePatchBack handles a loose quirk: in "1.2.34.5" the last digit of the patch can only be the
// beginning of a prerelease without a hyphen, so that npm reads 1.2.3-4.5. The patch spans [start, end).
func givePatchBack(s string, start, end int) int {
	if end-start > 1 && end < len(s) && s[end] == '.' {
		return end - 1
	}
	return end
}

// scanPrerelease returns the prerelease at i without its hyphen, "" where there is none, and the index after it.
// In loose mode the hyphen may be missing.
func scanPrerelease(s string, i int, loose bool) (pre string, end int) {
	if i >= len(s) {
		return "", i
	}
	if s[i] == '-' {
		if end = scanIdents(s, i+1, loose); end > i+1 {
			return s[i+1 : end], end
		}
	}
	if loose {
		if end = scanIdents(s, i, loose); end > i {
			return s[i:end], end
		}
	}
	return "", i
}

// String returns the canonical form, without build metadata: what npm calls the version.
func (v Version) String() string {
	var buf [64]byte
	return string(v.AppendTo(buf[:0]))
}

// AppendTo appends the canonical form, without build metadata, to dst.
func (v *Version) AppendTo(dst []byte) []byte {
	dst = strconv.AppendUint(dst, v.Major, 10)
	dst = append(dst, '.')
	dst = strconv.AppendUint(dst, v.Minor, 10)
	dst = append(dst, '.')
	dst = strconv.AppendUint(dst, v.Patch, 10)
	if v.Prerelease != "" {
		dst = append(dst, '-')
		dst = append(dst, v.Prerelease...)
	}
	return dst
}

// IsPrerelease reports whether v has prerelease identifiers.
func (v Version) IsPrerelease() bool { return v.Prerelease != "" }

// Compare returns -1, 0 or 1 as v is below, equal to or above w in precedence. Build metadata is ignored.
func (v Version) Compare(w Version) int { return v.compare(&w) }

// CompareBuild is Compare with build metadata as the last criterion.
func (v Version) CompareBuild(w Version) int {
	if c := v.compare(&w); c != 0 || v.Build == w.Build {
		return c
	}
	switch {
	case v.Build == "":
		return -1
	case w.Build == "":
		return 1
	}
	return compareIdents(v.Build, w.Build)
}

func (v *Version) compare(w *Version) int {
	switch {
	case v.Major != w.Major:
		return compareUint(v.Major, w.Major)
	case v.Minor != w.Minor:
		return compareUint(v.Minor, w.Minor)
	case v.Patch != w.Patch:
		return compareUint(v.Patch, w.Patch)
	case v.Prerelease == w.Prerelease:
		return 0
	case v.Prerelease == "":
		return 1
	case w.Prerelease == "":
		return -1
	}
	return compareIdents(v.Prerelease, w.Prerelease)
}

// sameRelease reports whether v and w have the same major, minor and patch.
func (v *Version) sameRelease(w *Version) bool {
	return v.Patch == w.Patch && v.Minor == w.Minor && v.Major == w.Major
}

// equal reports whether v and w have the same canonical form.
func (v *Version) equal(w *Version) bool {
	return v.sameRelease(w) && v.Prerelease == w.Prerelease
}

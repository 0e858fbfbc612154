package semver

import (
	"strconv"
	"strings"
)

// Base is the number that a new prerelease begins with.
type Base uint8

// The zero Base begins at 0, as npm does when not told otherwise.
const (
	BaseZero Base = iota
	BaseOne
	BaseNone // no number: "1.2.3-beta"
)

// IncOptions are what Inc needs besides a version. The zero value is npm's default.
type IncOptions struct {
	Options
	Identifier string // the word of a prerelease, such as "beta" or "alpha.1"; "" for none
	Base       Base
}

// Inc returns the version raised by one step: "major", "minor", "patch", "premajor", "preminor", "prepatch",
// "prerelease", "release" (which drops the prerelease) or "pre" (which only touches the prerelease). Build metadata
// is dropped. ok is false where the version, the step or the identifier is invalid.
func Inc(version, step string, o IncOptions) (raised string, ok bool) {
	var v Version
	if !v.parse(version, o.Loose) {
		return "", false
	}
	if strings.HasPrefix(step, "pre") && !o.validIdentifier() {
		return "", false
	}
	if !v.inc(step, o) {
		return "", false
	}
	return v.String(), true
}

// validIdentifier reports whether a prerelease can be made of the identifier and base.
func (o *IncOptions) validIdentifier() bool {
	if o.Identifier == "" {
		return o.Base != BaseNone
	}
	text := "-" + o.Identifier
	pre, _ := scanPrerelease(text, 0, o.Loose)
	return pre == o.Identifier
}

func (v *Version) inc(step string, o IncOptions) bool {
	pre := v.Prerelease != ""
	switch step {
	case "premajor":
		*v = Version{Major: v.Major + 1}
	case "preminor":
		*v = Version{Major: v.Major, Minor: v.Minor + 1}
	case "prepatch":
		*v = Version{Major: v.Major, Minor: v.Minor, Patch: v.Patch + 1}
	case "prerelease":
		if !pre {
			v.Patch++
		}
	case "pre":
	case "release":
		v.Prerelease = ""
		return pre
	case "major":
		if v.Minor != 0 || v.Patch != 0 || !pre {
			v.Major++
		}
		*v = Version{Major: v.Major}
		return true
	case "minor":
		if v.Patch != 0 || !pre {
			v.Minor++
		}
		*v = Version{Major: v.Major, Minor: v.Minor}
		return true
	case "patch":
		if !pre {
			v.Patch++
		}
		*v = Version{Major: v.Major, Minor: v.Minor, Patch: v.Patch}
		return true
	default:
		return false
	}
	return v.incPrerelease(o)
}

// incPrerelease raises the last number of the prerelease, or begins a new prerelease where there is none to
// raise or the identifier is another.
func (v *Version) incPrerelease(o IncOptions) bool {
	base := "0"
	if o.Base == BaseOne {
		base = "1"
	}
	var ids []string
	if v.Prerelease != "" {
		ids = strings.Split(v.Prerelease, ".")
	}
	if len(ids) == 0 {
		ids = []string{base}
	} else if !raiseLast(ids) {
		if o.Base == BaseNone && o.Identifier == v.Prerelease {
			return false // nothing would change
		}
		ids = append(ids, base)
	}
	if o.Identifier != "" {
		n, same := beginsWith(ids, o.Identifier)
		if !same || n >= len(ids) || !allDigits(ids[n]) {
			ids = []string{o.Identifier}
			if o.Base != BaseNone {
				ids = append(ids, base)
			}
		}
	}
	v.Prerelease = strings.Join(ids, ".")
	return true
}

// raiseLast adds one to the last number among the identifiers and reports whether there was one.
func raiseLast(ids []string) bool {
	for i := len(ids) - 1; i >= 0; i-- {
		if !allDigits(ids[i]) {
			continue
		}
		if n, ok := parseNumber(ids[i]); ok && n < maxSafeInteger {
			ids[i] = strconv.FormatUint(n+1, 10)
			return true
		}
	}
	return false
}

// beginsWith reports whether the identifiers begin with those of word, and how many those are.
func beginsWith(ids []string, word string) (n int, ok bool) {
	words := strings.Split(word, ".")
	if len(words) > len(ids) {
		return len(words), false
	}
	for i, w := range words {
		if ids[i] != w && compareIdent(ids[i], w) != 0 {
			return len(words), false
		}
	}
	return len(words), true
}

// Truncate returns the version cut down to a step: "patch", "minor" or "major" drop the prerelease and what is below
// the step; the steps that begin with "pre" leave the version as it is. ok is false where either is invalid.
func Truncate(version, step string, o Options) (cut string, ok bool) {
	var v Version
	if !v.parse(version, o.Loose) {
		return "", false
	}
	switch step {
	case "premajor", "preminor", "prepatch", "prerelease":
		return v.String(), true
	case "major":
		return Version{Major: v.Major}.String(), true
	case "minor":
		return Version{Major: v.Major, Minor: v.Minor}.String(), true
	case "patch":
		return Version{Major: v.Major, Minor: v.Minor, Patch: v.Patch}.String(), true
	}
	return "", false
}

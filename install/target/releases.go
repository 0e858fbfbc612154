package target

import (
	"fmt"
	"strings"

	"weft/npm/semver"
)

// DefaultNodeVersion is taken when nothing names a Node: the newest release of
// the LTS line that new projects are told to use. It moves with weft's own
// releases, together with the table below.
const DefaultNodeVersion = "24.21.0"

// line is a release line of Node: its newest version as of this release of
// weft, and the code name by which LTS lines are known ("" for the others).
type line struct {
	newest   string
	codename string
}

// lines, newest first.
var lines = []line{
	{"26.10.0", ""},
	{"25.9.0", ""},
	{"24.21.0", "krypton"},
	{"23.11.1", ""},
	{"22.23.3", "jod"},
	{"21.7.3", ""},
	{"20.20.2", "iron"},
	{"19.9.0", ""},
	{"18.20.8", "hydrogen"},
	{"17.9.1", ""},
	{"16.20.2", "gallium"},
	{"14.21.3", "fermium"},
	{"12.22.12", "erbium"},
	{"10.24.1", "dubnium"},
	{"8.17.0", "carbon"},
	{"6.17.1", "boron"},
	{"4.9.1", "argon"},
}

// VersionError says that a wish for a Node version names none that is known
// here.
type VersionError struct {
	// Source is where the wish stands: one of the Source constants.
	Source string
	// Text is the wish as written.
	Text string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: %q names no Node version that weft knows", e.Source, e.Text)
}

// Resolve turns a wish for a Node version, as people write it on the command
// line, in .nvmrc or in devEngines, into an exact version without a leading v.
// It knows exact versions; partial ones and ranges (the newest known release
// that satisfies them, else the version that a partial one begins with); node,
// current, latest and stable (the newest release); lts, lts/*, lts/iron and
// lts/-1 (LTS lines by name and by distance from the newest).
func Resolve(wish string) (string, bool) {
	wish = strings.TrimSpace(wish)
	if version, ok := semver.Valid(wish, semver.Options{}); ok {
		return version, true
	}
	switch name := strings.ToLower(wish); name {
	case "":
		return "", false
	case "node", "current", "latest", "stable":
		return lines[0].newest, true
	case "lts", "lts/*":
		return DefaultNodeVersion, true
	default:
		if codename, ok := strings.CutPrefix(name, "lts/"); ok {
			return resolveLTS(codename)
		}
	}
	for _, l := range lines {
		if semver.Satisfies(l.newest, wish, semver.Options{}) {
			return l.newest, true
		}
	}
	return firstOf(wish)
}

func resolveLTS(codename string) (string, bool) {
	var back int
	if n, err := fmt.Sscanf(codename, "-%d", &back); n != 1 || err != nil {
		back = -1
	}
	for _, l := range lines {
		switch {
		case l.codename == "":
			continue
		case l.codename == codename, back == 0:
			return l.newest, true
		}
		back--
	}
	return "", false
}

// firstOf completes "20.11" or "v20.11" to 20.11.0: the table has only the
// newest release of each line.
func firstOf(partial string) (string, bool) {
	partial = strings.TrimPrefix(strings.ToLower(partial), "v")
	for range 2 {
		partial += ".0"
		if version, ok := semver.Valid(partial, semver.Options{}); ok {
			return version, true
		}
	}
	return "", false
}

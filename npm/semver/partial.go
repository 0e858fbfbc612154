package semver

// partial is a version of which parts may be missing or wild, as carets, tildes, x-ranges and hyphen ranges
// take it. The parts are kept as text: some of npm's rules look at the text ("0" is not "00").
type partial struct {
	major, minor, patch string // digits, "x", "X", "*"; minor and patch may be ""
	pre                 string // without its hyphen; only where patch is present
}

// wild reports whether a part stands for any number.
func wild(part string) bool {
	return part == "" || part == "*" || part == "x" || part == "X"
}

// disordered reports whether a wild part comes before one that is not, where an x-range has no meaning.
func (p *partial) disordered() bool {
	return (wild(p.major) && !wild(p.minor)) || (wild(p.minor) && p.patch != "" && !wild(p.patch))
}

// scanPartial reads the partial version at i, with its prefix of 'v', '=' and blanks, and returns the index after it.
// Anchored says that the text must end after it (or go on with a blank), which makes loose numbers give digits back.
func scanPartial(s string, i int, loose, anchored bool) (p partial, end int, ok bool) {
	i = skipPrefix(s, i)
	if end = scanPart(s, i, loose); end == i {
		return p, 0, false
	}
	p.major = s[i:end]
	if end >= len(s) || s[end] != '.' {
		return p, end, true
	}
	i = end + 1
	next := scanPart(s, i, loose)
	if next == i {
		return p, end, true
	}
	p.minor, end = s[i:next], next
	if end >= len(s) || s[end] != '.' {
		return p, end, true
	}
	i = end + 1
	if next = scanPart(s, i, loose); next == i {
		return p, end, true
	}
	if loose && anchored {
		next = givePatchBack(s, i, next)
	}
	p.patch = s[i:next]
	p.pre, end = scanPrerelease(s, next, loose)
	return p, scanBuild(s, end, maxLetters), true
}

// scanPart returns the index after the number or wildcard at i; i where there is none.
func scanPart(s string, i int, loose bool) int {
	if i < len(s) && (s[i] == 'x' || s[i] == 'X' || s[i] == '*') {
		return i + 1
	}
	return scanNumber(s, i, loose)
}

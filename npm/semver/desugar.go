package semver

import "strings"

// token reads one blank-free token of an alternative and adds what it means. It reports false where
// the token makes the whole range invalid.
func (b *builder) token(s string) bool {
	if strings.IndexByte(s, '+') >= 0 {
		s = s[:indexBuild(s)] // left by a hyphen range whose number was printed with an exponent
	}
	if s == "" {
		b.sawEdge()
		return true
	}
	switch s[0] {
	case '^':
		if p, end, ok := scanPartial(s, 1, b.loose, true); ok && end == len(s) {
			return b.caret(&p)
		}
	case '~':
		i := 1
		if len(s) > 1 && s[1] == '>' {
			i = 2
		}
		if p, end, ok := scanPartial(s, i, b.loose, true); ok && end == len(s) {
			return b.tilde(&p)
		}
	default:
		op, i := scanOp(s, 0)
		p, end, ok := scanPartial(s, i, b.loose, true)
		if ok && end == len(s) && !p.disordered() && wild(p.patch) {
			return b.wildcard(op, &p)
		}
	}
	return b.literal(removeStar(s))
}

// indexBuild returns where the build metadata in a token begins; len(s) where there is none.
func indexBuild(s string) int {
	for i := range len(s) {
		if scanBuild(s, i, maxLetters) > i {
			return i
		}
	}
	return len(s)
}

// removeStar removes the first star of a token that is no x-range, with the operator before it: npm treats
// what remains as a comparator.
func removeStar(s string) string {
	i := strings.IndexByte(s, '*')
	if i < 0 {
		return s
	}
	start := i
	if start > 0 && s[start-1] == '=' {
		start--
	}
	if start > 0 && (s[start-1] == '<' || s[start-1] == '>') {
		start--
	}
	return s[:start] + s[i+1:]
}

// caret adds ^p: changes that keep the leftmost number other than zero.
func (b *builder) caret(p *partial) bool {
	switch {
	case wild(p.major):
		b.sawEdge()
		return true
	case wild(p.minor):
		return b.lower(p.major, "0", "0", b.zero()) && b.below(p.major, "", "")
	case wild(p.patch):
		if p.major == "0" {
			return b.lower(p.major, p.minor, "0", b.zero()) && b.below(p.major, p.minor, "")
		}
		return b.lower(p.major, p.minor, "0", b.zero()) && b.below(p.major, "", "")
	}
	if !b.lower(p.major, p.minor, p.patch, p.pre) {
		return false
	}
	switch {
	case p.major != "0":
		return b.below(p.major, "", "")
	case p.minor != "0":
		return b.below(p.major, p.minor, "")
	}
	return b.below(p.major, p.minor, p.patch)
}

// tilde adds ~p: changes of the patch, or of the minor where only the major is given.
func (b *builder) tilde(p *partial) bool {
	switch {
	case wild(p.major):
		b.sawEdge()
		return true
	case wild(p.minor):
		return b.lower(p.major, "0", "0", b.zero()) && b.below(p.major, "", "")
	case wild(p.patch):
		return b.lower(p.major, p.minor, "0", b.zero()) && b.below(p.major, p.minor, "")
	}
	return b.lower(p.major, p.minor, p.patch, p.pre) && b.below(p.major, p.minor, "")
}

// wildcard adds an x-range, with or without an operator before it.
func (b *builder) wildcard(op Op, p *partial) bool {
	if wild(p.major) {
		if op == OpGreater || op == OpLess {
			return b.add(Comparator{Op: OpLess, Version: Version{Prerelease: "0"}})
		}
		b.sawEdge()
		return true
	}
	minor := p.minor
	if wild(minor) {
		minor = "0"
	}
	switch op {
	case OpEqual:
		if !b.lower(p.major, minor, "0", b.zero()) {
			return false
		}
	case OpGreaterEqual:
		return b.lower(p.major, minor, "0", b.zero())
	case OpLess:
		return b.bound(OpLess, p.major, minor, "0", "0")
	case OpGreater:
		return b.next(OpGreaterEqual, p, b.zero())
	case OpLessEqual:
		return b.next(OpLess, p, "0")
	}
	if wild(p.minor) {
		return b.below(p.major, "", "")
	}
	return b.below(p.major, p.minor, "")
}

// next adds a bound at the first version after the x-range p. A number that JavaScript would print with an exponent
// is unreadable after it, and so only dropped in loose mode.
func (b *builder) next(op Op, p *partial, pre string) bool {
	major, minor := p.major, p.minor
	if wild(minor) {
		major, minor = increment(major), "0"
	} else {
		minor = increment(minor)
	}
	if !allDigits(major) || !allDigits(minor) {
		return b.loose
	}
	return b.bound(op, major, minor, "0", pre)
}

// literal adds a token that must be a comparator as it stands.
func (b *builder) literal(s string) bool {
	switch {
	case s == "":
		b.sawEdge()
		return true
	case b.loose && !readable(s, true):
		return true
	case !b.options.IncludePrerelease && s == ">=0.0.0", b.options.IncludePrerelease && s == ">=0.0.0-0":
		return b.add(Comparator{Op: OpAny})
	}
	var c Comparator
	return c.parse(s, b.loose) && b.add(c)
}

// zero is the prerelease of lower bounds whose patch was not written: the lowest of all where prereleases count.
func (b *builder) zero() string {
	if b.options.IncludePrerelease {
		return "0"
	}
	return ""
}

// lower adds >=major.minor.patch-pre, or "anything" where that is the lowest version there is.
func (b *builder) lower(major, minor, patch, pre string) bool {
	if pre == b.zero() && major == "0" && minor == "0" && patch == "0" {
		return b.add(Comparator{Op: OpAny})
	}
	return b.bound(OpGreaterEqual, major, minor, patch, pre)
}

// below adds the upper bound <V-0, where V is the version after all that share the given parts: an empty
// minor means that the major counts up, an empty patch the minor, else the patch.
func (b *builder) below(major, minor, patch string) bool {
	switch {
	case minor == "":
		return b.bound(OpLess, increment(major), "0", "0", "0")
	case patch == "":
		return b.bound(OpLess, major, increment(minor), "0", "0")
	}
	return b.bound(OpLess, major, minor, increment(patch), "0")
}

// bound adds a comparator from the text of its parts.
func (b *builder) bound(op Op, major, minor, patch, pre string) bool {
	length := len(major) + len(minor) + len(patch) + len("..")
	if pre != "" {
		length += len("-") + len(pre)
	}
	if length > maxLength {
		return false
	}
	c := Comparator{Op: op}
	var ok1, ok2, ok3 bool
	c.Version.Major, ok1 = parseNumber(major)
	c.Version.Minor, ok2 = parseNumber(minor)
	c.Version.Patch, ok3 = parseNumber(patch)
	c.Version.Prerelease = pre
	if b.loose {
		c.Version.Prerelease = canonicalPrerelease(pre)
	}
	return ok1 && ok2 && ok3 && b.add(c)
}

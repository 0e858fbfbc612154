package semver

import "strings"

// Op is the operator of a comparator. The zero value is equality.
type Op uint8

// The operators of comparators. OpAny accepts every version and has no version of its own.
const (
	OpEqual Op = iota
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAny
)

// String returns the operator as it is written before a version: "" for equality and for OpAny.
func (op Op) String() string {
	return [...]string{"", "<", "<=", ">", ">=", ""}[op]
}

func (op Op) upward() bool    { return op == OpGreater || op == OpGreaterEqual }
func (op Op) downward() bool  { return op == OpLess || op == OpLessEqual }
func (op Op) exact() bool     { return op == OpEqual || op == OpAny }
func (op Op) inclusive() bool { return op == OpLessEqual || op == OpGreaterEqual }

// Comparator is one bound: an operator and a version. The zero value accepts 0.0.0 alone.
type Comparator struct {
	Op      Op
	Version Version // the zero value for OpAny
}

// String returns the comparator in canonical form; "" for OpAny.
func (c Comparator) String() string {
	if c.Op == OpAny {
		return ""
	}
	return c.Op.String() + c.Version.String()
}

// Test reports whether v lies within the bound, by precedence alone: the prerelease rule belongs to ranges.
func (c Comparator) Test(v Version) bool { return c.test(&v) }

func (c *Comparator) test(v *Version) bool {
	if c.Op == OpAny {
		return true
	}
	d := v.compare(&c.Version)
	switch c.Op {
	case OpLess:
		return d < 0
	case OpLessEqual:
		return d <= 0
	case OpGreater:
		return d > 0
	case OpGreaterEqual:
		return d >= 0
	}
	return d == 0
}

func (c *Comparator) equal(d *Comparator) bool {
	return c.Op == d.Op && c.Version.equal(&d.Version)
}

// isNull reports whether c is "<0.0.0-0", which npm writes for "nothing".
func (c *Comparator) isNull() bool {
	return c.Op == OpLess && c.belowZero() && c.Version.Prerelease == "0"
}

// belowZero reports whether c bounds by a version 0.0.0, prerelease or not.
func (c *Comparator) belowZero() bool {
	return c.Version.Major|c.Version.Minor|c.Version.Patch == 0
}

// ParseComparator reads a single comparator: an operator (or none) and a whole version, or "" for any version.
// Carets, tildes and x-ranges are ranges, not comparators. ok is false where s is none.
func ParseComparator(s string, o Options) (c Comparator, ok bool) {
	if !c.parse(collapse(s), o.Loose) {
		return Comparator{}, false
	}
	return c, true
}

// parse reads a comparator from text whose white space is collapsed.
func (c *Comparator) parse(s string, loose bool) bool {
	if s == "" {
		*c = Comparator{Op: OpAny}
		return true
	}
	op, i := scanOp(s, 0)
	c.Op = op
	return c.Version.parse(s[skipSpace(s, i):], loose)
}

// readable reports whether s has the form of a comparator, be its numbers too large or its version too long.
func readable(s string, loose bool) bool {
	if s == "" {
		return true
	}
	_, i := scanOp(s, 0)
	i = skipSpace(s, i)
	if loose {
		i = skipPrefix(s, i)
	} else if i < len(s) && s[i] == 'v' {
		i++
	}
	end, ok := scanFull(s, i, loose, true)
	return ok && end == len(s)
}

// scanFull returns the index after the full version at i: three numbers, prerelease, build metadata.
// Anchored says that the version must end the text, which makes npm's expressions give digits back.
func scanFull(s string, i int, loose, anchored bool) (end int, ok bool) {
	var start int
	for part := range 3 {
		if part > 0 {
			if i >= len(s) || s[i] != '.' {
				return 0, false
			}
			i++
		}
		start = i
		if i = scanNumber(s, start, loose); i == start {
			return 0, false
		}
	}
	if loose && anchored {
		i = givePatchBack(s, start, i)
	}
	_, i = scanPrerelease(s, i, loose)
	return scanBuild(s, i, maxLetters), true
}

// scanOp returns the operator at i, OpEqual where there is none, and the index after it.
func scanOp(s string, i int) (Op, int) {
	if i >= len(s) {
		return OpEqual, i
	}
	op := OpEqual
	switch s[i] {
	case '=':
		return OpEqual, i + 1
	case '<':
		op = OpLess
	case '>':
		op = OpGreater
	default:
		return OpEqual, i
	}
	if i++; i < len(s) && s[i] == '=' {
		return op + 1, i + 1
	}
	return op, i
}

// formatComparators appends the canonical form of a list of comparators to b.
func formatComparators(b *strings.Builder, comps []Comparator) {
	for i := range comps {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(comps[i].String())
	}
}

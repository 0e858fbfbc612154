package semver

import (
	"math"
	"strconv"
	"strings"
)

// stripBuild removes all build metadata from the text of one alternative.
func stripBuild(s string) string {
	if strings.IndexByte(s, '+') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if end := scanBuild(s, i, 0); end > i {
			i = end
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// rewriteHyphen turns "A - B" into a lower and an upper bound, still as text, since either may be the start of
// something unreadable. Text that is no hyphen range comes back as it is.
func rewriteHyphen(s string, o Options) string {
	if !strings.Contains(s, " - ") {
		return s
	}
	start := skipSpace(s, 0)
	from, fromEnd, ok := scanPartial(s, start, o.Loose, true)
	if !ok || !strings.HasPrefix(s[fromEnd:], " - ") {
		return s
	}
	toStart := fromEnd + len(" - ")
	to, toEnd, ok := scanPartial(s, toStart, o.Loose, true)
	if !ok || skipSpace(s, toEnd) != len(s) {
		return s
	}
	lower := hyphenLower(from, s[start:fromEnd], o)
	upper := hyphenUpper(to, s[toStart:toEnd], o)
	return trim(lower + " " + upper)
}

func hyphenLower(p partial, text string, o Options) string {
	zero := ""
	if o.IncludePrerelease {
		zero = "-0"
	}
	switch {
	case wild(p.major):
		return ""
	case wild(p.minor):
		return ">=" + p.major + ".0.0" + zero
	case wild(p.patch):
		return ">=" + p.major + "." + p.minor + ".0" + zero
	case p.pre != "":
		return ">=" + text
	}
	return ">=" + text + zero
}

func hyphenUpper(p partial, text string, o Options) string {
	switch {
	case wild(p.major):
		return ""
	case wild(p.minor):
		return "<" + increment(p.major) + ".0.0-0"
	case wild(p.patch):
		return "<" + p.major + "." + increment(p.minor) + ".0-0"
	case p.pre != "":
		return "<=" + p.major + "." + p.minor + "." + p.patch + "-" + p.pre
	case o.IncludePrerelease:
		return "<" + p.major + "." + p.minor + "." + increment(p.patch) + "-0"
	}
	return "<=" + text
}

// increment returns the text of a number plus one as JavaScript computes and prints it: beyond 2^53 it rounds,
// and from 1e21 on it is printed with an exponent.
func increment(digits string) string {
	if len(digits) <= maxExactDigits {
		n, _ := parseNumber(digits)
		return strconv.FormatUint(n+1, 10)
	}
	f, _ := strconv.ParseFloat(digits, 64)
	switch f++; {
	case math.IsInf(f, 0):
		return "Infinity"
	case f < 1e21:
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

// tighten removes the blanks between operators and what they apply to: "> 1.2" becomes ">1.2".
func tighten(s string) string {
	if !loosely(s) {
		return s
	}
	s = tightenComparators(s)
	s = tightenTildes(s)
	return tightenCarets(s)
}

// loosely reports whether an operator is followed by a blank anywhere in s.
func loosely(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		switch s[i-1] {
		case '<', '>', '=', '~', '^':
			return true
		}
	}
	return false
}

// tightenComparators removes one blank between an operator (or none, which leaves one blank of two) and
// a version or x-range.
func tightenComparators(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		lead := skipSpace(s, i)
		_, opEnd := scanOp(s, lead)
		version := skipSpace(s, opEnd)
		digits := skipPrefix(s, version)
		end, ok := scanFull(s, digits, true, false)
		if !ok {
			_, end, ok = scanPartial(s, digits, false, false)
		}
		switch {
		case ok:
			b.WriteString(s[i:opEnd])
			b.WriteString(s[version:end])
			i = end
		case digits > i:
			// No start inside this run can do better, as each would meet the same end.
			b.WriteString(s[i:digits])
			i = digits
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// tightenTildes turns "~ " and "~> " into "~".
func tightenTildes(s string) string {
	if strings.IndexByte(s, '~') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] != '~' {
			continue
		}
		if strings.HasPrefix(s[i:], "~> ") {
			i += 2
		} else if strings.HasPrefix(s[i:], "~ ") {
			i++
		}
	}
	return b.String()
}

// tightenCarets turns "^ " into "^".
func tightenCarets(s string) string {
	return strings.ReplaceAll(s, "^ ", "^")
}

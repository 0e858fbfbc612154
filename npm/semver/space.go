package semver

import (
	"strings"
	"unicode/utf8"
)

// isSpace reports whether r is white space to a JavaScript regular expression (\s) and to String.prototype.trim.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r >= '\t' && r <= '\r':
		return true
	case r < 0x80:
		return false
	case r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029,
		r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}

// trim removes white space from both ends of s.
func trim(s string) string {
	if s == "" || (plain(s[0]) && plain(s[len(s)-1])) {
		return s
	}
	return strings.TrimFunc(s, isSpace)
}

// plain reports whether b is printable ASCII other than a blank.
func plain(b byte) bool { return b > ' ' && b < 0x7f }

// collapse trims s and turns each run of white space inside it into one blank.
// It returns s itself, or a part of it, where nothing inside has to change.
func collapse(s string) string {
	s = trim(s)
	for i := 0; i < len(s); i++ {
		if b := s[i]; plain(b) || (b == ' ' && plain(s[i+1])) {
			continue
		}
		return strings.Join(strings.FieldsFunc(s, isSpace), " ")
	}
	return s
}

// skipSpace returns the index after the white space rune at i, or i where there is none.
func skipSpace(s string, i int) int {
	if i >= len(s) {
		return i
	}
	if s[i] < utf8.RuneSelf {
		if isSpace(rune(s[i])) {
			return i + 1
		}
		return i
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); isSpace(r) {
		return i + n
	}
	return i
}

// skipPrefix returns the index after any run of 'v', '=' and white space at i: what loose versions and all
// x-ranges may have before their first number.
func skipPrefix(s string, i int) int {
	for i < len(s) {
		if s[i] == 'v' || s[i] == '=' {
			i++
			continue
		}
		next := skipSpace(s, i)
		if next == i {
			break
		}
		i = next
	}
	return i
}

// codeUnits returns the length of s as JavaScript counts it.
func codeUnits(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

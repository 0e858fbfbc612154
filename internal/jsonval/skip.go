package jsonval

import (
	"math/bits"
	"strings"
)

// shortString is how many bytes of a string are searched for its end in line; only what is longer
// pays for a call to the vectorised search.
const shortString = 32

// stringEnd returns the position after the string whose content begins at i, or -1 if it does not
// end. It looks at quotes alone: one is the end unless an odd number of backslashes stands before it.
func stringEnd(s string, i int) int {
	start := i
	limit := min(i+shortString, len(s)-8)
	for i < limit {
		w := load64(s, i) ^ ones*'"'
		if m := (w - ones) &^ w & highs; m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			if s[i-1] != '\\' || !escapedQuote(s, start, i) {
				return i + 1
			}
			i++
			continue
		}
		i += 8
	}
	for {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		if s[i-1] != '\\' || !escapedQuote(s, start, i) {
			return i + 1
		}
		i++
	}
}

// escapedQuote reports whether the quote at i is escaped in the string that began at start. Each
// backslash is looked at for one quote only, so a hostile string costs no more than its length.
func escapedQuote(s string, start, i int) bool {
	n := i
	for n > start && s[n-1] == '\\' {
		n--
	}
	return (i-n)&1 == 1
}

// skipValue returns the position after the value that begins at i, or -1 if the text ends first.
// Inside arrays and objects it counts brackets, whichever their shape, outside strings, and checks
// nothing else. It does not recurse.
func skipValue(s string, i int) int {
	if i >= len(s) {
		return -1
	}
	switch s[i] {
	case '"':
		return stringEnd(s, i+1)
	case '{', '[':
		return skipNested(s, i)
	}
	for i < len(s) {
		switch s[i] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
	return i
}

// skipNested is skipValue for an array or object.
func skipNested(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			if i = stringEnd(s, i+1); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

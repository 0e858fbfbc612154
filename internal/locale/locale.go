// Package locale orders strings as people who read English expect, which is how npm orders what it
// writes: JavaScript's a.localeCompare(b, 'en').
//
// The order is the Unicode collation algorithm with CLDR's root table: punctuation before digits
// before letters, letters without regard to case, and case (small before capital) only where all
// else is equal. Byte order differs from it for names as plain as "string-width-cjs" and
// "string_decoder", so lockfiles depend on it.
//
// The table is the one of golang.org/x/text. It is older than Node's and known to differ for digits
// outside ASCII, which Node takes for equal to theirs, and for the typographic apostrophe against the
// plain one. No package name can hold either.
package locale

import (
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Compare returns -1, 0 or +1 as a sorts before, with or after b. Zero does not mean that the strings
// are equal: é may be one character or two, and control characters do not count. It is safe for
// concurrent use.
func Compare(a, b string) int {
	if order, ok := compareASCII(a, b); ok {
		return order
	}
	c := collators.Get().(*collate.Collator)
	order := c.CompareString(a, b)
	collators.Put(c)
	return order
}

// A Collator has buffers of its own and serves one caller at a time.
var collators = sync.Pool{New: func() any { return collate.New(language.English) }}

// printable lists the printable ASCII characters by their primary weight. Letters are listed small;
// a capital has the same primary weight.
const printable = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

// primaries has the primary weight of each printable ASCII character, and 0 for all other bytes.
var primaries = func() (weights [256]uint8) {
	for i := range len(printable) {
		c := printable[i]
		weights[c] = uint8(i + 1)
		if 'a' <= c && c <= 'z' {
			weights[c-'a'+'A'] = uint8(i + 1)
		}
	}
	return weights
}()

// compareASCII compares strings of printable ASCII characters. ok is false if it met another
// character before the order was certain.
//
// Each such character is one collation element of its own, without contractions and with equal
// secondary weights, so the first difference in primary weight decides, then the length, then the
// first difference in case. A primary difference decides only where nothing that follows could join
// the differing characters, hence both strings are looked at as far as the character after it.
func compareASCII(a, b string) (order int, ok bool) {
	common := min(len(a), len(b))
	caseOrder := 0
	for i := range common {
		x, y := a[i], b[i]
		p, q := primaries[x], primaries[y]
		if p == 0 || q == 0 {
			return 0, false
		}
		if p != q {
			if !standsAlone(a, i) || !standsAlone(b, i) {
				return 0, false
			}
			if p < q {
				return -1, true
			}
			return 1, true
		}
		if x != y && caseOrder == 0 {
			caseOrder = -1
			if x < y { // capitals have the smaller bytes
				caseOrder = 1
			}
		}
	}
	if len(a) != len(b) {
		return compareRest(a, b, common)
	}
	return caseOrder, true
}

// standsAlone reports whether the character after i is printable ASCII or the string ends there.
// Only such a character cannot alter the weight of the one before it.
func standsAlone(s string, i int) bool {
	return i+1 == len(s) || primaries[s[i+1]] != 0
}

// compareRest decides between strings of which one is the other's beginning as far as primary weights
// go: the longer sorts after, if what it has more begins with a character that has a weight.
func compareRest(a, b string, common int) (order int, ok bool) {
	longer, order := a, 1
	if len(b) > len(a) {
		longer, order = b, -1
	}
	if primaries[longer[common]] == 0 || !standsAlone(longer, common) {
		return 0, false
	}
	return order, true
}

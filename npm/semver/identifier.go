package semver

import (
	"strconv"
	"strings"
)

// Bounds that npm puts on the parts of a version, so that its expressions stay linear. They bite only
// on versions that are too long anyway, except inside ranges, where they decide what is skipped in loose mode.
const (
	maxLength      = 256       // code units of a version
	maxDigits      = 256       // digits that one expression takes at a stretch
	maxLetters     = 250       // characters after the first non-digit of an identifier
	maxSafeInteger = 1<<53 - 1 // the largest number a version may hold
	maxExactDigits = 15        // decimal digits that always fit a float64 exactly
)

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isIdent reports whether b may stand in a prerelease or build identifier.
func isIdent(b byte) bool {
	return isDigit(b) || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '-'
}

// scanNumber returns the index after the numeric identifier at i; it equals i where there is none.
// Strict numbers have no leading zero: of "01" only the "0" is taken.
func scanNumber(s string, i int, loose bool) int {
	if i >= len(s) || !isDigit(s[i]) {
		return i
	}
	limit := i + maxDigits
	if !loose {
		if s[i] == '0' {
			return i + 1
		}
		limit++
	}
	for i++; i < len(s) && i < limit && isDigit(s[i]); i++ {
	}
	return i
}

// scanIdent returns the index after the prerelease identifier at i (i where there is none), and whether
// a further identifier may follow: not so after one that was cut short.
func scanIdent(s string, i int, loose bool) (end int, whole bool) {
	start, alpha := i, -1
	for i < len(s) && isIdent(s[i]) {
		if alpha < 0 && !isDigit(s[i]) {
			alpha = i
		}
		i++
	}
	if i == start {
		return i, false
	}
	if alpha < 0 || alpha-start > maxDigits {
		end = scanNumber(s, start, loose)
	} else {
		end = min(i, alpha+1+maxLetters)
	}
	return end, end == i
}

// scanIdents returns the index after the dotted prerelease identifiers at i; i where there are none.
func scanIdents(s string, i int, loose bool) int {
	end, whole := scanIdent(s, i, loose)
	for whole && end < len(s) && s[end] == '.' {
		next, ok := scanIdent(s, end+1, loose)
		if next == end+1 {
			break
		}
		end, whole = next, ok
	}
	return end
}

// scanBuild returns the index after the build metadata at i ("+" and dotted identifiers); i where there is
// none. Each identifier is taken up to limit bytes; limit 0 means all of it.
func scanBuild(s string, i, limit int) int {
	if i >= len(s) || s[i] != '+' {
		return i
	}
	end := i
	for sep := i; sep < len(s) && (sep == i || s[sep] == '.'); {
		j := sep + 1
		for j < len(s) && isIdent(s[j]) && (limit == 0 || j-sep <= limit) {
			j++
		}
		if j == sep+1 {
			break
		}
		end, sep = j, j
	}
	return end
}

// allDigits reports whether s is a numeric identifier (leading zeros included).
func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// parseNumber returns the value of a string of digits; ok is false where it exceeds the largest safe integer.
func parseNumber(s string) (n uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		if n = n*10 + uint64(s[i]-'0'); n > maxSafeInteger {
			return maxSafeInteger, false
		}
	}
	return n, true
}

// canonicalPrerelease gives the prerelease text the form it has in a canonical version: numbers lose
// their leading zeros, unless they are too large to be numbers to npm, which keeps those as text.
func canonicalPrerelease(pre string) string {
	if len(pre) < 2 || (pre[0] != '0' && !strings.Contains(pre, ".0")) {
		return pre
	}
	ids := strings.Split(pre, ".")
	for i, id := range ids {
		if len(id) > 1 && id[0] == '0' && allDigits(id) {
			if n, ok := parseNumber(id); ok && n < maxSafeInteger {
				ids[i] = strconv.FormatUint(n, 10)
			}
		}
	}
	return strings.Join(ids, ".")
}

// compareIdents compares dotted identifiers in order of precedence: numbers by value and below words, words
// by their bytes, fewer identifiers below more. Numbers beyond the safe integers compare as the float64
// nearest to them, and two of them that round to the same are equal whatever follows: so does npm.
func compareIdents(a, b string) int {
	for {
		x, restA, moreA := strings.Cut(a, ".")
		y, restB, moreB := strings.Cut(b, ".")
		if x != y {
			return compareIdent(x, y)
		}
		switch {
		case !moreA && !moreB:
			return 0
		case !moreB:
			return 1
		case !moreA:
			return -1
		}
		a, b = restA, restB
	}
}

func compareIdent(x, y string) int {
	xn, yn := allDigits(x), allDigits(y)
	switch {
	case xn && yn:
		if len(x) <= maxExactDigits && len(y) <= maxExactDigits {
			a, _ := parseNumber(x)
			b, _ := parseNumber(y)
			return compareUint(a, b)
		}
		a, _ := strconv.ParseFloat(x, 64) // out of range gives an infinity, as in JavaScript
		b, _ := strconv.ParseFloat(y, 64)
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	case xn:
		return -1
	case yn:
		return 1
	}
	return strings.Compare(x, y)
}

func compareUint(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

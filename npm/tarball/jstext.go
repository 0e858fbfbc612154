package tarball

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// npm's reader is JavaScript, and hostile headers can tell: its strings are decoded as the web does, its numbers parsed
// as parseInt and Number do. These are those conversions, no more of them than headers need.

// decodeUTF8 turns bytes into a string, each maximal ill-formed subsequence becoming one U+FFFD (WHATWG Encoding).
func decodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			n = illFormed(b)
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

// illFormed returns the length of the ill-formed sequence at the head of b: its longest prefix that could have become a
// character, or one byte.
func illFormed(b []byte) int {
	lo, hi, want := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		want = 1
	case c >= 0xe0 && c <= 0xef:
		want = 2
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		want = 3
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for ; n <= want && n < len(b) && b[n] >= lo && b[n] <= hi; n++ {
		lo, hi = 0x80, 0xbf
	}
	return n
}

// text decodes a NUL-terminated header field. The terminator ends a line only: npm removes from the first NUL to the
// next line break, so that what follows a break inside the field survives.
func text(field []byte) string {
	end := bytes.IndexByte(field, 0)
	if end < 0 {
		return decodeUTF8(field)
	}
	if onlyNUL(field[end:]) {
		return decodeUTF8(field[:end])
	}
	return cutNUL(decodeUTF8(field))
}

func onlyNUL(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// cutNUL removes the first NUL of s and all that follows it on its line.
func cutNUL(s string) string {
	start := strings.IndexByte(s, 0)
	if start < 0 {
		return s
	}
	next := strings.IndexAny(s[start:], "\n\r\u2028\u2029")
	if next < 0 {
		return s[:start]
	}
	return s[:start] + s[start+next:]
}

// jsSpace is JavaScript's white space: what trim, parseInt and Number skip.
const jsSpace = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// parseInt is JavaScript's: white space, a sign, then digits of base (8 or 10) up to whatever else follows. ok is false
// where that is no digit at all.
func parseInt(s string, base int) (value float64, ok bool) {
	s = strings.TrimLeft(s, jsSpace)
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		digit := int(s[i]) - '0'
		if digit < 0 || digit >= base {
			break
		}
		value = value*float64(base) + float64(digit)
		ok = true
	}
	if negative {
		value = -value
	}
	return value, ok
}

// number is JavaScript's Number(s); it is NaN where s is not a number.
func number(s string) float64 {
	s = strings.Trim(s, jsSpace)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		base := 0
		switch s[1] {
		case 'x', 'X':
			base = 16
		case 'o', 'O':
			base = 8
		case 'b', 'B':
			base = 2
		}
		if base != 0 {
			n, err := strconv.ParseUint(s[2:], base, 64)
			if err != nil {
				return math.NaN() // beyond 2^64 is beyond every use that a header has for it
			}
			return float64(n)
		}
	}
	switch strings.TrimLeft(s, "+-") {
	case "Infinity":
		if s[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return math.NaN() // ParseFloat would also take hexadecimal floats, underscores, inf and nan
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}

package spec

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// encodeURIComponent is JavaScript's function of that name.
func encodeURIComponent(s string) string {
	return percentEncode(s, func(b byte) bool { return !uriUnreserved(b) })
}

// uriSafe reports whether encodeURIComponent leaves s as it is.
func uriSafe(s string) bool {
	for i := 0; i < len(s); i++ {
		if !uriUnreserved(s[i]) {
			return false
		}
	}
	return true
}

func uriUnreserved(b byte) bool {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9':
		return true
	}
	return strings.IndexByte("-_.!~*'()", b) >= 0
}

// percentEncode replaces the bytes that set holds by their %XX form.
func percentEncode(s string, set func(byte) bool) string {
	n := 0
	for i := 0; i < len(s); i++ {
		if set(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	out := make([]byte, 0, len(s)+2*n)
	for i := 0; i < len(s); i++ {
		if b := s[i]; set(b) {
			out = append(out, '%', hexDigits[b>>4], hexDigits[b&15])
		} else {
			out = append(out, b)
		}
	}
	return string(out)
}

// decodeURIComponent is JavaScript's function of that name; ok is false where it throws a URIError: an
// incomplete escape, or escapes that are not UTF-8.
func decodeURIComponent(s string) (decoded string, ok bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '%' {
			out = append(out, s[i])
			i++
			continue
		}
		start := len(out)
		for i < len(s) && s[i] == '%' {
			b, good := escapedByte(s, i)
			if !good {
				return "", false
			}
			out = append(out, b)
			i += 3
		}
		if !utf8.Valid(out[start:]) {
			return "", false
		}
	}
	return string(out), true
}

// escapedByte returns the byte that the escape at i stands for.
func escapedByte(s string, i int) (b byte, ok bool) {
	if i+2 >= len(s) {
		return 0, false
	}
	hi, lo := unhex(s[i+1]), unhex(s[i+2])
	return byte(hi<<4 | lo&15), hi >= 0 && lo >= 0
}

func unhex(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b >= 'a' && b <= 'f':
		return int(b-'a') + 10
	case b >= 'A' && b <= 'F':
		return int(b-'A') + 10
	}
	return -1
}

// isSpace reports whether r is white space to JavaScript.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r >= '\t' && r <= '\r', r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a,
		r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}

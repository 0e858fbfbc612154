package jsonval

import (
	"math"
	"strconv"
)

// formatNumber writes a number as JavaScript's String() does, except that minus zero keeps its sign.
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	b := strconv.AppendFloat(nil, f, 'e', -1, 64)
	// Go pads the exponent to two digits, JavaScript does not.
	if n := len(b); n >= 4 && b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return string(b)
}

// numberText returns the canonical text of a number literal that the grammar accepted. Plain
// integers that a float64 holds exactly are canonical already.
func numberText(literal string) string {
	digits := literal
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) <= 15 && isDigits(digits) {
		return literal
	}
	f, _ := strconv.ParseFloat(literal, 64) // out of range gives an infinity, as in JavaScript
	return formatNumber(f)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}

package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// size is a number of bytes as people read it, in powers of 1000.
func size(n int64) string {
	const kilo = 1000
	switch {
	case n < kilo:
		return strconv.FormatInt(n, 10) + " B"
	case n < kilo*kilo:
		return fmt.Sprintf("%.1f kB", float64(n)/kilo)
	case n < kilo*kilo*kilo:
		return fmt.Sprintf("%.1f MB", float64(n)/(kilo*kilo))
	default:
		return fmt.Sprintf("%.2f GB", float64(n)/(kilo*kilo*kilo))
	}
}

// span is a duration as people read it.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

// count is "1 package" or "5 packages".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// clean makes foreign text fit to print on one line: control characters, and
// the marks that reorder text, become escapes; what is no UTF-8 becomes U+FFFD.
func clean(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\n', c == '\t':
			b.WriteByte(' ')
		case unsafe(c):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// unsafe reports a character that moves the cursor, changes colours or
// reorders what stands around it.
func unsafe(c rune) bool {
	return unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || c == '\u2028' || c == '\u2029'
}

// cut shortens text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-3]) + "..."
}

// paint wraps a word in a colour; the word says the same without it.
func paint(o Options, color, word string) string {
	if !o.Color {
		return word
	}
	return "\x1b[" + color + "m" + word + "\x1b[0m"
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

package jsonval

import (
	"strings"
	"unicode/utf8"
)

// indentMax is how much of an indentation JSON.stringify heeds, in UTF-16 units.
const indentMax = 10

// AppendJSON appends v as JSON.stringify(v, null, indent) writes it, with each line feed then
// replaced by newline ("" stands for "\n"). An empty indent gives one line. Of an indent longer
// than ten characters only the first ten count. No newline is added at the end.
func AppendJSON(dst []byte, v Value, indent, newline string) []byte {
	w := writer{dst: dst, indent: clipIndent(indent), newline: newline}
	if newline == "" {
		w.newline = "\n"
	}
	w.indent = strings.ReplaceAll(w.indent, "\n", w.newline)
	w.value(v, 0)
	return w.dst
}

func clipIndent(indent string) string {
	units := 0
	for i, r := range indent {
		if units++; r > 0xffff {
			units++
		}
		if units > indentMax {
			return indent[:i]
		}
	}
	return indent
}

type writer struct {
	dst             []byte
	indent, newline string
}

// line starts a new line at the depth, if lines are wanted.
func (w *writer) line(depth int) {
	if w.indent == "" {
		return
	}
	w.dst = append(w.dst, w.newline...)
	for range depth {
		w.dst = append(w.dst, w.indent...)
	}
}

func (w *writer) value(v Value, depth int) {
	switch v.kind {
	case Bool:
		w.dst = append(w.dst, v.text...)
	case Number:
		w.dst = appendNumber(w.dst, v.text)
	case String:
		w.dst = AppendString(w.dst, v.text)
	case Array:
		w.array(v.node.elems, depth)
	case Object:
		w.object(v.node.members, depth)
	default:
		w.dst = append(w.dst, "null"...)
	}
}

func appendNumber(dst []byte, text string) []byte {
	switch text {
	case "-0":
		return append(dst, '0')
	case "NaN", "Infinity", "-Infinity":
		return append(dst, "null"...)
	}
	return append(dst, text...)
}

func (w *writer) array(elems []Value, depth int) {
	if len(elems) == 0 {
		w.dst = append(w.dst, "[]"...)
		return
	}
	for i, e := range elems {
		w.open(i, '[')
		w.line(depth + 1)
		w.value(e, depth+1)
	}
	w.line(depth)
	w.dst = append(w.dst, ']')
}

func (w *writer) object(members []Member, depth int) {
	if len(members) == 0 {
		w.dst = append(w.dst, "{}"...)
		return
	}
	for i, m := range members {
		w.open(i, '{')
		w.line(depth + 1)
		w.dst = AppendString(w.dst, m.Key)
		w.dst = append(w.dst, ':')
		if w.indent != "" {
			w.dst = append(w.dst, ' ')
		}
		w.value(m.Value, depth+1)
	}
	w.line(depth)
	w.dst = append(w.dst, '}')
}

// open writes what stands before the element or member at i.
func (w *writer) open(i int, bracket byte) {
	if i > 0 {
		bracket = ','
	}
	w.dst = append(w.dst, bracket)
}

// AppendString appends s as JSON.stringify writes a string: quotes, backslashes, control characters
// and lone surrogate halves are escaped, all else stands as it is.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			half, ok := surrogateAt(s, i)
			if !ok {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendHex(dst, half)
			i += 3
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, c)
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return appendHex(dst, rune(c))
}

func appendHex(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

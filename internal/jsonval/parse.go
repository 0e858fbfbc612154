package jsonval

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// DepthMax is how deeply arrays and objects may be nested.
const DepthMax = 1000

// ErrDepth is in the chain of the error for documents nested more deeply than [DepthMax].
var ErrDepth = errors.New("nested too deeply")

// SyntaxError says where a document stops being JSON.
type SyntaxError struct {
	Offset int    // bytes before the fault, in the repaired text without a byte order mark
	Line   int    // from 1
	Column int    // from 1, in characters
	Reason string // what is wrong there
	err    error
}

// Error gives the reason and the place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("parse JSON: %s at line %d column %d", e.Reason, e.Line, e.Column)
}

// Unwrap returns ErrDepth for documents nested too deeply.
func (e *SyntaxError) Unwrap() error { return e.err }

// Parse decodes one JSON document, accepting what JSON.parse accepts after a byte order mark has
// been dropped and ill-formed UTF-8 replaced. The data is copied once; the caller may reuse it. The
// error is a [*SyntaxError].
func Parse(data []byte) (Value, error) { return ParseString(string(data)) }

// ParseString is [Parse] for text that will not change, which the value's strings then share.
func ParseString(text string) (Value, error) {
	text = repairUTF8(strings.TrimPrefix(text, "\ufeff"))
	p := parser{s: text}
	p.space()
	v, ok := p.value()
	if ok {
		if p.space(); p.i < len(p.s) {
			ok = p.unexpected()
		}
	}
	if !ok {
		return Value{}, p.fault()
	}
	return v, nil
}

// parser is a recursive descent over s. Its functions return false once reason is set.
type parser struct {
	s      string
	i      int
	depth  int
	reason string
	err    error

	elems   []Value  // elements of the arrays being read, innermost last
	members []Member // members of the objects being read, innermost last
}

func (p *parser) fail(reason string) bool {
	p.reason = reason
	return false
}

func (p *parser) unexpected() bool {
	if p.i >= len(p.s) {
		return p.fail("unexpected end")
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return p.fail(fmt.Sprintf("unexpected %q", r))
}

func (p *parser) fault() error {
	at := min(p.i, len(p.s))
	line := 1 + strings.Count(p.s[:at], "\n")
	column := 1 + utf8.RuneCountInString(p.s[strings.LastIndexByte(p.s[:at], '\n')+1:at])
	return &SyntaxError{Offset: at, Line: line, Column: column, Reason: p.reason, err: p.err}
}

// space moves to the next byte that is not white space.
func (p *parser) space() {
	i := p.i
	for i < len(p.s) && (p.s[i] == ' ' || p.s[i] == '\n' || p.s[i] == '\r' || p.s[i] == '\t') {
		i++
	}
	p.i = i
}

// value reads one value, which starts at the current byte.
func (p *parser) value() (Value, bool) {
	if p.i >= len(p.s) {
		return Value{}, p.unexpected()
	}
	switch c := p.s[p.i]; c {
	case '"':
		s, ok := p.str()
		return Value{kind: String, text: s}, ok
	case '{', '[':
		if p.depth++; p.depth > DepthMax {
			p.err = ErrDepth
			return Value{}, p.fail("nested too deeply")
		}
		var v Value
		var ok bool
		if c == '{' {
			v, ok = p.object()
		} else {
			v, ok = p.array()
		}
		p.depth--
		return v, ok
	case 't':
		return Value{kind: Bool, text: "true"}, p.word("true")
	case 'f':
		return Value{kind: Bool, text: "false"}, p.word("false")
	case 'n':
		return Value{}, p.word("null")
	default:
		return p.number()
	}
}

// word reads one of the three literal names.
func (p *parser) word(w string) bool {
	for k := range len(w) {
		if p.i >= len(p.s) || p.s[p.i] != w[k] {
			return p.unexpected()
		}
		p.i++
	}
	return true
}

// number reads a number by JSON's grammar.
func (p *parser) number() (Value, bool) {
	start := p.i
	if p.s[p.i] == '-' {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '0' {
		p.i++
	} else if !p.digits() {
		return Value{}, false
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		p.i++
		if !p.digits() {
			return Value{}, false
		}
	}
	if p.i < len(p.s) && p.s[p.i]|0x20 == 'e' {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if !p.digits() {
			return Value{}, false
		}
	}
	return Value{kind: Number, text: numberText(p.s[start:p.i])}, true
}

// digits reads one digit or more.
func (p *parser) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	if p.i == start {
		return p.unexpected()
	}
	return true
}

// str reads a string. Without escapes it is a slice of the text.
func (p *parser) str() (string, bool) {
	start := p.i + 1
	end := special(p.s, start)
	if end < len(p.s) && p.s[end] == '"' {
		p.i = end + 1
		return p.s[start:end], true
	}
	return p.escaped(start, end)
}

// escaped finishes a string of which the bytes from start to i need no decoding.
func (p *parser) escaped(start, i int) (string, bool) {
	b := make([]byte, 0, i-start+32)
	for {
		b = append(b, p.s[start:i]...)
		p.i = i
		if i >= len(p.s) {
			return "", p.fail("unexpected end of string")
		}
		switch p.s[i] {
		case '"':
			p.i++
			return string(b), true
		case '\\':
			var ok bool
			if b, ok = p.escape(b); !ok {
				return "", false
			}
		default:
			return "", p.fail("control character in string")
		}
		start = p.i
		i = special(p.s, start)
	}
}

// escape decodes the escape at the current byte, a backslash, and appends what it means.
func (p *parser) escape(b []byte) ([]byte, bool) {
	p.i++
	if p.i >= len(p.s) {
		return b, p.fail("unexpected end of string")
	}
	c := p.s[p.i]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return p.unit(b)
	default:
		return b, p.fail("bad escape in string")
	}
	p.i++
	return append(b, c), true
}

// unit decodes the hexadecimal escape whose "u" is the current byte. Two escapes that make a
// surrogate pair become one character.
func (p *parser) unit(b []byte) ([]byte, bool) {
	r, ok := hex4(p.s, p.i+1)
	if !ok {
		return b, p.fail("bad Unicode escape in string")
	}
	p.i += 5
	if isHigh(r) && strings.HasPrefix(p.s[p.i:], `\u`) {
		if low, ok := hex4(p.s, p.i+2); ok && isLow(low) {
			p.i += 6
			r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
		}
	}
	return appendUnit(b, r), true
}

// array reads an array. Its elements gather on a stack shared by all nested arrays, so that the
// slice made at the end has the exact size.
func (p *parser) array() (Value, bool) {
	base := len(p.elems)
	p.i++
	p.space()
	if p.i < len(p.s) && p.s[p.i] == ']' {
		p.i++
		return Value{kind: Array, node: &node{}}, true
	}
	for {
		v, ok := p.value()
		if !ok {
			return Value{}, false
		}
		p.elems = append(p.elems, v)
		more, ok := p.comma(']')
		if !ok {
			return Value{}, false
		}
		if !more {
			break
		}
	}
	elems := append([]Value(nil), p.elems[base:]...)
	p.elems = p.elems[:base]
	return Value{kind: Array, node: &node{elems: elems}}, true
}

// comma reads a comma, then more is true, or the closing byte. White space around it is skipped.
func (p *parser) comma(closing byte) (more, ok bool) {
	p.space()
	if p.i >= len(p.s) {
		return false, p.unexpected()
	}
	switch p.s[p.i] {
	case ',':
		p.i++
		p.space()
		return true, true
	case closing:
		p.i++
		return false, true
	}
	return false, p.unexpected()
}

// object reads an object, whose members gather on a stack like an array's elements.
func (p *parser) object() (Value, bool) {
	b := objectBuilder{base: len(p.members)}
	p.i++
	p.space()
	if p.i < len(p.s) && p.s[p.i] == '}' {
		p.i++
		return Value{kind: Object, node: &node{}}, true
	}
	for more := true; more; {
		if p.i >= len(p.s) || p.s[p.i] != '"' {
			return Value{}, p.unexpected()
		}
		key, ok := p.str()
		if !ok {
			return Value{}, false
		}
		if p.space(); p.i >= len(p.s) || p.s[p.i] != ':' {
			return Value{}, p.unexpected()
		}
		p.i++
		p.space()
		v, ok := p.value()
		if !ok {
			return Value{}, false
		}
		p.members = b.set(p.members, key, v)
		if more, ok = p.comma('}'); !ok {
			return Value{}, false
		}
	}
	var n *node
	n, p.members = b.finish(p.members)
	return Value{kind: Object, node: n}, true
}

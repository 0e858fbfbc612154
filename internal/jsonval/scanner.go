package jsonval

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// ErrKind is in the chain of the error for a value of another kind than was asked for.
var ErrKind = errors.New("unexpected kind of value")

// Scanner walks a document from front to back without building a tree. Each method takes the value
// that comes next and moves past it. What is skipped is checked for balanced brackets and ended
// strings only, which is how skipping can be fast; [Scanner.Value] checks all that it decodes.
//
// The data must not change as long as the Scanner or anything it handed out is in use: raw values
// and strings without escapes are parts of it. A Scanner is for one goroutine. After an error its
// position is undefined.
type Scanner struct {
	s     string
	i     int
	depth int
}

// NewScanner returns a Scanner before the first value of the data. A byte order mark is passed over.
func NewScanner(data []byte) *Scanner {
	// The string shares the bytes; the contract above keeps them from changing.
	s := &Scanner{s: unsafe.String(unsafe.SliceData(data), len(data))}
	if strings.HasPrefix(s.s, "\ufeff") {
		s.i = len("\ufeff")
	}
	return s
}

// Pos returns how many bytes have been passed.
func (s *Scanner) Pos() int { return s.i }

// Kind tells the kind of the next value from its first byte, and moves past white space only. ok is
// false where no value begins.
func (s *Scanner) Kind() (k Kind, ok bool) {
	s.space()
	if s.i >= len(s.s) {
		return Null, false
	}
	switch c := s.s[s.i]; {
	case c == '{':
		return Object, true
	case c == '[':
		return Array, true
	case c == '"':
		return String, true
	case c == 't' || c == 'f':
		return Bool, true
	case c == 'n':
		return Null, true
	case c == '-' || c-'0' <= 9:
		return Number, true
	}
	return Null, false
}

// Skip moves past the next value and returns its text, without surrounding white space.
func (s *Scanner) Skip() (raw []byte, err error) {
	if _, ok := s.Kind(); !ok {
		return nil, s.unexpected()
	}
	start := s.i
	end := skipValue(s.s, start)
	if end < 0 {
		s.i = len(s.s)
		return nil, s.unexpected()
	}
	s.i = end
	return unsafe.Slice(unsafe.StringData(s.s[start:end]), end-start), nil
}

// Value decodes the next value. Like Skip's text, the Value shares the data.
func (s *Scanner) Value() (Value, error) {
	raw, err := s.Skip()
	if err != nil {
		return Value{}, err
	}
	v, err := ParseString(unsafe.String(unsafe.SliceData(raw), len(raw)))
	if err != nil {
		return Value{}, fmt.Errorf("value at byte %d: %w", s.i-len(raw), err)
	}
	return v, nil
}

// Str decodes the next value, which must be a string. For another kind the error wraps [ErrKind].
func (s *Scanner) Str() (string, error) {
	if err := s.expect(String); err != nil {
		return "", err
	}
	return s.str()
}

// Members calls fn for each member of the next value, which must be an object, with the decoded key.
// fn may take the member's value by one method of s; if it takes none, the value is skipped. Keys
// come in the order of the text, and a key given twice comes twice. An error of fn ends the walk
// and is returned as it is. For another kind the error wraps [ErrKind].
func (s *Scanner) Members(fn func(key string) error) error {
	if err := s.enter(Object); err != nil {
		return err
	}
	for more := !s.closing('}'); more; {
		if err := s.expect(String); err != nil {
			return s.unexpected()
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if s.space(); s.i >= len(s.s) || s.s[s.i] != ':' {
			return s.unexpected()
		}
		s.i++
		if err := s.visit(func() error { return fn(key) }); err != nil {
			return err
		}
		if more, err = s.comma('}'); err != nil {
			return err
		}
	}
	s.depth--
	return nil
}

// Elems calls fn for each element of the next value, which must be an array, as Members does.
func (s *Scanner) Elems(fn func() error) error {
	if err := s.enter(Array); err != nil {
		return err
	}
	for more := !s.closing(']'); more; {
		err := s.visit(fn)
		if err != nil {
			return err
		}
		if more, err = s.comma(']'); err != nil {
			return err
		}
	}
	s.depth--
	return nil
}

// End reports an error unless nothing but white space is left.
func (s *Scanner) End() error {
	if s.space(); s.i < len(s.s) {
		return s.unexpected()
	}
	return nil
}

// visit calls fn at a value and skips the value if fn did not take it.
func (s *Scanner) visit(fn func() error) error {
	s.space()
	start := s.i
	if err := fn(); err != nil {
		return err
	}
	if s.i == start {
		_, err := s.Skip()
		return err
	}
	return nil
}

func (s *Scanner) enter(k Kind) error {
	if err := s.expect(k); err != nil {
		return err
	}
	if s.depth++; s.depth > DepthMax {
		return fmt.Errorf("scan JSON: %w at byte %d", ErrDepth, s.i)
	}
	s.i++
	return nil
}

func (s *Scanner) expect(want Kind) error {
	got, ok := s.Kind()
	if !ok {
		return s.unexpected()
	}
	if got != want {
		return fmt.Errorf("scan JSON: %w: %s instead of %s at byte %d", ErrKind, got, want, s.i)
	}
	return nil
}

// closing reports whether the array or object just entered is empty, and leaves it if so.
func (s *Scanner) closing(c byte) bool {
	if s.space(); s.i < len(s.s) && s.s[s.i] == c {
		s.i++
		return true
	}
	return false
}

func (s *Scanner) comma(closing byte) (more bool, err error) {
	if s.space(); s.i < len(s.s) {
		switch s.s[s.i] {
		case ',':
			s.i++
			return true, nil
		case closing:
			s.i++
			return false, nil
		}
	}
	return false, s.unexpected()
}

// str decodes the string at the current byte.
func (s *Scanner) str() (string, error) {
	p := parser{s: s.s, i: s.i}
	text, ok := p.str()
	if !ok {
		return "", p.fault()
	}
	raw := s.s[s.i:p.i]
	s.i = p.i
	if !utf8.ValidString(raw) {
		p = parser{s: repairUTF8(raw)}
		text, _ = p.str() // repairing alters nothing that was valid JSON before
	}
	return text, nil
}

func (s *Scanner) space() {
	for s.i < len(s.s) && (s.s[s.i] == ' ' || s.s[s.i] == '\n' || s.s[s.i] == '\r' || s.s[s.i] == '\t') {
		s.i++
	}
}

func (s *Scanner) unexpected() error {
	p := parser{s: s.s, i: s.i}
	p.unexpected()
	return p.fault()
}

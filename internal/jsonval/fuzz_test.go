package jsonval

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func addSeeds(f *testing.F) {
	for i, r := range nodeRows(f) {
		if r.Hex == "" && i%5 == 0 {
			f.Add([]byte(r.In))
		}
	}
	f.Add([]byte("\"\xe2\x82\\u00e9\xff\""))
	f.Add([]byte(strings.Repeat("[", DepthMax+1)))
	f.Add([]byte(`{"a":"` + strings.Repeat(`\`, 71) + `"}`))
}

// FuzzParse holds Parse to encoding/json's grammar, and AppendJSON to what it wrote before.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		text := repairUTF8(strings.TrimPrefix(string(data), "\ufeff"))
		if !errors.Is(err, ErrDepth) && (err == nil) != json.Valid([]byte(text)) {
			t.Fatalf("%q: error %v, encoding/json says %v", data, err, json.Valid([]byte(text)))
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%q: bad error %#v", data, err)
			}
			return
		}
		for _, indent := range []string{"", "  "} {
			out := AppendJSON(nil, v, indent, "")
			again, err := Parse(out)
			if err != nil {
				t.Fatalf("%q was written as %q: %v", data, out, err)
			}
			if twice := AppendJSON(nil, again, indent, ""); !bytes.Equal(twice, out) {
				t.Fatalf("%q was written as %q, then as %q", data, out, twice)
			}
		}
	})
}

// FuzzScanner holds the Scanner to Parse, and its skipping to a plain loop.
func FuzzScanner(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := NewScanner(data)
		raw, err := s.Skip()
		start := len(s.s) - len(strings.TrimLeft(strings.TrimPrefix(s.s, "\ufeff"), " \t\r\n"))
		if err == nil {
			if want := slowSkip(s.s, start); s.i != want || string(raw) != s.s[start:want] {
				t.Fatalf("%q: skipped to %d, should be %d", data, s.i, want)
			}
		} else if _, ok := NewScanner(data).Kind(); ok && slowSkip(s.s, start) >= 0 {
			t.Fatalf("%q: %v", data, err)
		}
		v, err := Parse(data)
		if err != nil {
			walk(NewScanner(data))
			return
		}
		if err := checkScan(NewScanner(data), v); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
	})
}

// walk goes through a document as far as it makes sense; it must not panic.
func walk(s *Scanner) error {
	switch kind, _ := s.Kind(); kind {
	case Object:
		return s.Members(func(string) error { return walk(s) })
	case Array:
		return s.Elems(func() error { return walk(s) })
	case String:
		_, err := s.Str()
		return err
	}
	_, err := s.Value()
	return err
}

// slowSkip is skipValue byte by byte.
func slowSkip(s string, i int) int {
	depth, inString, start := 0, false, i
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case inString && c == '\\':
			i++
		case inString && c == '"':
			if inString = false; depth == 0 {
				return i + 1
			}
		case inString:
		case c == '"' && depth == 0 && i > start:
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			if depth == 0 && i > start {
				break
			}
			depth++
		case (c == '}' || c == ']') && depth > 0:
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && strings.IndexByte(",}] \n\r\t", c) >= 0:
			return i
		}
	}
	if depth == 0 && !inString {
		return len(s)
	}
	return -1
}

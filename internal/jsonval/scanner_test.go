package jsonval

import (
	"errors"
	"fmt"
	"testing"
)

func TestScannerWalk(t *testing.T) {
	s := NewScanner([]byte("\ufeff { \"a\\u0062\" : [1, {\"x\":\"}\\\"\"}, []], \"skipped\":{\"y\":[{}]}, \"n\": -1.5e3 } \n"))
	var got []string
	err := s.Members(func(key string) error {
		got = append(got, key)
		if key != "ab" {
			return nil
		}
		return s.Elems(func() error {
			raw, err := s.Skip()
			got = append(got, string(raw))
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	want := []string{"ab", "1", `{"x":"}\""}`, "[]", "skipped", "n"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestScannerErrors(t *testing.T) {
	skip := func(s *Scanner) error { _, err := s.Skip(); return err }
	str := func(s *Scanner) error { _, err := s.Str(); return err }
	members := func(s *Scanner) error { return s.Members(func(string) error { return nil }) }
	for _, c := range []struct {
		text string
		take func(*Scanner) error
		want error
	}{
		{"", skip, nil}, {"  ", skip, nil}, {"x", skip, nil}, {"{", skip, nil}, {"[{]", skip, nil},
		{`"abc`, skip, nil}, {`"abc\"`, skip, nil}, {`{"a":"b\\\"}`, skip, nil},
		{"1", str, ErrKind}, {`"\x"`, str, nil}, {"[]", members, ErrKind}, {`{"a"}`, members, nil},
		{`{"a":1,}`, members, nil}, {`{"a":1`, members, nil}, {`{a:1}`, members, nil}, {`{"a":}`, members, nil},
	} {
		err := c.take(NewScanner([]byte(c.text)))
		var syntax *SyntaxError
		switch {
		case err == nil:
			t.Errorf("%s: no error", c.text)
		case c.want != nil && !errors.Is(err, c.want), c.want == nil && !errors.As(err, &syntax):
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// checkScan walks a value with the Scanner and compares it with the same value parsed.
func checkScan(s *Scanner, want Value) error {
	kind, ok := s.Kind()
	if !ok || kind != want.Kind() {
		return fmt.Errorf("kind %v %v, want %v", kind, ok, want.Kind())
	}
	switch kind {
	case Array:
		i := 0
		err := s.Elems(func() error {
			i++
			return checkScan(s, want.Elems()[i-1])
		})
		if err == nil && i != want.Len() {
			return fmt.Errorf("%d elements, want %d", i, want.Len())
		}
		return err
	case Object:
		last := map[string][]byte{}
		err := s.Members(func(key string) error {
			raw, err := s.Skip()
			last[key] = raw
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range want.Members() {
			raw, ok := last[m.Key]
			if !ok {
				return fmt.Errorf("no member %q", m.Key)
			}
			if err := checkScan(NewScanner(raw), m.Value); err != nil {
				return err
			}
		}
		if len(last) != want.Len() {
			return fmt.Errorf("%d members, want %d", len(last), want.Len())
		}
		return nil
	case String:
		got, err := s.Str()
		if err == nil && got != want.text {
			return fmt.Errorf("string %q, want %q", got, want.text)
		}
		return err
	}
	got, err := s.Value()
	if err == nil && !got.Equal(want) {
		return fmt.Errorf("value %v, want %v", got, want)
	}
	return err
}

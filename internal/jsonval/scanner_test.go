package jsonval

import (
	"errors"
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

package jsonval

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestAccessors(t *testing.T) {
	v, err := ParseString(`{"s":"true","t":true,"f":false,"n":-1.50,"z":-0,"big":1e999,"nil":null,"a":[1,"x"],"o":{"k":1}}`)
	if err != nil {
		t.Fatal(err)
	}
	get := func(key string) Value {
		x, ok := v.Get(key)
		if !ok {
			t.Fatalf("no %s", key)
		}
		return x
	}
	if s, ok := get("s").Str(); s != "true" || !ok {
		t.Errorf("s is %q, %v", s, ok)
	}
	if b, ok := get("s").Bool(); b || ok {
		t.Errorf("a string is the boolean %v, %v", b, ok)
	}
	if b, ok := get("t").Bool(); !b || !ok {
		t.Errorf("t is %v, %v", b, ok)
	}
	if b, ok := get("f").Bool(); b || !ok {
		t.Errorf("f is %v, %v", b, ok)
	}
	if n, ok := get("n").Num(); n != -1.5 || !ok || get("n").NumText() != "-1.5" {
		t.Errorf("n is %v, %v", n, ok)
	}
	if n, ok := get("z").Num(); n != 0 || !math.Signbit(n) || !ok || get("z").NumText() != "0" {
		t.Errorf("z is %v, %v", n, ok)
	}
	if n, ok := get("big").Num(); !math.IsInf(n, 1) || !ok {
		t.Errorf("big is %v, %v", n, ok)
	}
	if _, ok := get("s").Num(); ok || get("s").NumText() != "" {
		t.Error("a string is a number")
	}
	if len(get("a").Elems()) != 2 || get("a").Len() != 2 || get("a").Members() != nil || get("o").Elems() != nil || get("o").Len() != 1 || get("n").Len() != 0 {
		t.Error("elements and members")
	}
	if _, ok := get("a").Get("0"); ok {
		t.Error("an array has members")
	}
	if _, ok := v.Get("missing"); ok || !get("nil").IsNull() || !(Value{}).IsNull() || get("z").IsNull() {
		t.Error("null")
	}
}

func TestTruthy(t *testing.T) {
	for _, v := range []Value{{}, OfBool(false), OfNumber(0), OfNumber(math.Copysign(0, -1)), OfNumber(math.NaN()), OfString("")} {
		if v.Truthy() {
			t.Errorf("%v is truthy", v)
		}
	}
	for _, v := range []Value{OfBool(true), OfNumber(-1), OfNumber(math.Inf(1)), OfString("false"), OfArray(), OfObject()} {
		if !v.Truthy() {
			t.Errorf("%v is not truthy", v)
		}
	}
}

func TestEqual(t *testing.T) {
	same := func(a, b string) bool {
		v, err := ParseString(a)
		if err != nil {
			t.Fatal(err)
		}
		w, err := ParseString(b)
		if err != nil {
			t.Fatal(err)
		}
		return v.Equal(w)
	}
	for _, c := range [][2]string{{`1`, `1.0`}, {`{"a":[1,{}]}`, ` { "\u0061" : [ 1 , { } ] }`}, {`{"2":1,"1":2}`, `{"1":2,"2":1}`}} {
		if !same(c[0], c[1]) {
			t.Errorf("%s and %s differ", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{`1`, `"1"`}, {`[]`, `{}`}, {`[1]`, `[2]`}, {`[1]`, `[1,1]`}, {`{"a":1}`, `{"b":1}`}, {`{"a":1}`, `{"a":2}`}, {`{"a":1,"b":2}`, `{"b":2,"a":1}`}} {
		if same(c[0], c[1]) {
			t.Errorf("%s and %s are equal", c[0], c[1])
		}
	}
}

func TestUnwritable(t *testing.T) {
	v := OfArray(OfNumber(math.NaN()), OfNumber(math.Inf(-1)), OfNumber(math.Copysign(0, -1)), OfStrings("a", "b"))
	if got, want := string(AppendJSON([]byte("x"), v, "", "")), `x[null,null,0,["a","b"]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNewline(t *testing.T) {
	v := OfArray(OfString("\n"), OfArray(OfNumber(1)))
	if got, want := string(AppendJSON(nil, v, "\n ", "\r\n")), "[\r\n\r\n \"\\n\",\r\n\r\n [\r\n\r\n \r\n 1\r\n\r\n ]\r\n]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestErrorPlace(t *testing.T) {
	for text, want := range map[string]SyntaxError{
		"":                  {0, 1, 1, "unexpected end", nil},
		"{\n \"é\": x}":     {9, 2, 7, "unexpected 'x'", nil},
		"[1,\r\n\r\n]":      {7, 3, 1, "unexpected ']'", nil},
		"\"abc":             {4, 1, 5, "unexpected end of string", nil},
		"[\"a\tb\"]":        {3, 1, 4, "control character in string", nil},
		`"\q"`:              {2, 1, 3, "bad escape in string", nil},
		"\ufeff{}}":         {2, 1, 3, "unexpected '}'", nil},
		"\xff":              {0, 1, 1, "unexpected '\uFFFD'", nil},
		`"\u00"`:            {2, 1, 3, "bad Unicode escape in string", nil},
		"[tru]":             {4, 1, 5, "unexpected ']'", nil},
		"01":                {1, 1, 2, "unexpected '1'", nil},
		"{\"a\" 1}":         {5, 1, 6, "unexpected '1'", nil},
		"[\n\"x\" \"y\"\n]": {6, 2, 5, "unexpected '\"'", nil},
	} {
		_, err := Parse([]byte(text))
		var got *SyntaxError
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%q: %+v, want %+v", text, err, want)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":[`, n/2) + strings.Repeat("]}", n/2) }
	v, err := ParseString(deep(DepthMax))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendJSON(nil, v, "", "")); got != deep(DepthMax) {
		t.Error("the deepest document is written differently")
	}
	if _, err := ParseString(deep(DepthMax + 2)); !errors.Is(err, ErrDepth) {
		t.Errorf("too deep: %v", err)
	}
	s := NewScanner([]byte(strings.Repeat("[", DepthMax+1)))
	if err := walk(s); !errors.Is(err, ErrDepth) {
		t.Errorf("scanning too deep: %v", err)
	}
	if _, err := NewScanner([]byte(deep(10 * DepthMax))).Skip(); err != nil {
		t.Errorf("skipping has no limit: %v", err)
	}
}

// TestSharedText checks that strings without escapes cost no memory of their own.
func TestSharedText(t *testing.T) {
	text := `["` + strings.Repeat("x", 1000) + `","` + strings.Repeat("y", 1000) + `"]`
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := ParseString(text); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 4 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestIndexKey(t *testing.T) {
	for key, want := range map[string]bool{"0": true, "7": true, "10": true, "4294967294": true, "4294967295": false, "9999999999": false, "01": false, "": false, "-1": false, "1.0": false, "1e3": false, " 1": false, "99999999999": false} {
		if _, ok := IndexKey(key); ok != want {
			t.Errorf("%q: %v", key, ok)
		}
	}
}

package npmrc

import (
	"os"
	"slices"
	"strings"
	"testing"

	"weft/internal/jsonval"
)

func readJSON(t testing.TB, name string) jsonval.Value {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonval.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func str(v jsonval.Value) string { s, _ := v.Str(); return s }

// TestINIRows compares with what npm's own library made of the same texts.
func TestINIRows(t *testing.T) {
	rows := readJSON(t, "testdata/ini.json").Elems()
	for _, row := range rows {
		text, want := str(row.Elems()[0]), row.Elems()[1]
		if got := ParseINI([]byte(text)).Value(); !same(got, want) {
			t.Errorf("%q:\n got %s\nwant %s", text, jsonval.AppendJSON(nil, got, "", ""), jsonval.AppendJSON(nil, want, "", ""))
		}
	}
}

// same compares values, without the order of members.
func same(a, b jsonval.Value) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case jsonval.Array:
		return slices.EqualFunc(a.Elems(), b.Elems(), same)
	case jsonval.Object:
		for _, m := range a.Members() {
			other, found := b.Get(m.Key)
			if !found || !same(m.Value, other) {
				return false
			}
		}
		return true
	}
	return string(jsonval.AppendJSON(nil, a, "", "")) == string(jsonval.AppendJSON(nil, b, "", ""))
}

func TestINILines(t *testing.T) {
	f := ParseINI([]byte("a=1\r\n\r\n; c\nb=2\ra=3\n[s]\na=4\n"))
	if f.Line("a") != 5 || f.Line("b") != 4 || f.Line("s") != 0 {
		t.Errorf("a %d, b %d, s %d", f.Line("a"), f.Line("b"), f.Line("s"))
	}
}

func TestExpandRows(t *testing.T) {
	file := readJSON(t, "testdata/expand.json")
	env, _ := file.Get("env")
	lookup := func(name string) (string, bool) {
		v, found := env.Get(name)
		return str(v), found
	}
	rows, _ := file.Get("rows")
	for _, row := range rows.Elems() {
		text, want := str(row.Elems()[0]), str(row.Elems()[1])
		if got := expand(text, lookup, nil); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzParseINI(f *testing.F) {
	for _, s := range []string{"a=1\n[b.c]\nd[]=2\nd[]=3", "'[1]'=2\n[1]\nx", "a.b=null\n[a]\nc", strings.Repeat("[a.", 100) + "b]\nc=1", "\"\\u0000", "[__proto__]\na"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ini := ParseINI([]byte(text))
		if ini.Value().Kind() != jsonval.Object {
			t.Fatal("no object")
		}
		jsonval.AppendJSON(nil, ini.Value(), "", "")
		// A line that means nothing must never cost the line after it.
		if strings.Contains(text, "zz") {
			return
		}
		with := ParseINI([]byte("[\n=\n" + text + "\n]\n[zz]\nkept=yes"))
		section, _ := with.Value().Get("zz")
		if kept, _ := section.Get("kept"); str(kept) != "yes" {
			t.Fatalf("%q lost the last line: %s", text, jsonval.AppendJSON(nil, with.Value(), "", ""))
		}
	})
}

func FuzzExpand(f *testing.F) {
	f.Add(`\\\${A}${B?}${`)
	f.Fuzz(func(t *testing.T, text string) {
		empty := func(string) (string, bool) { return "", false }
		once := expand(text, empty, nil)
		if !strings.Contains(text, `\`) && !strings.Contains(text, "?}") && once != text {
			t.Fatalf("%q became %q though nothing is set", text, once)
		}
		if len(once) > len(text) {
			t.Fatalf("%q grew to %q", text, once)
		}
	})
}

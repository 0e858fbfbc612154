package plan

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSubstitute(t *testing.T) {
	values := []Value{{"n", "4"}, {"file", "a b.txt"}}
	for text, want := range map[string]string{
		"":                    "",
		"cat {file}":          "cat a b.txt",
		"{n}{n}":              "44",
		"{{n}}":               "{n}",
		`{"n":{n}}`:           `{"n":4}`,
		"{{n}":                "{4",
		"${n} ${HOME} {1..3}": "${n} ${HOME} {1..3}",
		"awk '{print $1}'":    "awk '{print $1}'",
		"{}":                  "{}",
		"{{unknown}}":         "{unknown}",
	} {
		if got, err := substitute(text, values); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := substitute("x {unknown}", values); err == nil {
		t.Error("an unknown name is accepted")
	}
	if _, err := substitute(strings.Repeat("{n}", 100), []Value{{"n", strings.Repeat("x", TextBytesMax/50)}}); err == nil {
		t.Error("values without end are accepted")
	}
}

func TestLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-c{}$ ]|\{a\}|\{\{b\}\}){0,12}`).Draw(t, "text")
		if got, err := substitute(literal(text), nil); got != text || err != nil {
			t.Fatalf("%q became %q, then %q, %v", text, literal(text), got, err)
		}
	})
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"":                  nil,
		"  a\tb\nc ":        {"a", "b", "c"},
		`a 'b c' "d e"f`:    {"a", "b c", "d ef"},
		`'' ""`:             {"", ""},
		`a\ b \'`:           {"a b", "'"},
		`"a\"b\\c\d"`:       {`a"b\c\d`},
		`'a\b'`:             {`a\b`},
		`$HOME * | > ~ # x`: {"$HOME", "*", "|", ">", "~", "#", "x"},
		`'it'\''s'`:         {"it's"},
	} {
		if got, err := Split(text); !reflect.DeepEqual(got, want) || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"'", `"a`, `a\`, `"\`} {
		if got, err := Split(text); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.StringMatching(`[ a'"\\\t\n$]{0,6}`), 1, 5).Draw(t, "args")
		if got, err := Split(Quote(args)); !reflect.DeepEqual(got, args) || err != nil {
			t.Fatalf("%q: %q, %v", args, got, err)
		}
	})
}

func TestCells(t *testing.T) {
	p := arms(1)
	if cells := p.Cells(); len(cells) != 1 || cells[0].Name != OnlyCell {
		t.Errorf("%+v", cells)
	}
	p.Workloads = []Workload{{"small", []Value{{"file", "s"}}}, {"big", []Value{{"file", "b"}}}}
	p.Matrix = []Parameter{{"n", []string{"1", "2"}}, {"x", []string{"y"}}}
	want := []Cell{
		{"small n=1 x=y", []Value{{"file", "s"}, {"n", "1"}, {"x", "y"}}}, {"small n=2 x=y", []Value{{"file", "s"}, {"n", "2"}, {"x", "y"}}},
		{"big n=1 x=y", []Value{{"file", "b"}, {"n", "1"}, {"x", "y"}}}, {"big n=2 x=y", []Value{{"file", "b"}, {"n", "2"}, {"x", "y"}}},
	}
	if got := p.Cells(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	a := Arm{Name: "a", Command: Command{Args: []string{"{arm}", "{file}"}}, Env: map[string]string{"N": "{n}"}, Cwd: "{x}"}
	got, err := a.In(want[1])
	if err != nil || !reflect.DeepEqual(got.Command.Args, []string{"a", "s"}) || got.Env["N"] != "2" || got.Cwd != "y" || a.Cwd != "{x}" {
		t.Errorf("%+v, %v", got, err)
	}
}

package manifest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"weft/internal/jsonval"
)

// TestNormalizeBin goes through rows recorded from npm-normalize-package-bin. npm applies the rules of
// its package-json module after those, which make slashes of colons in targets too and keep the
// order in which names came, so the rows are compared without order and without colons.
func TestNormalizeBin(t *testing.T) {
	data, err := os.ReadFile("testdata/normalize-package-bin.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonval.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := doc.Get("rows")
	if rows.Len() < 20 {
		t.Fatalf("only %d rows", rows.Len())
	}
	byName := func(a, b Dep) int { return strings.Compare(a.Name, b.Name) }
	for _, row := range rows.Elems() {
		args, _ := row.Get("args")
		result, _ := row.Get("result")
		field, _ := result.Get("bin")
		want := DepsFromValue(field)
		for i := range want {
			want[i].Spec = strings.ReplaceAll(want[i].Spec, ":/", "/")
		}
		m, err := FromValue(args.Elems()[0])
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(m.Bin)
		slices.SortFunc(got, byName)
		slices.SortFunc(want, byName)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", text(args), got, want)
		}
	}
}

func TestExpandBinDir(t *testing.T) {
	files := []string{"package.json", "bin/a.js", "bin/b", "bin/sub/c", "bin/.hidden", "bin/.dir/d", "binary/e", "lib/bin/f"}
	for _, c := range []struct {
		manifest string
		want     Deps
	}{
		{`{"directories":{"bin":"bin"}}`, Deps{{"a.js", "bin/a.js"}, {"b", "bin/b"}, {"sub", "bin/sub"}, {"c", "bin/sub/c"}}},
		{`{"directories":{"bin":"./bin/"}}`, Deps{{"a.js", "bin/a.js"}, {"b", "bin/b"}, {"sub", "bin/sub"}, {"c", "bin/sub/c"}}},
		{`{"directories":{"bin":"../../lib/bin"}}`, Deps{{"f", "lib/bin/f"}}},
		{`{"directories":{"bin":"nowhere"}}`, nil},
		{`{"directories":{"bin":1}}`, nil},
		{`{"directories":[]}`, nil},
		{`{}`, nil},
		{`{"name":"x","bin":"y","directories":{"bin":"bin"}}`, Deps{{"x", "y"}}},
		{`{"bin":{"x":1},"directories":{"bin":"bin"}}`, nil},
	} {
		m, err := Parse([]byte(c.manifest))
		if err != nil {
			t.Fatal(err)
		}
		if m.ExpandBinDir(files); !slices.Equal(m.Bin, c.want) {
			t.Errorf("%s: got %v, want %v", c.manifest, m.Bin, c.want)
		}
	}
}

func TestAddGypScript(t *testing.T) {
	for _, c := range []struct {
		manifest string
		files    []string
		want     bool
	}{
		{`{}`, []string{"binding.gyp"}, true},
		{`{"scripts":{"install":"","test":"x"}}`, []string{"a", "binding.gyp"}, true},
		{`{"gypfile":true}`, []string{"src/binding.gyp"}, false},
		{`{"gypfile":false}`, []string{"binding.gyp"}, false},
		{`{"scripts":{"install":"x"}}`, []string{"binding.gyp"}, false},
		{`{"scripts":{"preinstall":"x"}}`, []string{"binding.gyp"}, false},
		{`{"scripts":{"postinstall":"x"}}`, []string{"binding.gyp"}, true},
	} {
		m, err := Parse([]byte(c.manifest))
		if err != nil {
			t.Fatal(err)
		}
		got := m.AddGypScript(c.files)
		script, _ := m.Scripts.Get("install")
		if got != c.want || c.want && (script != "node-gyp rebuild" || !m.HasInstallScript) {
			t.Errorf("%s with %q: %v, install script %q", c.manifest, c.files, got, script)
		}
	}
}

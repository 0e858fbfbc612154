package manifest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"weft/internal/jsonval"
)

// nodeRows are manifests and what npm's own code makes of them, see testdata/rows.mjs.
func nodeRows(t testing.TB) []jsonval.Value {
	data, err := os.ReadFile("testdata/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := jsonval.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if rows.Len() < 500 {
		t.Fatalf("only %d rows", rows.Len())
	}
	return rows.Elems()
}

func text(v jsonval.Value) string { return string(jsonval.AppendJSON(nil, v, "", "")) }

func TestNodeRows(t *testing.T) {
	for _, row := range nodeRows(t) {
		field := func(key string) jsonval.Value {
			v, _ := row.Get(key)
			return v
		}
		in, _ := field("in").Str()
		m, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, got, want jsonval.Value) {
			if !got.Equal(want) {
				t.Errorf("%s\n%s: got %s, want %s", in, what, text(got), text(want))
			}
		}
		check("bin", orNull(m.Bin), orNull(DepsFromValue(field("bin"))))
		check("scripts", orNull(m.Scripts), orNull(DepsFromValue(field("scripts"))))
		check("bundleDependencies", jsonval.OfStrings(m.BundleDependencies...), jsonval.OfStrings(stringList(field("bundle"))...))
		check("funding", m.Funding, field("funding"))
		check("hasInstallScript", jsonval.OfBool(m.HasInstallScript), field("install"))
		check("hasShrinkwrap", jsonval.OfBool(m.HasShrinkwrap), field("shrinkwrap"))
		var want []string
		for _, e := range field("edges").Elems() {
			parts := stringList(e)
			want = append(want, strings.Join(parts, " "))
		}
		slices.Sort(want)
		if got := edges(m); !slices.Equal(got, want) {
			t.Errorf("%s\nedges: got %q, want %q", in, got, want)
		}
	}
}

func orNull(d Deps) jsonval.Value {
	if len(d) == 0 {
		return jsonval.Value{}
	}
	return d.Value()
}

// edges lists what a package in node_modules depends on, as npm's tree has it: of a name in several
// maps the last one counts.
func edges(m *Manifest) []string {
	byName := map[string]string{}
	for _, d := range m.PeerDependencies {
		kind := "peer "
		if m.PeerOptional[d.Name] {
			kind = "peerOptional "
		}
		byName[d.Name] = kind + d.Name + " " + d.Spec
	}
	for _, d := range m.Dependencies {
		byName[d.Name] = "prod " + d.Name + " " + d.Spec
	}
	for _, d := range m.OptionalDependencies {
		byName[d.Name] = "optional " + d.Name + " " + d.Spec
	}
	var list []string
	for _, e := range byName {
		list = append(list, e)
	}
	slices.Sort(list)
	return list
}

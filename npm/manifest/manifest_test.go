package manifest

import (
	"errors"
	"slices"
	"testing"

	"weft/internal/jsonval"
)

func TestFields(t *testing.T) {
	m, err := Parse([]byte(`{
		"name": "a", "version": "1.0.0",
		"dependencies": {"z": "1", "y": 2, "2": "b", "1": "c"},
		"os": "linux", "cpu": ["x64", 3, "!arm"], "libc": "",
		"engines": {"node": ">=18", "npm": 9, "yarn": ""},
		"deprecated": true,
		"workspaces": {"packages": ["a/*", 1]},
		"overrides": {"x": "1"},
		"license": {"type": "MIT"},
		"dist": {"tarball": "t", "integrity": "i", "shasum": "s", "more": 1}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Deps{{"1", "c"}, {"2", "b"}, {"z", "1"}}); !slices.Equal(m.Dependencies, want) {
		t.Errorf("dependencies %v, want %v", m.Dependencies, want)
	}
	if spec, ok := m.Dependencies.Get("z"); spec != "1" || !ok || m.Dependencies.Has("y") {
		t.Errorf("z is %q, %v", spec, ok)
	}
	if !slices.Equal(m.OS, []string{"linux"}) || !slices.Equal(m.CPU, []string{"x64", "!arm"}) || m.Libc != nil {
		t.Errorf("platform %q %q %q", m.OS, m.CPU, m.Libc)
	}
	if want := (Deps{{"node", ">=18"}, {"npm", "not a range: 9"}, {"yarn", ""}}); !slices.Equal(m.Engines, want) {
		t.Errorf("engines %v, want %v", m.Engines, want)
	}
	if m.Deprecated != "true" || !slices.Equal(m.Workspaces, []string{"a/*"}) || m.Overrides.Len() != 1 {
		t.Errorf("deprecated %q, workspaces %q, overrides %v", m.Deprecated, m.Workspaces, text(m.Overrides))
	}
	if m.Dist != (Dist{"t", "i", "s"}) {
		t.Errorf("dist %+v", m.Dist)
	}
}

func TestParseErrors(t *testing.T) {
	var syntax *jsonval.SyntaxError
	if _, err := Parse([]byte(`{"name"}`)); !errors.As(err, &syntax) {
		t.Errorf("not JSON: %v", err)
	}
	for _, s := range []string{`[]`, `"x"`, `1`, `null`} {
		if _, err := Parse([]byte(s)); !errors.Is(err, ErrNotObject) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// FuzzParse looks for manifests that panic, and for bins that leave the package.
func FuzzParse(f *testing.F) {
	for i, row := range nodeRows(f) {
		if in, _ := row.Get("in"); i%4 == 0 {
			s, _ := in.Str()
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		m.AddGypScript([]string{"binding.gyp"})
		m.ExpandBinDir([]string{"bin/x", "a/../b"})
		for _, b := range m.Bin {
			if b.Name == "" || baseName(safePath(b.Name)) != b.Name || b.Spec == "" || safePath(b.Spec) != b.Spec {
				t.Fatalf("%q: unsafe bin %q", data, b)
			}
		}
		for _, deps := range []Deps{m.Dependencies, m.OptionalDependencies, m.PeerDependencies, m.Bin, m.Scripts} {
			seen := map[string]bool{}
			for _, d := range deps {
				if seen[d.Name] {
					t.Fatalf("%q: %q comes twice", data, d.Name)
				}
				seen[d.Name] = true
			}
		}
	})
}

package regtest

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"weft/internal/jsonval"
)

func TestGenerateIsDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		a, b := Generate(seed, Shape{}), Generate(seed, Shape{})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d gave two worlds", seed)
		}
		if c := Generate(seed+1000, Shape{}); bytes.Equal(a.Project, c.Project) && reflect.DeepEqual(a.Packages, c.Packages) {
			t.Errorf("seeds %d and %d gave one world", seed, seed+1000)
		}
	}
}

// TestGenerateCoversWhatIsOdd looks for every kind of oddity in some worlds.
func TestGenerateCoversWhatIsOdd(t *testing.T) {
	seen := map[string]bool{}
	marks := []string{
		`"peerDependencies"`, `"peerDependenciesMeta"`, `"optionalDependencies"`, `"bundleDependencies"`,
		`"npm:`, `"os"`, `"cpu"`, `"engines"`, `"never-published"`, `"overrides"`, `"bin"`, `"^99.0.0"`, `"latest"`,
	}
	for seed := range uint64(60) {
		w := Generate(seed, Shape{})
		texts := []string{string(w.Project)}
		for _, p := range w.Packages {
			texts = append(texts, p.Manifest)
			seen["deprecated"] = seen["deprecated"] || p.Deprecated != ""
			seen["prerelease"] = seen["prerelease"] || strings.Contains(p.Version, "-")
			seen["scope"] = seen["scope"] || strings.HasPrefix(p.Name, "@")
		}
		for _, text := range texts {
			if _, err := jsonval.ParseString(text); err != nil {
				t.Fatalf("seed %d: %v in %s", seed, err, text)
			}
			for _, mark := range marks {
				seen[mark] = seen[mark] || strings.Contains(text, mark)
			}
		}
	}
	for _, mark := range append(marks, "deprecated", "prerelease", "scope") {
		if !seen[mark] {
			t.Errorf("no world has %s", mark)
		}
	}
}

func TestShapes(t *testing.T) {
	for seed := range uint64(40) {
		for _, p := range Generate(seed, Shape{Plain: true}).Packages {
			for _, odd := range []string{"peerDependencies", "optionalDependencies", "npm:", "bundle", "engines"} {
				if strings.Contains(p.Manifest, odd) {
					t.Fatalf("seed %d: a plain world has %s", seed, p.Manifest)
				}
			}
		}
		for _, p := range Generate(seed, Shape{NoPeers: true}).Packages {
			if strings.Contains(p.Manifest, "peerDependencies") {
				t.Fatalf("seed %d: peers in %s", seed, p.Manifest)
			}
		}
	}
}

func TestWorldsCanBePublished(t *testing.T) {
	reg := New(t)
	Generate(7, Shape{Names: 30}).AddTo(reg)
}

package tree

import (
	"maps"
	"path"
	"slices"
	"strings"

	"weft/bench/internal/difference"
)

// private reports whether a file is one that an installer keeps for itself and
// that no program which uses the packages ever reads.
func private(name string) bool {
	rest, below := strings.CutPrefix(name, "node_modules/.")
	return below && !strings.HasPrefix(rest, "bin/") && rest != "bin"
}

// Packages compares which packages stand where, and in which version.
func Packages(want, got *Tree) []difference.Difference {
	var out []difference.Difference
	for _, name := range union(want.Packages, got.Packages) {
		w, inWant := want.Packages[name]
		g, inGot := got.Packages[name]
		switch {
		case private(name):
		case !inGot:
			out = append(out, difference.Difference{Kind: "package missing", Where: name, Want: w})
		case !inWant:
			out = append(out, difference.Difference{Kind: "package extra", Where: name, Got: g})
		case w != g:
			out = append(out, difference.Difference{Kind: "package version", Where: name, Want: w, Got: g})
		}
	}
	return out
}

// Files compares every file, folder and link. Of what is missing or extra as a
// whole folder only the folder is named.
func Files(want, got *Tree) []difference.Difference {
	var out []difference.Difference
	for _, name := range union(want.Files, got.Files) {
		w, inWant := want.Files[name]
		g, inGot := got.Files[name]
		above := path.Dir(name)
		add := func(kind, wanted, found string) {
			out = append(out, difference.Difference{Kind: kind, Where: name, Want: wanted, Got: found})
		}
		switch {
		case private(name):
		case !inGot:
			if _, parent := got.Files[above]; parent || above == "." {
				add(w.Type+" missing", w.Type, "")
			}
		case !inWant:
			if _, parent := want.Files[above]; parent || above == "." {
				add(g.Type+" extra", "", g.Type)
			}
		case w.Type != g.Type:
			add("file type", w.Type, g.Type)
		case w.Content != g.Content:
			add(w.Type+" content", w.Content, g.Content)
		case w.Mode != g.Mode:
			add(w.Type+" mode", w.Mode.String(), g.Mode.String())
		}
	}
	return out
}

// union lists the keys of both maps in byte order.
func union[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

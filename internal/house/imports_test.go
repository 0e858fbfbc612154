package house

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the prefix of our own import paths.
const module = "weft/"

// rooms from the top of the house to the bottom: a room may import itself and
// what stands after it.
var rooms = []string{"cmd", "install", "npm", "lab", "inspect", "actor", "flow", "sim", "task", "internal"}

// core rooms stand on the standard library and our internal packages alone.
var core = []string{"actor", "flow", "sim", "task"}

// runtimeRooms are not for npm's formats to use.
var runtimeRooms = []string{"inspect", "actor", "flow", "sim", "task"}

// outside folders use the rooms and belong to none.
var outside = []string{"bench", "examples", "scripts", "docs"}

func room(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

func imports(s *source) []string {
	var paths []string
	for _, spec := range s.ast.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// standard reports a path of the standard library: its first element has no
// dot, and it is not ours.
func standard(path string) bool {
	return !strings.Contains(room(path), ".") && !strings.HasPrefix(path, module)
}

// badImports judges one file. Tests may look upwards, so that the simulator
// can drive the rooms below it, and may use test libraries; nothing may import
// cmd.
func badImports(s *source) []string {
	from := room(s.path)
	var found []string
	bad := func(path, why string) {
		found = append(found, fmt.Sprintf("%s imports %s: %s", s.path, path, why))
	}
	for _, path := range imports(s) {
		to, ours := strings.CutPrefix(path, module)
		switch to = room(to); {
		case ours && to == "cmd" && from != "cmd":
			bad(path, "nothing imports cmd")
		case ours && !slices.Contains(rooms, to) && to != from:
			bad(path, "that is no room")
		case s.test() || slices.Contains(outside, from):
		case !ours && !standard(path) && slices.Contains(core, from):
			bad(path, "core rooms use the standard library alone")
		case ours && slices.Index(rooms, to) < slices.Index(rooms, from):
			bad(path, "imports go down the house only")
		case ours && from == "npm" && slices.Contains(runtimeRooms, to):
			bad(path, "npm uses no runtime room")
		}
	}
	return found
}

// heavyCore finds internal packages that a core room reaches, through other
// internal packages too, and that use anything beyond the standard library.
func heavyCore(files []*source) []string {
	uses := map[string][]string{} // package folder -> imports of its code
	for _, s := range files {
		if !s.test() {
			uses[s.dir] = append(uses[s.dir], imports(s)...)
		}
	}
	var found []string
	seen := map[string]bool{}
	var visit func(dir, why string)
	visit = func(dir, why string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, path := range uses[dir] {
			if to, ours := strings.CutPrefix(path, module); ours {
				visit(to, why+" > "+to)
			} else if !standard(path) {
				found = append(found, fmt.Sprintf("%s imports %s: the core reaches it by %s", dir, path, why))
			}
		}
	}
	for dir := range uses {
		if slices.Contains(core, room(dir)) {
			visit(dir, dir)
		}
	}
	return found
}

func TestImportDirection(t *testing.T) {
	r := theRepo(t)
	var found []string
	for _, s := range r.gos {
		if first := room(s.path); s.dir != "." && !slices.Contains(rooms, first) && !slices.Contains(outside, first) {
			found = append(found, fmt.Sprintf("%s: the house has no room %q", s.path, first))
		}
		found = append(found, badImports(s)...)
	}
	complain(t, append(found, heavyCore(r.gos)...))
}

func TestBadImportsFinds(t *testing.T) {
	tests := []struct {
		path, imports string
		bad           bool
	}{
		{"install/link/a.go", "weft/npm/tarball", false},
		{"install/link/a.go", "weft/install/store", false},
		{"install/link/a.go", "golang.org/x/sys/unix", false},
		{"npm/semver/a.go", "weft/internal/jsonval", false},
		{"npm/semver/a.go", "weft/install/link", true},
		{"npm/registry/a.go", "weft/task", true},
		{"npm/registry/a_test.go", "weft/task", false},
		{"task/a.go", "sync", false},
		{"task/a.go", "weft/internal/sy", false},
		{"task/a.go", "weft/sim", true},
		{"task/a_test.go", "weft/sim", false},
		{"task/a_test.go", "go.uber.org/goleak", false},
		{"task/a.go", "go.uber.org/goleak", true},
		{"flow/a.go", "weft/task", false},
		{"internal/gid/a.go", "weft/task", true},
		{"internal/locale/a.go", "golang.org/x/text/collate", false},
		{"bench/main.go", "weft/install", false},
		{"bench/main.go", "weft/bench/internal/peer", false},
		{"bench/main.go", "weft/cmd/weft", true},
		{"install/a_test.go", "weft/cmd/weft", true},
		{"install/a.go", "weft/bench/internal/peer", true},
	}
	for _, tt := range tests {
		s := snippet(t, tt.path, "package a\nimport _ "+strconv.Quote(tt.imports)+"\n")
		if found := badImports(s); (len(found) > 0) != tt.bad {
			t.Errorf("%s importing %s: %q", tt.path, tt.imports, found)
		}
	}
}

func TestHeavyCoreFinds(t *testing.T) {
	files := []*source{
		snippet(t, "task/a.go", `package task; import _ "weft/internal/light"`),
		snippet(t, "internal/light/a.go", `package light; import _ "weft/internal/heavy"`),
		snippet(t, "internal/heavy/a.go", `package heavy; import _ "golang.org/x/text/collate"`),
		snippet(t, "internal/apart/a.go", `package apart; import _ "golang.org/x/text/collate"`),
	}
	want := []string{"internal/heavy imports golang.org/x/text/collate: the core reaches it by task > internal/light > internal/heavy"}
	if got := heavyCore(files); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

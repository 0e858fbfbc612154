package lockfile

import (
	"strings"
	"testing"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// nodeRows are lockfiles and what npm's own code reads in them, see testdata/rows.mjs.
func nodeRows(t testing.TB, name string) []jsonval.Value {
	rows, err := jsonval.Parse(read(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if rows.Len() < 100 {
		t.Fatalf("%s has only %d rows", name, rows.Len())
	}
	return rows.Elems()
}

func text(row jsonval.Value, key string) string {
	v, _ := row.Get(key)
	s, _ := v.Str()
	return s
}

func flat(v jsonval.Value) string { return string(jsonval.AppendJSON(nil, v, "", "")) }

func TestConflictRows(t *testing.T) {
	conflicts, refused := 0, 0
	for _, row := range nodeRows(t, "conflicts.json") {
		in, want := text(row, "in"), text(row, "out")
		if !hasConflict(in) {
			continue
		}
		conflicts++
		v, err := resolveConflict(in)
		switch {
		case want == "":
			if refused++; err == nil {
				t.Errorf("%s\nresolved, npm fails", in)
			}
		case err != nil:
			t.Errorf("%s\n%v, npm has %s", in, err, want)
		default:
			if got := flat(inOrder(v)); got != want {
				t.Errorf("%s\n got %s\nwant %s", in, got, want)
			}
		}
	}
	t.Logf("%d conflicts, %d of them refused", conflicts, refused)
}

func TestUpgradeRows(t *testing.T) {
	for _, row := range nodeRows(t, "upgrades.json") {
		in, want := text(row, "in"), text(row, "out")
		var project Project
		if m := text(row, "manifest"); m != "" {
			root, err := manifest.Parse([]byte(m))
			if err != nil {
				t.Fatal(err)
			}
			project.Root = root
		}
		f, err := ParseIn([]byte(in), project)
		if err != nil {
			t.Errorf("%s\n%v", in, err)
			continue
		}
		// An entry of the project without anything in it is not written.
		want = strings.Replace(strings.Replace(want, `"":{},`, ``, 1), `"":{}`, ``, 1)
		if got := flat(f.Packages.value()); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
		version, _ := row.Get("version")
		ancient, _ := row.Get("ancient")
		if n, _ := version.Num(); f.LockfileVersion != int(n) || f.Ancient != ancient.Truthy() {
			t.Errorf("%s\nversion %d, ancient %v, want %v, %v", in, f.LockfileVersion, f.Ancient, n, ancient.Truthy())
		}
	}
}

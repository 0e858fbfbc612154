package lockdiff

import (
	"strings"
	"testing"

	"weft/bench/internal/difference"
)

const lock = `{
  "name": "p",
  "lockfileVersion": 3,
  "packages": {
    "": {
      "name": "p"
    },
    "node_modules/a": {
      "version": "1.0.0",
      "dev": true,
      "dependencies": {
        "b": "1",
        "c": "2"
      }
    }
  }
}
`

func TestDiff(t *testing.T) {
	for _, tc := range []struct {
		name string
		edit []string // from, to
		want string   // the one kind reported
	}{
		{"equal", nil, ""},
		{"value", []string{`"1.0.0"`, `"1.0.1"`}, "lockfile version"},
		{"missing", []string{"      \"dev\": true,\n", ""}, "lockfile dev missing"},
		{"extra", []string{`"dev": true`, `"dev": true, "peer": true`}, "lockfile peer extra"},
		{"inner", []string{`"c": "2"`, `"c": "3"`}, "lockfile dependencies"},
		{"inner order", []string{`"b": "1",`, ``, `"c": "2"`, `"c": "2", "b": "1"`}, "lockfile dependencies"},
		{"entry", []string{`"node_modules/a"`, `"node_modules/z"`}, "lockfile entry missing"},
		{"top", []string{`"lockfileVersion": 3`, `"lockfileVersion": 2`}, "lockfile lockfileVersion"},
		{"field order", []string{`"version": "1.0.0",`, ``, `"dev": true`, `"dev": true, "version": "1.0.0"`}, "lockfile order of entry"},
		{"top order", []string{`"name": "p",`, ``, `"lockfileVersion": 3`, `"lockfileVersion": 3, "name": "p"`}, "lockfile order of entry"},
		{"format", []string{"  \"name\"", "\t\"name\""}, "lockfile format"},
		{"final newline", []string{"}\n}\n", "}\n}"}, "lockfile format"},
		{"not JSON", []string{"{\n  \"name\"", "<html>"}, "lockfile unreadable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := lock
			for i := 0; i < len(tc.edit); i += 2 {
				if !strings.Contains(got, tc.edit[i]) {
					t.Fatalf("nothing to edit: %q", tc.edit[i])
				}
				got = strings.Replace(got, tc.edit[i], tc.edit[i+1], 1)
			}
			counts := difference.Count(Diff([]byte(lock), []byte(got)))
			if tc.want == "" {
				if len(counts) != 0 {
					t.Errorf("got %v", counts)
				}
				return
			}
			if counts[tc.want] != 1 {
				t.Errorf("got %v, want one %q", counts, tc.want)
			}
		})
	}
}

func TestOrderOfEntries(t *testing.T) {
	swapped := `{"packages": {"node_modules/b": {}, "node_modules/a": {}}}`
	counts := difference.Count(Diff([]byte(`{"packages": {"node_modules/a": {}, "node_modules/b": {}}}`), []byte(swapped)))
	if counts["lockfile order of packages"] != 1 || len(counts) != 1 {
		t.Errorf("got %v", counts)
	}
}

// FuzzDiff holds Diff to its promise: nothing for equal bytes, something for
// all others.
func FuzzDiff(f *testing.F) {
	f.Add([]byte(lock), []byte(strings.Replace(lock, "1.0.0", "2.0.0", 1)))
	f.Add([]byte(`{"packages":[]}`), []byte(`{"packages": []}`))
	f.Add([]byte(`1`), []byte(`1.0`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if list := Diff(a, b); (len(list) == 0) != (string(a) == string(b)) {
			t.Errorf("%d differences between %q and %q", len(list), a, b)
		}
	})
}

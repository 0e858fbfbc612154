package semver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// row is one row of any of the fixture files; each file fills some of the fields.
type row struct {
	C0, C1, R0, R1    string
	Greater, Lesser   string
	A, B              string
	Version           json.RawMessage
	Range, Type       string
	Expected          json.RawMessage
	Options           json.RawMessage
	Identifier        json.RawMessage
	IdentifierBase    json.RawMessage
	Major, Minor      uint64
	Patch             uint64
	Prerelease, Build []any
}

// version returns the version of the row; ok is false where npm's suite passes something that is not a string.
func (r *row) version() (s string, ok bool) {
	return s, json.Unmarshal(r.Version, &s) == nil
}

// want returns the expected string; ok is false for null.
func (r *row) want() (s string, ok bool) {
	return s, json.Unmarshal(r.Expected, &s) == nil && string(r.Expected) != "null"
}

// truthy is JavaScript's idea of the JSON value; {"$num":"NaN"} stands for a number that JSON has no text for.
func truthy(raw json.RawMessage) bool {
	switch s := strings.TrimSpace(string(raw)); s {
	case "", "null", "false", "0", `""`, `{"$num":"NaN"}`:
		return false
	}
	return true
}

// options reads npm's options: an object, or anything truthy for loose.
func (r *row) options() Options {
	var o struct{ Loose, IncludePrerelease json.RawMessage }
	if json.Unmarshal(r.Options, &o) != nil {
		return Options{Loose: truthy(r.Options)}
	}
	return Options{Loose: truthy(o.Loose), IncludePrerelease: truthy(o.IncludePrerelease)}
}

// incOptions reads the options of an increment, which may have moved one place to the left in the call.
func (r *row) incOptions() IncOptions {
	identifier, base := r.Identifier, r.IdentifierBase
	o := IncOptions{}
	var word string
	if json.Unmarshal(r.Options, &word) == nil && len(r.Options) > 0 {
		identifier, base = r.Options, r.Identifier
	} else {
		o.Options = r.options()
	}
	_ = json.Unmarshal(identifier, &o.Identifier)
	switch string(base) {
	case "false":
		o.Base = BaseNone
	case "1", `"1"`:
		o.Base = BaseOne
	}
	return o
}

func TestConformance(t *testing.T) {
	checks := map[string]func(t *testing.T, r *row) bool{
		"comparator-intersection": func(t *testing.T, r *row) bool {
			c, ok0 := ParseComparator(r.C0, r.options())
			d, ok1 := ParseComparator(r.C1, r.options())
			return ok0 && ok1 && strconv.FormatBool(c.Intersects(d, r.options())) == string(r.Expected)
		},
		"comparisons": func(t *testing.T, r *row) bool {
			up, err1 := Compare(r.Greater, r.Lesser, r.options())
			down, err2 := Compare(r.Lesser, r.Greater, r.options())
			return err1 == nil && err2 == nil && up == 1 && down == -1
		},
		"equality": func(t *testing.T, r *row) bool {
			c, err := Compare(r.A, r.B, r.options())
			return err == nil && c == 0
		},
		"increments": func(t *testing.T, r *row) bool {
			version, _ := r.version()
			want, wantOK := r.want()
			got, ok := Inc(version, r.Type, r.incOptions())
			return got == want && ok == wantOK
		},
		"invalid-versions": func(t *testing.T, r *row) bool {
			version, isString := r.version()
			if !isString {
				return true // Go's types keep those out
			}
			_, ok := Valid(version, r.options())
			return !ok
		},
		"range-include": func(t *testing.T, r *row) bool {
			version, _ := r.version()
			return Satisfies(version, r.Range, r.options())
		},
		"range-exclude": func(t *testing.T, r *row) bool {
			version, _ := r.version()
			return !Satisfies(version, r.Range, r.options())
		},
		"range-intersection": func(t *testing.T, r *row) bool {
			got, err := Intersects(r.R0, r.R1, r.options())
			return err == nil && strconv.FormatBool(got) == string(r.Expected)
		},
		"range-parse": func(t *testing.T, r *row) bool {
			want, wantOK := r.want()
			got, ok := ValidRange(r.Range, r.options())
			return got == want && ok == wantOK
		},
		"truncations": func(t *testing.T, r *row) bool {
			version, _ := r.version()
			want, wantOK := r.want()
			got, ok := Truncate(version, r.Type, r.options())
			return got == want && ok == wantOK
		},
		"valid-versions": func(t *testing.T, r *row) bool {
			version, _ := r.version()
			v, err := ParseVersion(version, r.options())
			return err == nil && v.Major == r.Major && v.Minor == r.Minor && v.Patch == r.Patch &&
				reflect.DeepEqual(identList(v.Prerelease, true), r.Prerelease) && reflect.DeepEqual(identList(v.Build, false), r.Build)
		},
		"version-gt-range":     func(t *testing.T, r *row) bool { return outside(t, r, (*Range).Above) },
		"version-lt-range":     func(t *testing.T, r *row) bool { return outside(t, r, (*Range).Below) },
		"version-not-gt-range": func(t *testing.T, r *row) bool { return !outside(t, r, (*Range).Above) },
		"version-not-lt-range": func(t *testing.T, r *row) bool { return !outside(t, r, (*Range).Below) },
	}
	total := 0
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "fixture-"+name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var file struct{ Rows []json.RawMessage }
			if err := json.Unmarshal(data, &file); err != nil {
				t.Fatal(err)
			}
			for _, raw := range file.Rows {
				var r row
				if err := json.Unmarshal(raw, &r); err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				total++
				if !check(t, &r) {
					t.Errorf("fails: %s", raw)
				}
			}
		})
	}
	if total != 982 {
		t.Errorf("checked %d rows, want 982", total)
	}
}

func outside(t *testing.T, r *row, side func(*Range, Version) bool) bool {
	t.Helper()
	text, _ := r.version()
	v, err := ParseVersion(text, r.options())
	if err != nil {
		t.Fatal(err)
	}
	rng, err := ParseRange(r.Range, r.options())
	if err != nil {
		t.Fatal(err)
	}
	return side(rng, v)
}

// identList splits identifiers as JSON holds them; numbers of a prerelease are float64.
func identList(s string, numbers bool) []any {
	out := []any{}
	if s == "" {
		return out
	}
	for _, id := range strings.Split(s, ".") {
		if n, ok := parseNumber(id); numbers && allDigits(id) && ok {
			out = append(out, float64(n))
		} else {
			out = append(out, id)
		}
	}
	return out
}

package semver

import (
	"encoding/json"
	"testing"

	"weft/internal/rows"
)

// TestDifferential compares with rows of what node-semver itself answered to random input.
// testdata/generate.mjs makes them and says what they hold; WEFT_SEMVER_ROWS names another file of them.
func TestDifferential(t *testing.T) {
	count, failed := 0, 0
	rows.Each(t, "testdata/differential.jsonl", "WEFT_SEMVER_ROWS", func(line []byte) {
		var row []any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		count++
		flags := int(row[1].(float64))
		o := Options{Loose: flags&1 != 0, IncludePrerelease: flags&2 != 0}
		if got, ok := answer(row[0].(string), row[2:], o); !ok {
			if failed++; failed <= 20 {
				t.Errorf("row %.600s\n got %v", line, got)
			}
		}
	})
	if failed > 0 || count < 1000 {
		t.Errorf("%d of %d rows fail", failed, count)
	}
}

// answer computes the row's answers and reports whether they are the expected ones.
func answer(kind string, row []any, o Options) (got []any, ok bool) {
	text := func(i int) string { return row[i].(string) }
	switch kind {
	case "valid":
		got = []any{orNil(Valid(text(0), o))}
		return got, got[0] == row[1]
	case "compare":
		got = []any{order(Compare(text(0), text(1), o)), order(CompareBuild(text(0), text(1), o))}
		return got, got[0] == row[2] && got[1] == row[3]
	case "coerce":
		v, found := Coerce(text(0), o)
		got = []any{orNil(v.String(), found)}
		return got, got[0] == row[1]
	case "range":
		return answerRange(row, o)
	case "pair":
		meets := verdict(Intersects(text(0), text(1), o))
		sub := verdict(Subset(text(0), text(1), o))
		sup := verdict(Subset(text(1), text(0), o))
		got = []any{meets, sub, sup}
		return got, meets == row[2] && sub == row[3] && sup == row[4]
	}
	return nil, false
}

func answerRange(row []any, o Options) (got []any, ok bool) {
	text := row[0].(string)
	got = []any{orNil(ValidRange(text, o))}
	if got[0] != row[1] || row[1] == nil {
		return got, got[0] == row[1]
	}
	r, err := ParseRange(text, o)
	if err != nil {
		return append(got, err), false
	}
	for _, test := range row[2].([]any) {
		test := test.([]any)
		version := test[0].(string)
		if Satisfies(version, text, o) != test[1] {
			return append(got, "satisfies", version), false
		}
		v, err := ParseVersion(version, o)
		if err != nil || test[2] == nil {
			continue
		}
		if r.Above(v) != test[2] || r.Below(v) != test[3] {
			return append(got, "outside", version), false
		}
	}
	min, found := r.MinVersion()
	got = append(got, orNil(min.String(), found))
	return got, got[1] == row[3]
}

func orNil(s string, ok bool) any {
	if !ok {
		return nil
	}
	return s
}

func order(c int, err error) any {
	if err != nil {
		return nil
	}
	return float64(c)
}

func verdict(yes bool, err error) any {
	if err != nil {
		return nil
	}
	return yes
}

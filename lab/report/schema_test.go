package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/jsonschema"
)

func validate(t *testing.T, doc []byte) []string {
	t.Helper()
	found, err := jsonschema.Faults(Schema, doc)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSchema(t *testing.T) {
	all := samplesAll(t)
	all["hostile"] = hostileData(t)
	all["empty"] = Data{Result: analyseOf(analyseInput(Data{Baseline: "a", Candidates: []string{"b"}}))}
	for name, d := range all {
		var b bytes.Buffer
		if err := JSON(&b, d); err != nil {
			t.Fatal(err)
		}
		for _, text := range validate(t, b.Bytes()) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A schema that says yes to everything would pass the test above.
func TestSchemaRefuses(t *testing.T) {
	good, err := os.ReadFile(filepath.Join("testdata", "few.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"schema": "weft.bench/v1"`, `"schema": "weft.bench/v2"`},
		{`"verdict": "inconclusive"`, `"verdict": "perhaps"`},
		{`"baseline": "A",`, ``},
		{`"significant": false`, `"significant": "no"`},
		{`"runs": 12`, `"runs": 12.5`},
		{`"level": 0.95`, `"level": 95`},
		{`"interrupted": true`, `"interrupted": true, "more": 1`},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		if bad == string(good) {
			t.Errorf("%q does not occur", change[0])
			continue
		}
		if found := validate(t, []byte(bad)); len(found) == 0 {
			t.Errorf("%s passes", change[1])
		}
	}
}

func TestDifferences(t *testing.T) {
	d := samplesAll(t)["few"]
	var b bytes.Buffer
	if err := JSON(&b, d); err != nil {
		t.Fatal(err)
	}
	if found, err := Differences(b.Bytes(), d); err != nil || found != nil {
		t.Errorf("a document differs from itself: %q, %v", found, err)
	}
	d.Result.Series[0].Comparisons[0].T.Value += 1e-9
	d.Runs = nil
	found, err := Differences(b.Bytes(), d)
	if err != nil || len(found) != 1 || !strings.HasPrefix(found[0], "result.series[0].comparisons[0].t.value: stored ") {
		t.Errorf("%q, %v", found, err)
	}
	for _, bad := range []string{"", "{", "{} {}"} {
		if _, err := Differences([]byte(bad), d); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if found, err := Differences([]byte("[]"), d); err != nil || len(found) != 1 {
		t.Errorf("%q, %v", found, err)
	}
}

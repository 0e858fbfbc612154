package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// validator checks values against the part of JSON schema that schema.json uses.
// A keyword that it does not know is an error, so that none is passed over.
type validator struct {
	defs  map[string]any
	found []string
}

func (v *validator) complain(path, format string, args ...any) {
	v.found = append(v.found, path+": "+fmt.Sprintf(format, args...))
}

func (v *validator) check(path string, schema map[string]any, value any) {
	for keyword, rule := range schema {
		switch keyword {
		case "$schema", "$id", "$defs", "title", "description", "properties":
		case "$ref":
			name := strings.TrimPrefix(rule.(string), "#/$defs/")
			def, ok := v.defs[name].(map[string]any)
			if !ok {
				v.complain(path, "no definition %q", name)
				continue
			}
			v.check(path, def, value)
		case "type":
			if !ofType(rule.(string), value) {
				v.complain(path, "%v is no %s", value, rule)
			}
		case "const":
			if value != rule {
				v.complain(path, "%v is not %v", value, rule)
			}
		case "enum":
			if !slices.Contains(rule.([]any), value) {
				v.complain(path, "%v is none of %v", value, rule)
			}
		case "minimum", "maximum":
			n, ok := value.(float64)
			if ok && (keyword == "minimum" && n < rule.(float64) || keyword == "maximum" && n > rule.(float64)) {
				v.complain(path, "%g is beyond the %s %g", n, keyword, rule)
			}
		case "items":
			list, _ := value.([]any)
			for i, item := range list {
				v.check(fmt.Sprintf("%s[%d]", path, i), rule.(map[string]any), item)
			}
		case "required":
			object, _ := value.(map[string]any)
			for _, name := range rule.([]any) {
				if _, ok := object[name.(string)]; !ok {
					v.complain(path, "%s is missing", name)
				}
			}
		case "additionalProperties":
			v.members(path, schema, value)
		default:
			v.complain(path, "the test knows no keyword %q", keyword)
		}
	}
}

func (v *validator) members(path string, schema map[string]any, value any) {
	object, _ := value.(map[string]any)
	properties := schema["properties"].(map[string]any)
	for name, member := range object {
		rule, ok := properties[name].(map[string]any)
		if !ok {
			v.complain(path, "%s is not in the schema", name)
			continue
		}
		v.check(path+"."+name, rule, member)
	}
}

func ofType(name string, value any) bool {
	switch x := value.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && x == float64(int64(x))
	}
	return false
}

func validate(t *testing.T, doc []byte) []string {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal(Schema, &schema); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		t.Fatal(err)
	}
	v := validator{defs: schema["$defs"].(map[string]any)}
	v.check("document", schema, value)
	return v.found
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

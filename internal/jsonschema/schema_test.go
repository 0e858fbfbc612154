package jsonschema

import "testing"

func TestFaults(t *testing.T) {
	const schema = `{"$schema": "x", "type": "object", "required": ["a"], "additionalProperties": false, "properties": {
		"a": {"enum": [1, "two"]}, "b": {"type": "array", "items": {"$ref": "#/$defs/small"}}, "c": {"const": true}, "d": {"type": "null"}},
		"$defs": {"small": {"type": "integer", "minimum": 0, "maximum": 9}}}`
	for _, tt := range []struct {
		document string
		faults   int
	}{
		{`{"a": 1}`, 0},
		{`{"a": "two", "b": [0, 9], "c": true, "d": null}`, 0},
		{`{}`, 1},
		{`[]`, 2},
		{`{"a": 2}`, 1},
		{`{"a": 1, "b": [0.5, 10, -1, "1"]}`, 4},
		{`{"a": 1, "b": {}}`, 1},
		{`{"a": 1, "c": false}`, 1},
		{`{"a": 1, "d": 0}`, 1},
		{`{"a": 1, "e": 0}`, 1},
	} {
		found, err := Faults([]byte(schema), []byte(tt.document))
		if err != nil || len(found) != tt.faults {
			t.Errorf("%s: %q, %v; want %d faults", tt.document, found, err, tt.faults)
		}
	}
	for _, bad := range []string{`{"pattern": "a"}`, `{"$ref": "#/$defs/none"}`, `{"type": 1}`, `{"additionalProperties": false}`, `{"required": [1]}`} {
		if found, err := Faults([]byte(bad), []byte(`"b"`)); err != nil || len(found) != 1 {
			t.Errorf("schema %s: %q, %v; want a fault", bad, found, err)
		}
	}
	for _, pair := range [][2]string{{"", "1"}, {"[]", "1"}, {"{}", ""}} {
		if _, err := Faults([]byte(pair[0]), []byte(pair[1])); err == nil {
			t.Errorf("%q is taken", pair)
		}
	}
}

package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func schema(t *testing.T) map[string]any {
	t.Helper()
	var s map[string]any
	if err := json.Unmarshal(Schema, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func at(t *testing.T, s map[string]any, path ...string) map[string]any {
	t.Helper()
	for _, name := range path {
		next, ok := s[name].(map[string]any)
		if !ok {
			t.Fatalf("the schema has no %v", path)
		}
		s = next
	}
	return s
}

// TestSchemaHasTheFields: what Parse knows, and in the same words, no more.
func TestSchemaHasTheFields(t *testing.T) {
	s := schema(t)
	same := func(what string, keys []key, properties map[string]any) {
		var known, described []string
		for _, k := range keys {
			known = append(known, k.name)
		}
		for name := range properties {
			described = append(described, name)
		}
		slices.Sort(known)
		slices.Sort(described)
		if !slices.Equal(known, described) {
			t.Errorf("%s: the reader knows %v, the schema %v", what, known, described)
		}
	}
	workload := at(t, s, "$defs", "workload")["oneOf"].([]any)[1].(map[string]any)
	same("plan", (&Plan{}).keys(), at(t, s, "properties"))
	same("arm", (&Arm{}).keys(&commands{}, new([]Value)), at(t, s, "$defs", "arm", "properties"))
	same("workload", (&Workload{}).keys(), at(t, workload, "properties"))
	same("metric", (&Metric{}).keys(), at(t, s, "$defs", "metric", "properties"))
	for name, allowed := range map[string][]string{"order": orders, "outputs": outputs, "source": sources, "network": networks} {
		enum(t, name, at(t, s, "properties", name), allowed)
	}
	enum(t, "direction", at(t, s, "$defs", "metric", "properties", "direction"), directions)
	gate := at(t, s, "properties", "gate")["oneOf"].([]any)
	enum(t, "gate", gate[0].(map[string]any), GateWords)
	enum(t, "gate, in a list", at(t, gate[1].(map[string]any), "items"), GateWords)
}

func enum(t *testing.T, name string, s map[string]any, allowed []string) {
	t.Helper()
	var words []string
	for _, w := range s["enum"].([]any) {
		words = append(words, w.(string))
	}
	if !slices.Equal(words, allowed) {
		t.Errorf("%s: the reader knows %v, the schema %v", name, allowed, words)
	}
}

// TestSchemaDefaults: the schema names the defaults that Default gives.
func TestSchemaDefaults(t *testing.T) {
	s := schema(t)
	text := "arms: [{name: a, command: x}]\n"
	for name, property := range at(t, s, "properties") {
		if d, ok := property.(map[string]any)["default"]; ok {
			value, _ := json.Marshal(d)
			text += name + ": " + string(value) + "\n"
		}
	}
	got, err := Parse("defaults.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := Parse("plain.yaml", []byte("arms: [{name: a, command: x}]"))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v, %v", got, want, err)
	}
}

func TestSchemaAcceptsAndRefuses(t *testing.T) {
	s := schema(t)
	for _, c := range []struct {
		files string
		valid bool
	}{
		{"good/*", true}, {"*.golden.yaml", true}, {"bad/typo*", false}, {"bad/pairs.yaml", false}, {"bad/order.yaml", false},
		{"bad/direction.yaml", false}, {"bad/no-*.yaml", false}, {"bad/nameless.yaml", false}, {"bad/matrix.yaml", false}, {"bad/text.yaml", false},
	} {
		files, err := filepath.Glob(filepath.Join("testdata", c.files))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", c.files, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root, e := parseTree(file, data)
			if e != nil {
				t.Fatal(e)
			}
			if err := conforms(s, s, root, filepath.Base(file)); (err == nil) != c.valid {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// conforms checks a tree by the few words of JSON schema that ours uses.
func conforms(root, s map[string]any, n *node, path string) error {
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		return conforms(root, root["$defs"].(map[string]any)[name].(map[string]any), n, path)
	}
	if all, ok := s["oneOf"].([]any); ok {
		var errs []error
		for _, one := range all {
			if err := conforms(root, one.(map[string]any), n, path); err != nil {
				errs = append(errs, err)
			}
		}
		if len(errs) != len(all)-1 {
			return fmt.Errorf("%s: %d of %d alternatives fit: %v", path, len(all)-len(errs), len(all), errs)
		}
		return nil
	}
	if words, ok := s["enum"].([]any); ok && !slices.Contains(words, any(n.text)) {
		return fmt.Errorf("%s: %q", path, n.text)
	}
	if err := typed(s["type"], n, path); err != nil {
		return err
	}
	if err := sized(s, n, path); err != nil {
		return err
	}
	properties, _ := s["properties"].(map[string]any)
	for _, f := range n.fields {
		child, ok := properties[f.name].(map[string]any)
		if !ok {
			child, ok = s["additionalProperties"].(map[string]any)
		}
		if !ok {
			return fmt.Errorf("%s: no property %s", path, f.name)
		}
		if err := conforms(root, child, f.value, path+"."+f.name); err != nil {
			return err
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if n.field(name.(string)) == nil {
			return fmt.Errorf("%s: %v is missing", path, name)
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		for i, item := range n.items {
			if err := conforms(root, items, item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func typed(want any, n *node, path string) error {
	var types []string
	switch w := want.(type) {
	case nil:
		return nil
	case string:
		types = []string{w}
	case []any:
		for _, x := range w {
			types = append(types, x.(string))
		}
	}
	_, notWhole := strconv.ParseInt(n.text, 10, 64)
	_, notNumber := strconv.ParseFloat(n.text, 64)
	is := map[string]bool{
		"string": n.shape == text, "array": n.shape == list, "object": n.shape == table,
		"boolean": n.shape == plain && (n.text == "true" || n.text == "false"),
		"number":  n.shape == plain && notNumber == nil, "integer": n.shape == plain && notWhole == nil,
	}
	for _, name := range types {
		if is[name] {
			return nil
		}
	}
	return fmt.Errorf("%s: %s is none of %v", path, n.describe(), types)
}

func sized(s map[string]any, n *node, path string) error {
	v, _ := strconv.ParseFloat(n.text, 64)
	for name, size := range map[string]float64{
		"Items": float64(len(n.items)), "Length": float64(len(n.text)), "Properties": float64(len(n.fields)), "imum": v,
	} {
		low, hasLow := s["min"+name].(float64)
		high, hasHigh := s["max"+name].(float64)
		if hasLow && size < low || hasHigh && size > high {
			return fmt.Errorf("%s: %v is out of range", path, size)
		}
	}
	return nil
}

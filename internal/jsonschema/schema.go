// Package jsonschema checks documents against the part of JSON schema (draft
// 2020-12) that the schemas of this house use. It is for tests: a keyword that
// it does not know is a fault, so that no rule is passed over in silence.
package jsonschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Faults lists where a document does not keep to a schema, each with the path
// to the place; none means that it does. It fails where one of the two is no
// JSON, or the schema no object.
func Faults(schema, document []byte) ([]string, error) {
	var rules map[string]any
	if err := json.Unmarshal(schema, &rules); err != nil {
		return nil, fmt.Errorf("jsonschema: the schema: %w", err)
	}
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return nil, fmt.Errorf("jsonschema: the document: %w", err)
	}
	defs, _ := rules["$defs"].(map[string]any)
	c := checker{defs: defs}
	c.check("document", rules, value)
	return c.found, nil
}

type checker struct {
	defs  map[string]any
	found []string
}

func (c *checker) complain(path, format string, args ...any) {
	c.found = append(c.found, path+": "+fmt.Sprintf(format, args...))
}

func (c *checker) check(path string, schema map[string]any, value any) {
	for keyword, rule := range schema {
		if !c.rule(path, keyword, rule, schema, value) {
			c.complain(path, "the schema's %q: %v is not understood", keyword, rule)
		}
	}
}

// rule applies one keyword and reports whether it could.
func (c *checker) rule(path, keyword string, rule any, schema map[string]any, value any) bool {
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description", "properties":
		return true
	case "const":
		if value != rule {
			c.complain(path, "%v is not %v", value, rule)
		}
		return true
	case "$ref", "type":
		name, ok := rule.(string)
		return ok && c.named(path, keyword, name, value)
	case "enum", "required":
		list, ok := rule.([]any)
		return ok && c.listed(path, keyword, list, value)
	case "minimum", "maximum":
		bound, ok := rule.(float64)
		n, isNumber := value.(float64)
		if ok && isNumber && (keyword == "minimum" && n < bound || keyword == "maximum" && n > bound) {
			c.complain(path, "%g is beyond the %s %g", n, keyword, bound)
		}
		return ok
	case "items":
		item, ok := rule.(map[string]any)
		list, _ := value.([]any)
		for i, v := range list {
			c.check(fmt.Sprintf("%s[%d]", path, i), item, v)
		}
		return ok
	case "additionalProperties":
		properties, ok := schema["properties"].(map[string]any)
		return ok && rule == false && c.members(path, properties, value)
	}
	return false
}

func (c *checker) named(path, keyword, name string, value any) bool {
	if keyword == "type" {
		if !ofType(name, value) {
			c.complain(path, "%v is no %s", value, name)
		}
		return true
	}
	def, ok := c.defs[strings.TrimPrefix(name, "#/$defs/")].(map[string]any)
	if ok {
		c.check(path, def, value)
	}
	return ok
}

func (c *checker) listed(path, keyword string, list []any, value any) bool {
	if keyword == "enum" {
		if !slices.Contains(list, value) {
			c.complain(path, "%v is none of %v", value, list)
		}
		return true
	}
	object, _ := value.(map[string]any)
	for _, entry := range list {
		name, ok := entry.(string)
		if !ok {
			return false
		}
		if _, there := object[name]; !there {
			c.complain(path, "%s is missing", name)
		}
	}
	return true
}

func (c *checker) members(path string, properties map[string]any, value any) bool {
	object, _ := value.(map[string]any)
	for name, member := range object {
		rules, ok := properties[name].(map[string]any)
		if !ok {
			c.complain(path, "%s is not in the schema", name)
			continue
		}
		c.check(path+"."+name, rules, member)
	}
	return true
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
	return name == "null" && value == nil
}

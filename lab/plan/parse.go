package plan

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a plan file: TOML if its name ends in .toml, else YAML. What the
// file does not say has its default, see [Default]; a seed that it does not
// give stays 0, see [Plan.Fill]. The plan is valid. Every error is an [*Error]
// with the place in the file; name is used in messages and not opened.
func Parse(name string, data []byte) (*Plan, error) {
	root, e := parseTree(name, data)
	if e != nil {
		return nil, e
	}
	p := Default()
	r := &reader{name: name}
	r.table("a plan", root, p.keys())
	if r.err != nil {
		return nil, r.err
	}
	if err := p.Validate(); err != nil {
		found := (*Error)(nil)
		if errors.As(err, &found) {
			at := locate(root, found.Problem)
			found.Name, found.Line, found.Column = name, at.line, at.column
		}
		return nil, err
	}
	return p, nil
}

func parseTree(name string, data []byte) (*node, *Error) {
	switch {
	case len(data) > FileBytesMax:
		return nil, &Error{Name: name, Problem: fmt.Sprintf("the file has %d bytes", len(data)), Expected: fmt.Sprintf("at most %d", FileBytesMax)}
	case !utf8.Valid(data):
		return nil, &Error{Name: name, Problem: "the file is not UTF-8", Expected: "text"}
	case strings.EqualFold(filepath.Ext(name), ".toml"):
		return parseTOML(name, data)
	}
	return parseYAML(name, data)
}

// locate finds the place that a message of [Plan.Validate] is about: it begins
// with a path such as arms[1].name.
func locate(n *node, message string) place {
	path, _, _ := strings.Cut(message, ":")
	at := n.place
	for _, part := range strings.Split(path, ".") {
		name, index, indexed := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		next := n.field(name)
		if i, err := strconv.Atoi(index); next != nil && indexed && err == nil && i < len(next.items) {
			next = next.items[i]
		}
		if next == nil {
			break
		}
		n, at = next, next.place
	}
	return at
}

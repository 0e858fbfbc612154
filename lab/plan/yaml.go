package plan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parseYAML reads one YAML document. Anchors, aliases, merge keys and tags are
// refused: a plan needs none, and they make small files large.
func parseYAML(name string, data []byte) (root *node, failed *Error) {
	b := &builder{name: name, left: valuesInFile}
	if at, deep := nesting(data); deep {
		return nil, b.fail(at, fmt.Sprintf("values lie more than %d deep", DepthMax), "", "")
	}
	// The parser meets foreign bytes; a panic in it is a file that is wrong.
	defer func() {
		if v := recover(); v != nil {
			root, failed = nil, b.fail(place{}, "the YAML cannot be read", "YAML 1.2", "")
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		at, message := place{}, strings.SplitN(err.Error(), "\n", 2)[0]
		if e := yaml.Error(nil); errors.As(err, &e) {
			at, message = tokenPlace(e.GetToken()), e.GetMessage()
		}
		return nil, b.fail(at, message, "YAML", "")
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil || d.Body.Type() == ast.CommentType || d.Body.Type() == ast.CommentGroupType {
			continue
		}
		if body != nil {
			return nil, b.fail(nodePlace(d.Body), "a second document begins", "one plan a file", "")
		}
		body = d.Body
	}
	if body == nil {
		return &node{place: place{1, 1}, shape: table}, nil
	}
	return b.yaml(body, 0)
}

// nesting looks for values that lie absurdly deep before a recursive parser
// sees them. It counts open brackets, and the marks "- ", "? " and ": " of one
// line, quotes or not: a text with so many is no loss.
func nesting(data []byte) (at place, deep bool) {
	const most = 200
	open, number := 0, 0
	for line := range bytes.Lines(data) {
		number++
		marks := 0
		for i, c := range line {
			switch {
			case c == '[' || c == '{':
				open++
			case c == ']' || c == '}':
				open = max(0, open-1)
			case (c == '-' || c == '?' || c == ':') && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
				marks++
			}
			if open > most || marks > most {
				return place{number, i + 1}, true
			}
		}
	}
	return place{}, false
}

func tokenPlace(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

func nodePlace(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return tokenPlace(m.Values[0].Key.GetToken())
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		return tokenPlace(m.Key.GetToken())
	}
	return tokenPlace(n.GetToken())
}

// yaml turns a node of the library's tree into one of ours.
func (b *builder) yaml(from ast.Node, depth int) (*node, *Error) {
	if from == nil {
		return &node{}, nil
	}
	n := &node{place: nodePlace(from)}
	if e := b.count(n.place, depth); e != nil {
		return nil, e
	}
	switch v := from.(type) {
	case *ast.NullNode:
		n.shape = empty
	case *ast.StringNode:
		n.shape, n.text = text, v.Value
	case *ast.LiteralNode:
		n.shape, n.text = text, v.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		n.shape, n.text = plain, from.GetToken().Value
	case *ast.SequenceNode:
		n.shape = list
		for _, item := range v.Values {
			child, e := b.yaml(item, depth+1)
			if e != nil {
				return nil, e
			}
			n.items = append(n.items, child)
		}
	case *ast.MappingNode:
		n.shape = table
		for _, entry := range v.Values {
			if e := b.yamlField(n, entry, depth); e != nil {
				return nil, e
			}
		}
	case *ast.MappingValueNode:
		n.shape = table
		return n, b.yamlField(n, v, depth)
	default:
		return nil, b.fail(n.place, fmt.Sprintf("a plan has no use for %s", strings.ToLower(from.Type().YAMLName())), "plain values, lists and tables", "write the values out")
	}
	return n, nil
}

func (b *builder) yamlField(n *node, entry *ast.MappingValueNode, depth int) *Error {
	at := tokenPlace(entry.Key.GetToken())
	name := ""
	switch key := entry.Key.(type) {
	case *ast.StringNode:
		name = key.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		name = entry.Key.GetToken().Value
	default:
		return b.fail(at, "this cannot be a name", "a word before the colon", "")
	}
	value, e := b.yaml(entry.Value, depth+1)
	if e != nil {
		return e
	}
	if value.place == (place{}) {
		value.place = at
	}
	return b.add(n, field{place: at, name: name, value: value})
}

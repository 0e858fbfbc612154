package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads a TOML document. The library decodes it once, which finds
// every mistake of the form with its place; then its parser goes over it again
// for the places of the values.
func parseTOML(name string, data []byte) (*node, *Error) {
	b := &tomlBuilder{builder: builder{name: name, left: valuesInFile}}
	if at, deep := nesting(data); deep {
		return nil, b.fail(at, fmt.Sprintf("values lie more than %d deep", DepthMax), "", "")
	}
	var any map[string]any
	if err := toml.Unmarshal(data, &any); err != nil {
		at := place{}
		if e := (*toml.DecodeError)(nil); errors.As(err, &e) {
			at.line, at.column = e.Position()
		}
		return nil, b.fail(at, strings.TrimPrefix(err.Error(), "toml: "), "TOML", "")
	}
	root := &node{place: place{1, 1}, shape: table}
	b.current = root
	b.parser.Reset(data)
	for b.parser.NextExpression() {
		if e := b.expression(root, b.parser.Expression()); e != nil {
			return nil, e
		}
	}
	if err := b.parser.Error(); err != nil {
		return nil, b.fail(place{}, err.Error(), "TOML", "")
	}
	return root, nil
}

type tomlBuilder struct {
	builder
	parser  unstable.Parser
	current *node // the table that key-value lines go into
}

func (b *tomlBuilder) place(n *unstable.Node, otherwise place) place {
	if n.Raw.Length == 0 {
		return otherwise
	}
	start := b.parser.Shape(n.Raw).Start
	return place{start.Line, start.Column}
}

func (b *tomlBuilder) expression(root *node, e *unstable.Node) *Error {
	switch e.Kind {
	case unstable.KeyValue:
		return b.keyValue(b.current, e, 0)
	case unstable.Table, unstable.ArrayTable:
		into := root
		keys := e.Key()
		for depth := 1; keys.Next(); depth++ {
			next, failed := b.enter(into, keys.Node(), depth, e.Kind == unstable.ArrayTable && keys.IsLast())
			if failed != nil {
				return failed
			}
			into = next
		}
		b.current = into
	}
	return nil
}

// enter goes into the table of a name, or makes it; with another, the table is
// the next of a list.
func (b *tomlBuilder) enter(n *node, key *unstable.Node, depth int, another bool) (*node, *Error) {
	at := b.place(key, n.place)
	child := n.field(string(key.Data))
	made := &node{place: at, shape: table}
	switch {
	case child == nil && another:
		child = &node{place: at, shape: list}
		if e := b.add(n, field{at, string(key.Data), child}); e != nil {
			return nil, e
		}
	case child == nil:
		if e := b.count(at, depth); e != nil {
			return nil, e
		}
		return made, b.add(n, field{at, string(key.Data), made})
	}
	switch {
	case child.shape == list && another:
		if e := b.count(at, depth); e != nil {
			return nil, e
		}
		child.items = append(child.items, made)
		return made, nil
	case child.shape == list && len(child.items) > 0 && child.items[len(child.items)-1].shape == table:
		return child.items[len(child.items)-1], nil
	case child.shape == table && !another:
		return child, nil
	}
	return nil, b.fail(at, fmt.Sprintf("%q is something else already", clip(string(key.Data))), "a table", "")
}

func (b *tomlBuilder) keyValue(into *node, kv *unstable.Node, depth int) *Error {
	keys := kv.Key()
	for keys.Next() {
		depth++
		if !keys.IsLast() {
			next, e := b.enter(into, keys.Node(), depth, false)
			if e != nil {
				return e
			}
			into = next
			continue
		}
		at := b.place(keys.Node(), into.place)
		value, e := b.value(kv.Value(), at, depth)
		if e != nil {
			return e
		}
		return b.add(into, field{at, string(keys.Node().Data), value})
	}
	return nil
}

func (b *tomlBuilder) value(v *unstable.Node, key place, depth int) (*node, *Error) {
	n := &node{place: b.place(v, key)}
	if e := b.count(n.place, depth); e != nil {
		return nil, e
	}
	switch v.Kind {
	case unstable.String:
		n.shape, n.text = text, string(v.Data)
	case unstable.Array:
		n.shape = list
		for items := v.Children(); items.Next(); {
			if items.Node().Kind == unstable.Comment {
				continue
			}
			item, e := b.value(items.Node(), n.place, depth+1)
			if e != nil {
				return nil, e
			}
			n.items = append(n.items, item)
		}
	case unstable.InlineTable:
		n.shape = table
		for entries := v.Children(); entries.Next(); {
			if entries.Node().Kind != unstable.KeyValue {
				continue
			}
			if e := b.keyValue(n, entries.Node(), depth); e != nil {
				return nil, e
			}
		}
	case unstable.Integer, unstable.Float:
		n.shape, n.text = plain, strings.ReplaceAll(string(v.Data), "_", "")
	default:
		n.shape, n.text = plain, string(v.Data)
	}
	return n, nil
}

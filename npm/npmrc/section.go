package npmrc

import (
	"strings"

	"weft/internal/jsonval"
)

// node is a value of a section: a section of its own, or a leaf.
type node struct {
	section *section
	leaf    jsonval.Value
	list    []jsonval.Value // the leaf, while it is a list that may grow
	isList  bool
}

// section is an ini section while it is being read.
type section struct {
	order []string
	nodes map[string]node
}

func newSection() *section { return &section{nodes: map[string]node{}} }

// sectionOf opens an object that was written as JSON, so that keys can be added.
func sectionOf(v jsonval.Value) *section {
	s := newSection()
	for _, m := range v.Members() {
		s.set(m.Key, node{leaf: m.Value})
	}
	return s
}

func (s *section) get(key string) (node, bool) {
	n, ok := s.nodes[key]
	if n.isList {
		n.leaf = jsonval.OfArray(n.list...)
	}
	return n, ok
}

func (s *section) set(key string, n node) {
	if _, found := s.nodes[key]; !found {
		s.order = append(s.order, key)
	}
	s.nodes[key] = n
}

func (s *section) remove(key string) { delete(s.nodes, key) }

// keys gives the keys that are there now, in order.
func (s *section) keys() []string {
	keys := make([]string, 0, len(s.nodes))
	for _, key := range s.order {
		if _, found := s.nodes[key]; found {
			keys = append(keys, key)
		}
	}
	return keys
}

// assign sets a key, or adds to it where it is a list already or to be one.
func (s *section) assign(key string, value jsonval.Value, toList bool) {
	n, found := s.nodes[key]
	if found && !n.isList && n.leaf.Kind() == jsonval.Array && n.section == nil {
		n = node{isList: true, list: append([]jsonval.Value(nil), n.leaf.Elems()...)}
	}
	switch {
	case n.isList:
		n.list = append(n.list, value)
	case !toList:
		n = node{leaf: value}
	case !found:
		n = node{isList: true, list: []jsonval.Value{value}}
	default:
		old := n.leaf
		if n.section != nil {
			old = n.section.value()
		}
		n = node{isList: true, list: []jsonval.Value{old, value}}
	}
	s.set(key, n)
}

// child gives the section under a key, making one where there is none.
func (s *section) child(key string) *section {
	n, found := s.get(key)
	if found && n.section != nil {
		return n.section
	}
	child := newSection()
	if found && n.leaf.Kind() == jsonval.Object {
		child = sectionOf(n.leaf)
	}
	s.set(key, node{section: child})
	return child
}

func (s *section) value() jsonval.Value {
	members := make([]jsonval.Member, 0, len(s.nodes))
	for _, key := range s.keys() {
		n, _ := s.get(key)
		v := n.leaf
		if n.section != nil {
			v = n.section.value()
		}
		members = append(members, jsonval.Member{Key: key, Value: v})
	}
	return jsonval.OfObject(members...)
}

// trimJS drops white space at both ends as String.prototype.trim does.
func trimJS(s string) string { return strings.TrimFunc(s, isSpaceJS) }

func isSpaceJS(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// jsText is a value turned to text as JavaScript's String does.
func jsText(v jsonval.Value) string {
	switch v.Kind() {
	case jsonval.String:
		s, _ := v.Str()
		return s
	case jsonval.Array:
		parts := make([]string, 0, v.Len())
		for _, elem := range v.Elems() {
			if elem.IsNull() {
				parts = append(parts, "")
				continue
			}
			parts = append(parts, jsText(elem))
		}
		return strings.Join(parts, ",")
	case jsonval.Object:
		return "[object Object]"
	}
	return string(jsonval.AppendJSON(nil, v, "", ""))
}

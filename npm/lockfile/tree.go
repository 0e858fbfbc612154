package lockfile

import (
	"slices"
	"strconv"

	"weft/internal/jsonval"
)

// tree is a JSON value that can be changed, for merging. Exactly one of its three forms is in use:
// an object (keys and kids), an array (elems, where nil is a hole), or a leaf.
type tree struct {
	kind  jsonval.Kind
	leaf  jsonval.Value
	keys  []string
	kids  map[string]*tree
	elems []*tree
}

func growTree(v jsonval.Value) *tree {
	t := &tree{kind: v.Kind()}
	switch t.kind {
	case jsonval.Object:
		t.kids = make(map[string]*tree, v.Len())
		for _, m := range v.Members() {
			t.keys = append(t.keys, m.Key)
			t.kids[m.Key] = growTree(m.Value)
		}
	case jsonval.Array:
		for _, e := range v.Elems() {
			t.elems = append(t.elems, growTree(e))
		}
	default:
		t.leaf = v
	}
	return t
}

func (t *tree) value() jsonval.Value {
	if t == nil {
		return jsonval.Value{}
	}
	switch t.kind {
	case jsonval.Object:
		members := make([]jsonval.Member, len(t.keys))
		for i, key := range t.keys {
			members[i] = jsonval.Member{Key: key, Value: t.kids[key].value()}
		}
		return jsonval.OfObject(members...)
	case jsonval.Array:
		elems := make([]jsonval.Value, len(t.elems))
		for i, e := range t.elems {
			elems[i] = e.value()
		}
		return jsonval.OfArray(elems...)
	}
	return t.leaf
}

func (t *tree) isContainer() bool {
	return t != nil && (t.kind == jsonval.Object || t.kind == jsonval.Array)
}

// get returns what a key or an index leads to, nil if that is nothing.
func (t *tree) get(key string) *tree {
	switch t.kind {
	case jsonval.Object:
		return t.kids[key]
	case jsonval.Array:
		if i, ok := t.at(key); ok && i < len(t.elems) {
			return t.elems[i]
		}
	}
	return nil
}

// set puts a value at a key or an index. It reports false where it cannot: in a leaf, or at a name
// in an array.
func (t *tree) set(key string, v *tree) bool {
	switch t.kind {
	case jsonval.Object:
		if _, ok := t.kids[key]; !ok {
			t.keys = append(t.keys, key)
		}
		t.kids[key] = v
		return true
	case jsonval.Array:
		i, ok := t.at(key)
		if !ok || i > len(t.elems)+arrayGap {
			return false
		}
		for i >= len(t.elems) {
			t.elems = append(t.elems, nil)
		}
		t.elems[i] = v
		return true
	}
	return false
}

// arrayGap is how far behind an array's end an element may be set; the two sides of a conflict can
// disagree about its length.
const arrayGap = 1000

// remove takes out a key or an index and reports whether it was there.
func (t *tree) remove(key string) bool {
	switch t.kind {
	case jsonval.Object:
		if _, ok := t.kids[key]; !ok {
			return false
		}
		delete(t.kids, key)
		t.keys = slices.DeleteFunc(t.keys, func(k string) bool { return k == key })
		return true
	case jsonval.Array:
		i, ok := t.at(key)
		if !ok || i >= len(t.elems) {
			return false
		}
		t.elems = slices.Delete(t.elems, i, i+1)
		return true
	}
	return false
}

// at reads an index; ok is false for what is none.
func (t *tree) at(key string) (int, bool) {
	i, ok := jsonval.IndexKey(key)
	return int(i), ok
}

// list names the keys or indices in order.
func (t *tree) list() []string {
	if t.kind == jsonval.Object {
		return t.keys
	}
	keys := make([]string, len(t.elems))
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return keys
}

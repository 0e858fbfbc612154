package lockfile

import (
	"slices"
	"strconv"
	"unicode/utf16"

	"weft/internal/jsonval"
)

// tree is a JSON value that can be changed, for merging. Exactly one of its three forms is in use:
// an object (keys and kids), an array (elems, where nil is a hole; kids for names, which are not
// written), or a leaf. Trees may share parts, as objects do in JavaScript, and npm's results depend
// on that.
type tree struct {
	kind  jsonval.Kind
	leaf  jsonval.Value
	keys  []string
	kids  map[string]*tree
	elems []*tree
}

// undefined is what JavaScript has where there is no value. An object's member may be undefined: it is
// there and is not written.
var undefined = &tree{}

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
		members := make([]jsonval.Member, 0, len(t.keys))
		for _, key := range t.keys {
			if kid := t.kids[key]; kid != undefined {
				members = append(members, jsonval.Member{Key: key, Value: kid.value()})
			}
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
		i, ok := t.at(key)
		switch {
		case !ok:
			return t.kids[key]
		case i < len(t.elems):
			return t.elems[i]
		}
	case jsonval.String:
		// A string's characters are its own properties, which nobody can change.
		s, _ := t.leaf.Str()
		if i, ok := t.at(key); ok && i < len(utf16.Encode([]rune(s))) {
			return undefined
		}
	}
	return nil
}

// set puts a value at a key or an index. It reports false where JavaScript throws. Setting something
// in a string, number or boolean has no effect and is no error.
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
		if !ok {
			if t.kids == nil {
				t.kids = map[string]*tree{}
			}
			t.kids[key] = v
			return true
		}
		if i > len(t.elems)+arrayGap {
			return false
		}
		for i >= len(t.elems) {
			t.elems = append(t.elems, nil)
		}
		t.elems[i] = v
		return true
	}
	return t.kind != jsonval.Null
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
		if !ok || i >= len(t.elems) || t.elems[i] == nil {
			_, ok := t.kids[key]
			delete(t.kids, key)
			return ok
		}
		t.elems = slices.Delete(t.elems, i, i+1)
		return true
	}
	return t.get(key) != nil
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

package lockfile

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf16"

	"weft/internal/jsonval"
)

// tree is a JSON value that can be changed, for merging. Exactly one of its three forms is in use:
// an object (kids), an array (elems, where nil is a hole; kids for names, which are not
// written), or a leaf. Trees may share parts, as objects do in JavaScript, and npm's results depend
// on that.
type tree struct {
	kind  jsonval.Kind
	leaf  jsonval.Value
	kids  map[string]kid
	last  int // the rank of the youngest kid
	elems []*tree
}

// kid is a member of an object; members stand by rank, the order in which they came.
type kid struct {
	*tree
	rank int
}

// undefined is what JavaScript has where there is no value. An object's member may be undefined: it is
// there and is not written.
var undefined = &tree{}

func growTree(v jsonval.Value) *tree {
	t := &tree{kind: v.Kind()}
	switch t.kind {
	case jsonval.Object:
		t.kids = make(map[string]kid, v.Len())
		for _, m := range v.Members() {
			t.setKid(m.Key, growTree(m.Value))
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
		members := make([]jsonval.Member, 0, len(t.kids))
		for _, key := range t.list() {
			if kid := t.kids[key].tree; kid != undefined {
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
		return t.kids[key].tree
	case jsonval.Array:
		i, ok := t.at(key)
		switch {
		case !ok:
			return t.kids[key].tree
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
		t.setKid(key, v)
		return true
	case jsonval.Array:
		i, ok := t.at(key)
		if !ok {
			t.setKid(key, v)
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

func (t *tree) setKid(key string, v *tree) {
	rank := t.kids[key].rank
	if rank == 0 {
		t.last++
		rank = t.last
	}
	if t.kids == nil {
		t.kids = map[string]kid{}
	}
	t.kids[key] = kid{v, rank}
}

// arrayGap is how far behind an array's end an element may be set; the two sides of a conflict can
// disagree about its length.
const arrayGap = 1000

// remove takes out a key or an index and reports whether it was there.
func (t *tree) remove(key string) bool {
	switch t.kind {
	case jsonval.Object:
		_, ok := t.kids[key]
		delete(t.kids, key)
		return ok
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
		return slices.SortedFunc(maps.Keys(t.kids), func(a, b string) int { return t.kids[a].rank - t.kids[b].rank })
	}
	keys := make([]string, len(t.elems))
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return keys
}

package jsonval

import "strconv"

// Kind is the type of a [Value].
type Kind uint8

// The kinds of values. The zero Kind is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind in lower case, for messages.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is one JSON value. It is immutable, small, and safe for concurrent use; the zero Value is
// null. A Value taken from a document keeps that document's text alive.
type Value struct {
	kind Kind
	// text is the string itself, "true" or "false", or the number as JavaScript's String() gives
	// it, but for minus zero, which is "-0", and NaN, which JSON cannot express.
	text string
	node *node // arrays and objects only
}

// node holds what an array or object contains.
type node struct {
	elems   []Value
	members []Member
	index   []uint32 // see object.go; nil for small objects
}

// Member is one key of an object and its value.
type Member struct {
	Key   string
	Value Value
}

// OfBool returns the value of a boolean.
func OfBool(b bool) Value {
	if b {
		return Value{kind: Bool, text: "true"}
	}
	return Value{kind: Bool, text: "false"}
}

// OfString returns the value of a string, which is UTF-8 or WTF-8.
func OfString(s string) Value { return Value{kind: String, text: s} }

// OfNumber returns the value of a number. NaN and the infinities may be held; they are written as
// null, as JSON.stringify does.
func OfNumber(f float64) Value { return Value{kind: Number, text: formatNumber(f)} }

// OfArray returns an array of the elements, which the caller must not change afterwards.
func OfArray(elems ...Value) Value {
	return Value{kind: Array, node: &node{elems: elems}}
}

// OfStrings returns an array of strings.
func OfStrings(list ...string) Value {
	elems := make([]Value, len(list))
	for i, s := range list {
		elems[i] = OfString(s)
	}
	return OfArray(elems...)
}

// OfObject returns an object of the members, put into JavaScript's own-key order: integer-like
// keys first and ascending, the rest as given; of a key given twice, the first place and the last
// value count. The members are copied.
func OfObject(members ...Member) Value {
	var b objectBuilder
	own := make([]Member, 0, len(members))
	for _, m := range members {
		own = b.set(own, m.Key, m.Value)
	}
	return Value{kind: Object, node: b.node(own)}
}

// Kind tells the value's type.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether the value is null or the zero Value.
func (v Value) IsNull() bool { return v.kind == Null }

// Str returns the text of a string; ok is false for any other kind.
func (v Value) Str() (s string, ok bool) {
	if v.kind != String {
		return "", false
	}
	return v.text, true
}

// Bool returns a boolean; ok is false for any other kind.
func (v Value) Bool() (b, ok bool) {
	return v.kind == Bool && v.text == "true", v.kind == Bool
}

// Num returns a number; ok is false for any other kind.
func (v Value) Num() (f float64, ok bool) {
	if v.kind != Number {
		return 0, false
	}
	f, _ = strconv.ParseFloat(v.text, 64) // an overflow gives the infinity that JavaScript has too
	return f, true
}

// NumText returns a number as JavaScript's String() writes it, and "" for any other kind.
func (v Value) NumText() string {
	if v.kind != Number {
		return ""
	}
	if v.text == "-0" {
		return "0"
	}
	return v.text
}

// Elems returns an array's elements, nil for any other kind. The slice must not be changed.
func (v Value) Elems() []Value {
	if v.kind != Array {
		return nil
	}
	return v.node.elems
}

// Members returns an object's members in JavaScript's own-key order, nil for any other kind. The
// slice must not be changed.
func (v Value) Members() []Member {
	if v.kind != Object {
		return nil
	}
	return v.node.members
}

// Len is the number of elements or members, 0 for the other kinds.
func (v Value) Len() int {
	if v.node == nil {
		return 0
	}
	return len(v.node.elems) + len(v.node.members)
}

// Get returns the value of an object's own key. For a missing key, or a value that is no object,
// it returns null and false. Unlike JavaScript it knows no inherited names: "constructor" is a key
// like any other.
func (v Value) Get(key string) (Value, bool) {
	if v.kind != Object {
		return Value{}, false
	}
	i := v.node.find(key)
	if i < 0 {
		return Value{}, false
	}
	return v.node.members[i].Value, true
}

// Truthy reports whether JavaScript takes the value for true: all but null, false, zero, NaN and
// the empty string.
func (v Value) Truthy() bool {
	switch v.kind {
	case Bool:
		return v.text == "true"
	case Number:
		return v.text != "0" && v.text != "-0" && v.text != "NaN"
	case String:
		return v.text != ""
	case Array, Object:
		return true
	}
	return false
}

// Equal reports whether both values are written alike: the same kinds, texts and elements, and
// the same members in the same order.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind || v.text != w.text {
		return false
	}
	if v.node == nil {
		return true
	}
	if len(v.node.elems) != len(w.node.elems) || len(v.node.members) != len(w.node.members) {
		return false
	}
	for i, e := range v.node.elems {
		if !e.Equal(w.node.elems[i]) {
			return false
		}
	}
	for i, m := range v.node.members {
		if n := w.node.members[i]; m.Key != n.Key || !m.Value.Equal(n.Value) {
			return false
		}
	}
	return true
}

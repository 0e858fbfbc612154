package plan

import "fmt"

// shape is what a value of a plan file looks like.
type shape int

const (
	empty shape = iota // null
	plain              // a number, true, false, a date: unquoted, but for YAML's texts
	text               // a string
	list
	table
)

func (s shape) String() string {
	return [...]string{"nothing", "a number or a plain word", "text", "a list", "a table of names and values"}[s]
}

// place is where something stands in a file, from 1.
type place struct{ line, column int }

// node is a value of a plan file with its place; YAML and TOML both become
// this.
type node struct {
	place
	shape  shape
	text   string // of plain and text, without quotes
	items  []*node
	fields []field
}

// field is an entry of a table.
type field struct {
	place
	name  string
	value *node
}

func (n *node) field(name string) *node {
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// builder makes a tree and keeps to the limits.
type builder struct {
	name string // of the file
	left int    // how many more values are allowed
}

// valuesInFile bounds the values of a file, so that no form can blow up.
const valuesInFile = 50_000

func (b *builder) fail(at place, problem, expected, hint string) *Error {
	return &Error{Name: b.name, Line: at.line, Column: at.column, Problem: problem, Expected: expected, Hint: hint}
}

// count allows one more value at a depth.
func (b *builder) count(at place, depth int) *Error {
	b.left--
	if b.left < 0 {
		return b.fail(at, fmt.Sprintf("there are more than %d values", valuesInFile), "", "")
	}
	if depth > DepthMax {
		return b.fail(at, fmt.Sprintf("values lie more than %d deep", DepthMax), "", "")
	}
	return nil
}

// add puts a field into a table, which must not have one of that name.
func (b *builder) add(n *node, f field) *Error {
	for _, have := range n.fields {
		if have.name == f.name {
			return b.fail(f.place, fmt.Sprintf("%q is there twice", clip(f.name)), "each name once", fmt.Sprintf("the first is on line %d", have.line))
		}
	}
	n.fields = append(n.fields, f)
	return nil
}

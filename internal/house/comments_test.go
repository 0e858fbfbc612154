package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// undocumented finds packages without a comment that introduces them: it
// begins "Package x" or, for programs, "Command x", and stands in one file.
func undocumented(files []*source) []string {
	type pkg struct {
		name string
		docs []string
	}
	packages := map[string]*pkg{}
	for _, s := range files {
		if s.test() {
			continue
		}
		p := packages[s.dir]
		if p == nil {
			p = &pkg{name: s.ast.Name.Name}
			packages[s.dir] = p
		}
		if s.ast.Doc != nil {
			p.docs = append(p.docs, s.ast.Doc.Text())
		}
	}
	var found []string
	for dir, p := range packages {
		opening := "Package " + p.name + " "
		if p.name == "main" {
			opening = "Command "
		}
		switch {
		case len(p.docs) == 0:
			found = append(found, dir+": the package has no comment")
		case len(p.docs) > 1:
			found = append(found, fmt.Sprintf("%s: %d files have a package comment", dir, len(p.docs)))
		case !strings.HasPrefix(p.docs[0], opening):
			found = append(found, fmt.Sprintf("%s: the package comment does not begin %q", dir, opening))
		}
	}
	return found
}

// implied methods are those of well-known interfaces, whose comment is there.
var implied = []string{
	"Error", "Unwrap", "Is", "As", "String", "Format", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"Len", "Less", "Swap", "Push", "Pop", "Read", "Write", "ServeHTTP", "RoundTrip", "Deadline", "Done", "Err", "Value",
}

// bare finds exported names of a file that have no comment. A comment on a
// group of constants or variables covers the group.
func bare(s *source) []string {
	if s.test() || s.ast.Name.Name == "main" {
		return nil
	}
	var found []string
	note := func(name string) { found = append(found, fmt.Sprintf("%s: %s has no comment", s.path, name)) }
	for _, decl := range s.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if name, counts := exportedFunc(d); counts && d.Doc == nil {
				note(name)
			}
		case *ast.GenDecl:
			for _, name := range bareSpecs(d) {
				note(name)
			}
		}
	}
	return found
}

func exportedFunc(d *ast.FuncDecl) (name string, counts bool) {
	if !d.Name.IsExported() {
		return "", false
	}
	if d.Recv == nil {
		return d.Name.Name, true
	}
	owner := receiver(d.Recv.List[0].Type)
	return owner + "." + d.Name.Name, ast.IsExported(owner) && !slices.Contains(implied, d.Name.Name)
}

func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	default:
		return ""
	}
}

func bareSpecs(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		switch x := spec.(type) {
		case *ast.TypeSpec:
			if x.Name.IsExported() && x.Doc == nil && x.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
				names = append(names, x.Name.Name)
			}
		case *ast.ValueSpec:
			if d.Doc != nil || x.Doc != nil || x.Comment != nil || d.Tok == token.IMPORT {
				continue
			}
			for _, name := range x.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

func TestComments(t *testing.T) {
	r := theRepo(t)
	found := undocumented(r.gos)
	for _, s := range r.gos {
		found = append(found, bare(s)...)
	}
	complain(t, found)
}

func TestUndocumentedFinds(t *testing.T) {
	files := []*source{
		snippet(t, "a/a.go", "package a\n"),
		snippet(t, "b/b.go", "// Package b is.\npackage b\n"),
		snippet(t, "c/c.go", "// Something else.\npackage c\n"),
		snippet(t, "d/d.go", "// Package d is.\npackage d\n"),
		snippet(t, "d/e.go", "// Package d is.\npackage d\n"),
		snippet(t, "f/main.go", "// Command f does.\npackage main\n"),
		snippet(t, "g/main.go", "// Package main does.\npackage main\n"),
		snippet(t, "h/h_test.go", "package h\n"),
	}
	got := undocumented(files)
	slices.Sort(got)
	want := []string{
		"a: the package has no comment",
		`c: the package comment does not begin "Package c "`,
		"d: 2 files have a package comment",
		`g: the package comment does not begin "Command "`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestBareFinds(t *testing.T) {
	const text = `package a
func Bare() {}
// Covered is.
func Covered() {}
func inner() {}
type T struct{}
func (T) Method() {}
func (*T) Error() string { return "" }
type hidden struct{}
func (hidden) Method() {}
type G[K any] struct{} // G is.
func (g *G[K]) Method() {}
// Group.
const (
	A = 1
	B = 2
)
const (
	C = 1
	// D is.
	D = 2
	E = 3 // E is.
)
var V, w int
// Group.
type (
	U int
)
`
	var got []string
	for _, f := range bare(snippet(t, "a/a.go", text)) {
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(f, "a/a.go: "), " has no comment"))
	}
	if want := []string{"Bare", "T", "T.Method", "G.Method", "C", "V", "U"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := bare(snippet(t, "a/main.go", strings.Replace(text, "package a", "package main", 1))); got != nil {
		t.Errorf("a program's names: %q", got)
	}
}

package resolve

import (
	"slices"
	"testing"
)

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"packages/*", "packages/a", true},
		{"packages/*", "packages/a/b", false},
		{"packages/*", "packages/.a", false},
		{"packages/.*", "packages/.a", true},
		{"packages/**", "packages/a/b", true},
		{"packages/**", "packages", true},
		{"**/x", "a/b/x", true},
		{"**/x", "a/.b/x", false},
		{"p{a,b{c,d}}/x", "pbd/x", true},
		{"p{a,b{c,d}}/x", "pb/x", false},
		{"{one}", "{one}", true},
		{"a?[b-d]", "axc", true},
		{"a[", "a[", false},
	} {
		if got := globMatch(tt.pattern, tt.name); got != tt.want {
			t.Errorf("globMatch(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}

func TestWorkspacePatterns(t *testing.T) {
	for _, tt := range []struct{ field, include, exclude []string }{
		{[]string{"./a/*", "/b"}, []string{"a/*", "b"}, nil},
		{[]string{"a/*", "!a/x", "!!c"}, []string{"a/*", "c"}, []string{"a/x"}},
		{[]string{"a/**", "!a/b/**", "a/b/c"}, []string{"a/**", "a/b/c"}, nil},
		{[]string{"a", "!a"}, nil, []string{"a"}},
		{[]string{".github/*", "!./a"}, []string{".github/*"}, []string{"a"}},
	} {
		include, exclude := workspacePatterns(tt.field)
		if !slices.Equal(include, tt.include) || !slices.Equal(exclude, tt.exclude) {
			t.Errorf("%v: %v and %v", tt.field, include, exclude)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("packages/{a,b}/**", "packages/a/b")
	f.Add("{{,},{{", "x")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) < 60 && len(name) < 60 {
			globMatch(pattern, name) // ends, and does not panic
		}
	})
}

package spec

import (
	"errors"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		want       error
	}{
		{"foo/bar/baz", "1", ErrName},
		{".foo", "1", ErrName},
		{"foo", "a b", ErrTag},
		{"foo", "gopher://host/x", ErrProtocol},
		{"foo", "http://", ErrURL},
		{"foo", "npm:bar@npm:baz", ErrAlias},
		{"foo", "npm:user/repo", ErrAlias},
		{"foo", "npm:", ErrAlias},
		{"foo", "user/repo#a::b", ErrGit},
		{"foo", "user/repo#semver:%25zz", ErrGit},
		{"foo", strings.Repeat("x", MaxLength), ErrTooLong},
	} {
		_, err := Resolve(c.name, c.spec, "/")
		if !errors.Is(err, c.want) || len(err.Error()) > 1000 {
			t.Errorf("%s@%.20s: error %v, want %v", c.name, c.spec, err, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"lodash": "publishable", "@a/b": "publishable", "http": "old", "Lodash": "old", "a(b)": "old",
		"node_modules": "", "": "", " a": "", "a/b": "", "@/b": "", "@a/.b": "", "ä": "", "@a/b/c": "", "-a": "",
	} {
		r := CheckName(name)
		got := ""
		if r.Publishable() {
			got = "publishable"
		} else if r.Usable() {
			got = "old"
		}
		if got != want || r.Usable() != UsableName(name) {
			t.Errorf("%q is %q, want %q (%v, %v)", name, got, want, r.Errors, r.Warnings)
		}
	}
}

func TestAllocations(t *testing.T) {
	for spec, most := range map[string]float64{"^1.2.3": 2, "4.17.21": 1, "latest": 5} {
		name := "lodash"
		if got := testing.AllocsPerRun(100, func() { _, _ = Resolve(name, spec, "/") }); got > most {
			t.Errorf("%s: %v allocations, want at most %v", spec, got, most)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"foo@^1", "@a/b@npm:c@1", "git@github.com:a/b#semver:^1::path:x", "file:///../~/x.tgz", "a/b#c/d", "http://[::1]:9/%2e%2e/x?#y", "C:\\x", "git+file://c:\\x#y", "::", "git+ssh://a:1/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		s, err := Parse(arg, "/test/a/b")
		if err != nil {
			return
		}
		if s.Type == Alias && (s.Sub == nil || !s.Sub.Registry()) {
			t.Fatalf("%q: an alias of %+v", arg, s.Sub)
		}
		if s.Name != "" && !CheckName(s.Name).Usable() {
			t.Fatalf("%q: the name %q passed", arg, s.Name)
		}
		if (s.Type == File || s.Type == Directory) != (s.Where != "") {
			t.Fatalf("%q: type %v, where %q", arg, s.Type, s.Where)
		}
		again, err := Resolve(s.Name, s.RawSpec, "/test/a/b")
		if err != nil || again.Type != s.Type || again.FetchSpec != s.FetchSpec {
			t.Fatalf("%q: reads as %+v, its parts as %+v, %v", arg, s, again, err)
		}
	})
}

func FuzzParseHosted(f *testing.F) {
	for _, s := range []string{"github:a/b#c", "git@gitlab.com:a/b/c.git", "https://github.com/a/b/tree/x", "gist:1", "https://u:p@bitbucket.org/a/b.git#%20", "git.sr.ht:~a/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, ok := ParseHosted(s)
		if !ok {
			return
		}
		if h.Tarball() == "" || h.String() == "" || strings.HasSuffix(h.cloneAddress(), "#") {
			t.Fatalf("%q: %+v", s, h)
		}
		for _, form := range []Form{FormHTTPS, FormSSHURL} {
			if again, ok := ParseHosted(h.Address(form)); ok && again.Host != h.Host {
				t.Fatalf("%q: %s is at %s, not %s", s, h.Address(form), again.Host, h.Host)
			}
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	for _, spec := range []string{"^1.2.3", "4.17.21", "latest", "npm:other@^1", "github:a/b#v1", "file:../x"} {
		b.Run(spec, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Resolve("lodash", spec, "/test")
			}
		})
	}
}

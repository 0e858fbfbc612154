package resolve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/jsonval"
	"weft/npm/manifest"
	"weft/npm/packument"
)

func mustManifest(t *testing.T, text string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// locations lists what a tree holds: location@version and flags.
func locations(tr *Tree) string {
	var out []string
	for _, n := range tr.Nodes() {
		if n.IsRoot() {
			continue
		}
		line := n.Location() + "@" + n.Version()
		if n.InBundle() {
			line += " bundled"
		}
		if n.Inert {
			line += " inert"
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func resolveWith(t *testing.T, root string, s Source) *Tree {
	t.Helper()
	r, err := Ideal(context.Background(), Options{Dir: t.TempDir(), Manifest: mustManifest(t, root), Target: node20, Source: s, UnpackBundles: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Tree
}

// What a package bundles is read from its tarball, at any depth, and what that
// needs beyond it is placed.
func TestBundle(t *testing.T) {
	reg := readPackages(t, `bundler@1.0.0 {"dependencies":{"inner":"1.0.0","leaf":"1"},"bundleDependencies":["inner"]}
leaf@1.0.0 {}
plain@1.1.0 {}
`)
	s := &memorySource{registry: reg, unpacked: func(name, resolved string) (Unpacked, error) {
		if name != "bundler" {
			return Unpacked{}, fmt.Errorf("asked for %s", name)
		}
		return Unpacked{Files: fstest.MapFS{
			"package.json":                            {Data: []byte(`{}`)},
			"node_modules/inner/package.json":         {Data: []byte(`{"name":"inner","version":"1.0.0","dependencies":{"plain":"1.1.0","@s/deep":"*"}}`)},
			"node_modules/@s/deep/package.json":       {Data: []byte(`{"name":"@s/deep","version":"3.0.0","optionalDependencies":{"none":"*"}}`)},
			"node_modules/.bin/x":                     {Data: []byte(`x`)},
			"node_modules/inner/node_modules/x.txt":   {Data: []byte(`x`)},
			"node_modules/inner/node_modules/y/z.txt": {Data: []byte(`no package`)},
		}}, nil
	}}
	tr := resolveWith(t, `{"dependencies":{"bundler":"*"}}`, s)
	want := `node_modules/bundler@1.0.0
node_modules/leaf@1.0.0
node_modules/bundler/node_modules/@s/deep@3.0.0 bundled
node_modules/bundler/node_modules/inner@1.0.0 bundled
node_modules/plain@1.1.0`
	if got := locations(tr); !sameLines(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if e := tr.Lockfile(LockOptions{}).Packages.Get("node_modules/bundler/node_modules/inner"); e == nil || !e.InBundle || e.Resolved != "" {
		t.Errorf("entry of a bundled package: %+v", e)
	}
}

func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	seen := map[string]int{}
	for _, l := range x {
		seen[l]++
	}
	for _, l := range y {
		seen[l]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return true
}

// A package with a shrinkwrap of its own brings the tree below itself.
func TestShrinkwrapInside(t *testing.T) {
	reg := readPackages(t, `w@1.0.0 {"dependencies":{"leaf":"^1.0.0"},"_hasShrinkwrap":true}
leaf@1.0.0 {}
leaf@1.5.0 {}
`)
	s := &memorySource{registry: reg, unpacked: func(name, resolved string) (Unpacked, error) {
		return Unpacked{Files: fstest.MapFS{"npm-shrinkwrap.json": {Data: []byte(
			`{"lockfileVersion":3,"packages":{"":{"dependencies":{"leaf":"^1.0.0"}},"node_modules/leaf":{"version":"1.0.0","resolved":"https://tarballs.test/l.tgz"}}}`)}}}, nil
	}}
	tr := resolveWith(t, `{"dependencies":{"w":"*"}}`, s)
	if got, want := locations(tr), "node_modules/w@1.0.0\nnode_modules/w/node_modules/leaf@1.0.0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A tarball at an address is known by what is in it, and lies under the name that
// the dependent gives it.
func TestRemoteTarball(t *testing.T) {
	s := &memorySource{unpacked: func(name, resolved string) (Unpacked, error) {
		return Unpacked{Files: fstest.MapFS{"package.json": {Data: []byte(`{"name":"other","version":"2.0.0"}`)}}, Integrity: "sha512-x"}, nil
	}}
	tr := resolveWith(t, `{"dependencies":{"key":"https://tarballs.test/x.tgz"}}`, s)
	n := tr.At("node_modules/key")
	if n == nil || n.PackageName() != "other" || n.Integrity != "sha512-x" || n.Resolved != "https://tarballs.test/x.tgz" {
		t.Errorf("node %+v", n)
	}
	if e := tr.Lockfile(LockOptions{}).Packages.Get("node_modules/key"); e.Name != "other" {
		t.Errorf("entry %+v", e)
	}
}

// shortSource gives the short form of packuments unless the full one is asked for.
type shortSource struct {
	memorySource
	asked []string
}

func (s *shortSource) Packument(ctx context.Context, name string, full bool) (*packument.Packument, error) {
	data := s.registry[name]
	if full {
		s.asked = append(s.asked, name)
		return packument.Parse(data)
	}
	text := string(data)
	for _, field := range []string{`,"libc":["musl"]`, `,"license":"MIT"`, `,"license":"ISC"`} {
		text = strings.ReplaceAll(text, field, "")
	}
	return packument.Parse([]byte(text))
}

// Of optional packages for certain platforms the full form is asked for, and it
// decides; of others the license comes from the extracted package.json.
func TestShortForm(t *testing.T) {
	s := &shortSource{memorySource: memorySource{registry: readPackages(t, `a@1.0.0 {"license":"MIT","optionalDependencies":{"n":"1"}}
n@1.0.0 {"os":["linux"],"libc":["musl"],"license":"ISC"}
`)}}
	tr := resolveWith(t, `{"dependencies":{"a":"*"}}`, s)
	if fmt.Sprint(s.asked) != "[n]" {
		t.Errorf("asked in full for %v", s.asked)
	}
	if got, want := locations(tr), "node_modules/a@1.0.0\nnode_modules/n@1.0.0 inert"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	a := tr.At("node_modules/a")
	if a.Manifest.License.Kind() != jsonval.Null {
		t.Error("the short form has a license")
	}
	a.Refresh(mustManifest(t, `{"name":"a","license":"MIT","engines":{"node":"*"}}`))
	if e := tr.Lockfile(LockOptions{}).Packages.Get("node_modules/a"); e.License.Kind() != jsonval.String || len(e.Engines) > 0 || e.Version != "1.0.0" {
		t.Errorf("entry after Refresh: %+v", e)
	}
	if tr.Lockfile(LockOptions{Installed: true}).Packages.Get("node_modules/n") != nil {
		t.Error("an inert package counts as installed")
	}
}

// When an optional package fails, what only it needs goes along, and what needs
// it up to an optional edge.
func TestOptionalFailed(t *testing.T) {
	s := &memorySource{registry: readPackages(t, `a@1.0.0 {"optionalDependencies":{"o":"1"},"dependencies":{"shared":"1"}}
o@1.0.0 {"dependencies":{"bad":"1"}}
bad@1.0.0 {"dependencies":{"shared":"1","only":"1"}}
shared@1.0.0 {}
only@1.0.0 {}
`)}
	tr := resolveWith(t, `{"dependencies":{"a":"*"}}`, s)
	fallen := OptionalFailed(tr.At("node_modules/bad"))
	var names []string
	for _, n := range fallen {
		names = append(names, n.Name)
	}
	if got := fmt.Sprint(names); got != "[bad o only]" {
		t.Errorf("made inert: %s", got)
	}
	if again := OptionalFailed(tr.At("node_modules/bad")); len(again) != 0 {
		t.Errorf("made inert twice: %v", again)
	}
}

// Errors carry what is needed to explain them.
func TestErrors(t *testing.T) {
	s := &memorySource{registry: readPackages(t, `a@1.0.0 {"dependencies":{"none":"1"}}
`)}
	_, err := Ideal(context.Background(), Options{Dir: t.TempDir(), Manifest: mustManifest(t, `{"dependencies":{"a":"*"}}`), Source: s})
	if code(err) != "E404" || !strings.Contains(fmt.Sprint(err), "required by a@1.0.0") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ideal(ctx, Options{Dir: t.TempDir(), Manifest: mustManifest(t, `{"dependencies":{"a":"*"}}`), Source: s}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// What lies in node_modules is found by walking as well as by the hidden
// lockfile, as long as that is newer than everything.
func TestActual(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"dependencies":{"a":"*","@s/b":"*","lib":"file:lib"}}`)
	write("lib/package.json", `{"name":"lib","version":"0.1.0"}`)
	write("node_modules/a/package.json", `{"name":"a","version":"1.0.0","dependencies":{"c":"*"}}`)
	write("node_modules/a/node_modules/c/package.json", `{"name":"c","version":"1.0.0"}`)
	write("node_modules/@s/b/package.json", `{"name":"@s/b","version":"1.0.0"}`)
	if err := os.Symlink("../lib", filepath.Join(dir, "node_modules", "lib")); err != nil {
		t.Skip(err)
	}
	want := "node_modules/@s/b@1.0.0\nnode_modules/a@1.0.0\nnode_modules/a/node_modules/c@1.0.0\nlib@0.1.0\nnode_modules/lib@0.1.0"
	check := func(what string) *Tree {
		t.Helper()
		tr, err := Actual(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := locations(tr); !sameLines(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
		return tr
	}
	tr := check("walked")
	tr.At("node_modules/a").Integrity = "sha512-mark"
	write("node_modules/.package-lock.json", string(tr.Lockfile(LockOptions{Installed: true}).Hidden().Marshal(formatOf())))
	if tr = check("hidden"); tr.At("node_modules/a").Integrity != "sha512-mark" {
		t.Error("the hidden lockfile was not read")
	}
	write("node_modules/new/package.json", `{"name":"new","version":"1.0.0"}`)
	want += "\nnode_modules/new@1.0.0"
	if tr = check("hidden, but stale"); !tr.At("node_modules/new").Extraneous {
		t.Error("nobody needs it, and it is not extraneous")
	}
}

// A tree that is read from a lockfile is written as it was.
func TestVirtualKeeps(t *testing.T) {
	for seed := range uint64(40) {
		g := makeGraph(seed + 1)
		dir := filepath.Join(t.TempDir(), fmt.Sprint(seed))
		if err := g.write(dir); err != nil {
			t.Fatal(err)
		}
		o := ours(dir, g.Registry, nil)
		if o.Code != "" {
			continue
		}
		project, err := json.Marshal(g.Project)
		if err != nil {
			t.Fatal(err)
		}
		f := mustLock(t, o.Lock)
		tr, err := Virtual(filepath.Join(dir, "project"), mustManifest(t, string(project)), f)
		if err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		sameText(t, tr.Lockfile(LockOptions{Previous: f}).Marshal(formatOf()), []byte(o.Lock))
	}
}

package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/install/resolve"
	"weft/install/target"
	"weft/npm/lockfile"
	"weft/npm/manifest"
	"weft/npm/packument"
	"weft/npm/registry"
)

// shelf is a Source of packuments written in the test, by name.
type shelf map[string]string

func (s shelf) Packument(_ context.Context, name string, _ bool) (*packument.Packument, error) {
	text, ok := s[name]
	if !ok {
		return nil, &registry.StatusError{URL: "http://registry.test/" + name, Status: 404, Attempts: 1}
	}
	return packument.Parse([]byte(text))
}

func (s shelf) Unpacked(context.Context, string, string, string) (resolve.Unpacked, error) {
	return resolve.Unpacked{}, errors.New("nothing is unpacked here")
}

// doc writes a packument: versions and the rest of their manifests.
func doc(name string, versions ...string) string {
	var list []string
	latest := ""
	for i := 0; i < len(versions); i += 2 {
		latest = versions[i]
		list = append(list, fmt.Sprintf(`%q: {"name": %q, "version": %q, "dist": {"tarball": "http://registry.test/x.tgz"}%s}`, latest, name, latest, versions[i+1]))
	}
	return fmt.Sprintf(`{"name": %q, "dist-tags": {"latest": %q}, "versions": {%s}}`, name, latest, strings.Join(list, ","))
}

func ideal(t *testing.T, project string, s shelf, change func(*resolve.Options)) error {
	t.Helper()
	m, err := manifest.Parse([]byte(project))
	if err != nil {
		t.Fatal(err)
	}
	o := resolve.Options{Dir: "/project", Manifest: m, Source: s, Target: target.Target{NodeVersion: "20.20.2", OS: "linux", CPU: "x64", Libc: "glibc"}}
	if change != nil {
		change(&o)
	}
	_, err = resolve.Ideal(t.Context(), o)
	if err == nil {
		t.Fatalf("%s was resolved", project)
	}
	return err
}

// TestTreeProblems tells of trees that the real resolver could not make.
func TestTreeProblems(t *testing.T) {
	world := shelf{
		"middle": doc("middle", "1.0.0", `, "dependencies": {"absent": "^1.0.0"}`),
		"leaf":   doc("leaf", "1.0.0", "", "1.1.0", "", "2.0.0", ""),
		"asks":   doc("asks", "1.0.0", `, "dependencies": {"leaf": "^9.0.0"}`),
		"host":   doc("host", "1.0.0", "", "2.0.0", ""),
		"plugin": doc("plugin", "1.0.0", `, "peerDependencies": {"host": "^2.0.0"}`),
		"mac":    doc("mac", "1.0.0", `, "os": ["darwin"]`),
		"new":    doc("new", "1.0.0", `, "engines": {"node": ">=99"}`),
		"none":   `{"name": "none", "versions": {}}`,
	}
	for name, err := range map[string]error{
		"not-found":   ideal(t, `{"name": "app", "dependencies": {"middle": "1"}}`, world, nil),
		"no-match":    ideal(t, `{"name": "app", "dependencies": {"asks": "1"}}`, world, nil),
		"no-tag":      ideal(t, `{"name": "app", "dependencies": {"leaf": "nightly"}}`, world, nil),
		"no-versions": ideal(t, `{"name": "app", "dependencies": {"none": "1"}}`, world, nil),
		"no-match-before": ideal(t, `{"name": "app", "dependencies": {"leaf": "^1.0.0"}}`,
			shelf{"leaf": strings.Replace(doc("leaf", "1.0.0", ""), `"versions"`, `"time": {"1.0.0": "2021-05-05T00:00:00.000Z"}, "versions"`, 1)},
			func(o *resolve.Options) { o.Before = time.Date(2020, 1, 2, 3, 4, 0, 0, time.UTC) }),
		"peer-conflict": ideal(t, `{"name": "app", "dependencies": {"host": "1", "plugin": "1"}}`, world, nil),
		"platform-tree": ideal(t, `{"name": "app", "dependencies": {"mac": "1"}}`, world, nil),
		"engine-tree":   ideal(t, `{"name": "app", "dependencies": {"new": "1"}}`, world, func(o *resolve.Options) { o.EngineStrict = true }),
		"git":           ideal(t, `{"name": "app", "dependencies": {"x": "git+ssh://git@host.test/x.git"}}`, world, nil),
		"workspace":     ideal(t, `{"name": "app", "dependencies": {"x": "workspace:*"}}`, world, nil),
		"override":      ideal(t, `{"name": "app", "dependencies": {"leaf": "1"}, "overrides": {"leaf": "2"}}`, world, nil),
		"lock-error":    &resolve.LockError{Location: "node_modules/a", Reason: "it leads nowhere"},
		"workspaces":    &resolve.DuplicateWorkspaceError{Name: "a", Dirs: []string{"/p/a", "/p/b"}},
	} {
		_, stderr := say(Options{}, func(r *Reporter) { r.Fail(err) })
		golden(t, "problem/"+name+".txt", stderr+fmt.Sprintf("exit %d\n", Diagnose(err).Exit))
	}
}

func TestChain(t *testing.T) {
	m, err := manifest.Parse([]byte(`{"name": "app", "dependencies": {"long": "1", "short": "1"}}`))
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockfile.Parse([]byte(`{"name": "app", "lockfileVersion": 3, "packages": {
		"": {"name": "app", "dependencies": {"long": "1", "short": "1"}},
		"node_modules/long": {"version": "1.0.0", "dependencies": {"between": "1"}},
		"node_modules/between": {"version": "1.0.0", "dependencies": {"leaf": "1"}},
		"node_modules/short": {"version": "1.2.0", "dependencies": {"leaf": "1"}},
		"node_modules/leaf": {"version": "1.0.0", "dependencies": {"short": "1"}},
		"node_modules/stray": {"version": "1.0.0"}
	}}`))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := resolve.Virtual("/project", m, lock)
	if err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string][]string{
		"":                     nil,
		"node_modules/short":   {"the project"},
		"node_modules/between": {"long@1.0.0", "the project"},
		"node_modules/leaf":    {"short@1.2.0", "the project"},
		"node_modules/stray":   nil,
	} {
		if got := Chain(tree.At(location)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", location, got, want)
		}
	}
	if Chain(nil) != nil {
		t.Error("no node has a chain")
	}
}

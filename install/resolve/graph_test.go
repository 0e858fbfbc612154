package resolve

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"weft/npm/packument"
)

// A graph is a small made-up registry and a project on it.
type graph struct {
	Registry map[string]json.RawMessage // packuments
	Project  map[string]any             // package.json
}

// object keeps the order of its members when written as JSON.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		k, _ := json.Marshal(m.key)
		v, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), nil
}

// taste is how often a made-up package has which traits, in percent.
type taste struct {
	packages, versions, deps             int
	peers, peerOptional, optional, alias int
	platform, deprecated, missing, gaps  int
	scoped                               int
}

// tastes are kinds of graphs; a seed picks one.
var tastes = []taste{
	{packages: 8, versions: 4, deps: 2},
	{packages: 10, versions: 3, deps: 2, peers: 60},
	{packages: 14, versions: 4, deps: 3, peers: 35, peerOptional: 20, optional: 20, alias: 10, platform: 10, deprecated: 10, missing: 3, scoped: 20},
	{packages: 20, versions: 5, deps: 2, peers: 25, peerOptional: 10, optional: 30, platform: 20, missing: 8, deprecated: 20},
	{packages: 6, versions: 6, deps: 3, peers: 80, peerOptional: 30},
	{packages: 30, versions: 3, deps: 2, peers: 15, alias: 15, scoped: 40, gaps: 20},
	{packages: 5, versions: 3, deps: 4, optional: 60, platform: 40, missing: 15},
}

// maker makes graphs from a seed.
type maker struct {
	*rand.Rand
	taste
	names    []string
	versions map[string][]string
}

func makeGraph(seed uint64) *graph {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 20)), versions: map[string][]string{}}
	m.taste = tastes[m.IntN(len(tastes))]
	for i := range m.packages {
		name := string(rune('a'+i%26)) + fmt.Sprint(i/26)
		if i < 26 {
			name = string(rune('a' + i))
		}
		if m.is(m.scoped) {
			name = "@s/" + name
		}
		m.names = append(m.names, name)
		major, minor := 1, 0
		for range 1 + m.IntN(m.taste.versions) {
			m.versions[name] = append(m.versions[name], fmt.Sprintf("%d.%d.%d", major, minor, m.IntN(3)))
			if m.is(50) {
				major, minor = major+1, 0
			} else {
				minor++
			}
		}
	}
	g := &graph{Registry: map[string]json.RawMessage{}}
	for _, name := range m.names {
		g.Registry[name] = m.packument(name)
	}
	g.Project = map[string]any{"name": "project", "version": "1.0.0"}
	m.project(g.Project)
	return g
}

func (m *maker) is(percent int) bool { return m.IntN(100) < percent }

func (m *maker) project(p map[string]any) {
	fields := []string{"dependencies", "dependencies", "devDependencies", "optionalDependencies"}
	if m.peers > 0 {
		fields = append(fields, "peerDependencies")
	}
	made := map[string]object{}
	used := map[string]bool{}
	for range 2 + m.IntN(5) {
		f := fields[m.IntN(len(fields))]
		name, spec := m.dep("")
		if used[name] {
			continue
		}
		used[name] = true
		made[f] = append(made[f], member{name, spec})
	}
	for f, deps := range made {
		p[f] = deps
	}
}

// dep picks a dependency: sometimes an alias, sometimes on what does not exist.
func (m *maker) dep(self string) (name, spec string) {
	name = m.names[m.IntN(len(m.names))]
	for name == self && len(m.names) > 1 {
		name = m.names[m.IntN(len(m.names))]
	}
	spec = m.spec(name)
	if m.is(m.missing) {
		if m.is(50) {
			return "no-such-" + name[len(name)-1:], "^1.0.0"
		}
		return name, "^99.0.0"
	}
	if m.is(m.alias) {
		return "alias-" + string(rune('a'+m.IntN(4))), "npm:" + name + "@" + spec
	}
	return name, spec
}

func (m *maker) spec(name string) string {
	vs := m.versions[name]
	v := vs[m.IntN(len(vs))]
	var major, minor int
	fmt.Sscanf(v, "%d.%d", &major, &minor)
	switch m.IntN(9) {
	case 0:
		return "*"
	case 1:
		return v
	case 2:
		return fmt.Sprintf(">=%d.%d", major, minor)
	case 3:
		return fmt.Sprintf("~%s", v)
	case 4:
		return fmt.Sprintf("%d.x || %d.x", major, major+1)
	case 5:
		return fmt.Sprintf("%d", major)
	case 6:
		return "latest"
	default:
		return "^" + v
	}
}

func (m *maker) packument(name string) json.RawMessage {
	var versions object
	list := m.versions[name]
	for _, v := range list {
		if m.is(m.gaps) && v != list[len(list)-1] {
			continue
		}
		versions = append(versions, member{v, m.manifest(name, v)})
	}
	latest := list[len(list)-1]
	if m.is(20) {
		latest = list[m.IntN(len(list))]
	}
	out, err := json.Marshal(object{{"name", name}, {"dist-tags", object{{"latest", latest}}}, {"versions", versions}})
	if err != nil {
		panic(err)
	}
	return out
}

func (m *maker) manifest(name, version string) object {
	o := object{{"name", name}, {"version", version}}
	var deps, optional, peers, meta object
	used := map[string]bool{}
	for range m.IntN(m.deps + 1) {
		dep, spec := m.dep(name)
		if used[dep] {
			continue
		}
		used[dep] = true
		switch {
		case m.is(m.optional):
			optional = append(optional, member{dep, spec})
		default:
			deps = append(deps, member{dep, spec})
		}
	}
	if m.is(m.peers) {
		for range 1 + m.IntN(2) {
			dep := m.names[m.IntN(len(m.names))]
			if dep == name || used[dep] {
				continue
			}
			used[dep] = true
			peers = append(peers, member{dep, m.spec(dep)})
			if m.is(m.peerOptional) {
				meta = append(meta, member{dep, object{{"optional", true}}})
			}
		}
	}
	for _, f := range []struct {
		key   string
		value object
	}{{"dependencies", deps}, {"optionalDependencies", optional}, {"peerDependencies", peers}, {"peerDependenciesMeta", meta}} {
		if f.value != nil {
			o = append(o, member{f.key, f.value})
		}
	}
	if m.is(m.platform) {
		o = append(o, member{"os", []string{[]string{"linux", "darwin", "!linux"}[m.IntN(3)]}})
	}
	if m.is(m.deprecated) {
		o = append(o, member{"deprecated", "old"})
	}
	if m.is(10) {
		o = append(o, member{"engines", object{{"node", []string{">=18", ">=99", "*"}[m.IntN(3)]}}})
	}
	return append(o, member{"dist", object{
		{"tarball", "https://tarballs.test/" + name + "/-/" + version + ".tgz"},
		{"integrity", fmt.Sprintf("sha512-%s", fakeDigest(name+"@"+version))},
	}})
}

// fakeDigest is a made-up base64 text of the length of a SHA-512 digest.
func fakeDigest(seed string) string {
	out := make([]byte, 0, 88)
	for i := 0; len(out) < 86; i++ {
		c := seed[i%len(seed)]
		out = append(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[(int(c)*31+i*7)%62])
	}
	return string(append(out, "=="...))
}

// write puts the graph into a case folder for testdata/npm.cjs.
func (g *graph) write(dir string) error {
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	reg, err := json.Marshal(g.Registry)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "registry.json"), reg, 0o644); err != nil {
		return err
	}
	return g.writeProject(project)
}

func (g *graph) writeProject(dir string) error {
	text, err := json.MarshalIndent(g.Project, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "package.json"), append(text, '\n'), 0o644)
}

// memorySource answers from the packuments of a graph.
type memorySource struct {
	registry map[string]json.RawMessage
	unpacked func(name, resolved string) (Unpacked, error)
}

func (s *memorySource) Packument(ctx context.Context, name string, full bool) (*packument.Packument, error) {
	data, ok := s.registry[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return packument.Parse(data)
}

func (s *memorySource) Unpacked(ctx context.Context, name, resolved, integrity string) (Unpacked, error) {
	if s.unpacked == nil {
		return Unpacked{}, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return s.unpacked(name, resolved)
}

// edit changes what the project asks for: something is removed, wanted otherwise,
// or new.
func (g *graph) edit(seed uint64) {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 30)), versions: map[string][]string{}}
	for name, data := range g.Registry {
		p, err := packument.Parse(data)
		if err != nil {
			panic(err)
		}
		m.names = append(m.names, name)
		m.versions[name] = p.Versions()
	}
	slices.Sort(m.names)
	used := map[string]bool{}
	for _, field := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"} {
		deps, _ := g.Project[field].(object)
		var kept object
		for _, d := range deps {
			used[d.key] = true
			switch m.IntN(6) {
			case 0:
				continue
			case 1:
				if len(m.versions[d.key]) > 0 {
					d.value = m.spec(d.key)
				}
			}
			kept = append(kept, d)
		}
		g.Project[field] = kept
		if len(kept) == 0 {
			delete(g.Project, field)
		}
	}
	for range m.IntN(3) {
		name, spec := m.dep("")
		if used[name] {
			continue
		}
		used[name] = true
		field := []string{"dependencies", "devDependencies", "optionalDependencies"}[m.IntN(3)]
		deps, _ := g.Project[field].(object)
		g.Project[field] = append(deps, member{name, spec})
	}
}

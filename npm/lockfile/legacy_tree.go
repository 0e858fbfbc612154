package lockfile

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/jsonval"
	"weft/internal/locale"
	"weft/npm/manifest"
	"weft/npm/spec"
)

// legacyWriter makes the tree of packages that versions 1 and 2 have under "dependencies", as npm
// makes it out of what the packages say. Nothing but npm 6 reads it.
type legacyWriter struct {
	packages *Packages
	children map[string][]string     // the locations in a location's own node_modules
	edges    map[string][]legacyEdge // who depends on a location
	budget   int                     // how many packages may still be written
}

// legacyEdge is a dependency on a package: the location that has it, and its spec.
type legacyEdge struct {
	from, spec string
}

// Limits of the tree: how many times the number of packages it may hold, and how deep it may go. Links
// that contain each other are followed in every order, which would have no end in a hostile file.
const (
	legacySize  = 16
	legacyDepth = jsonval.DepthMax/2 - 10
)

// legacyTree returns the tree as an ordered object.
func (p *Packages) legacyTree() jsonval.Value {
	w := legacyWriter{packages: p, children: map[string][]string{}, edges: map[string][]legacyEdge{}, budget: legacySize * p.Len()}
	for location, e := range p.All() {
		if !isTop(location) {
			parent := strings.TrimSuffix(location, "node_modules/"+NameFromLocation(location))
			parent = strings.TrimSuffix(parent, "/")
			w.children[parent] = append(w.children[parent], location)
		}
		for _, d := range e.edges(location) {
			if found, ok := p.lookup(location, d.Name); ok {
				w.edges[found] = append(w.edges[found], legacyEdge{location, d.Spec})
			}
		}
	}
	return ordered(w.below("", nil))
}

// dependency is one line of an entry's dependency maps. peer tells the kind that npm 6 must not see.
type dependency struct {
	manifest.Dep
	peer bool
}

// edges lists what a package depends on. Of a name in several maps the last one counts.
func (e *Entry) edges(location string) []dependency {
	lists := []manifest.Deps{e.PeerDependencies, e.Dependencies, e.OptionalDependencies}
	if isTop(location) {
		lists = append(lists, e.DevDependencies)
	}
	at := map[string]int{}
	var edges []dependency
	for i, list := range lists {
		for _, d := range list {
			k, ok := at[d.Name]
			if !ok {
				k = len(edges)
				at[d.Name] = k
				edges = append(edges, dependency{})
			}
			edges[k] = dependency{d, i == 0}
		}
	}
	return edges
}

// below returns the packages in the node_modules of a location. above has the real locations of the
// packages around it.
func (w *legacyWriter) below(location string, above []string) []jsonval.Member {
	var list []jsonval.Member
	if len(above) > legacyDepth {
		return nil
	}
	for _, child := range w.children[location] {
		e := w.packages.Get(child)
		real := child
		if e.Link {
			real = e.Resolved
		}
		if slices.Contains(above, real) || w.budget == 0 {
			continue
		}
		w.budget--
		inside := append(slices.Clip(above), location)
		list = append(list, jsonval.Member{Key: NameFromLocation(child), Value: w.node(child, real, e, inside)})
	}
	return list
}

// node returns one package with what is below it.
func (w *legacyWriter) node(location, real string, e *Entry, above []string) jsonval.Value {
	var m members
	s, known := w.specFor(location, e)
	saved, remote := "", false
	switch resolved, err := spec.Parse(e.Resolved, filepath.FromSlash(someDir)); {
	case e.Link:
		saved = "file:" + e.Resolved
	case known && (s.Type == spec.File || s.Type == spec.Remote):
		saved = s.SaveSpec
	case known && s.Type == spec.Git, err == nil && e.Resolved != "" && resolved.Type == spec.Git:
		saved = e.Resolved
		if known {
			m.str("from", s.Raw)
		}
	default:
		saved = e.Version
		if e.Name != "" {
			saved = "npm:" + e.Name + "@" + e.Version
		}
		local := err == nil && (resolved.Type == spec.File || resolved.Type == spec.Directory)
		remote = !local && (!known || s.Type != spec.Directory)
	}
	m.str("version", saved)
	if remote {
		m.str("resolved", e.Resolved)
	}
	m.flag("bundled", e.InBundle && !w.bundledByProject(location))
	if !e.Link {
		m.str("integrity", e.Integrity)
		m.flag("peer", e.Peer && !e.Extraneous)
		m.flag("devOptional", e.DevOptional && !e.Dev && !e.Optional && !e.Extraneous)
		m.flag("dev", e.Dev && !e.Extraneous)
		m.flag("optional", e.Optional && !e.Extraneous)
	}
	m.flag("extraneous", e.Extraneous)
	target := w.packages.Get(real)
	if target != nil {
		w.addRequires(&m, real, target)
	}
	if list := w.below(real, above); len(list) > 0 {
		m.add("dependencies", ordered(list))
	}
	return ordered(m)
}

// addRequires adds what a package depends on, less its peers. The member is empty if there are only
// peers, and missing if there is nothing.
func (w *legacyWriter) addRequires(m *members, location string, e *Entry) {
	edges := e.edges(location)
	if len(edges) == 0 {
		return
	}
	var list []jsonval.Member
	for _, d := range edges {
		if d.peer {
			continue
		}
		text := d.Spec
		if file, ok := strings.CutPrefix(text, "file:"); ok {
			text = "file:" + path.Clean(file)
		}
		list = append(list, jsonval.Member{Key: d.Name, Value: jsonval.OfString(text)})
	}
	m.add("requires", ordered(list))
}

// specFor returns the spec by which a package is there: of the dependency that is nearest to the
// project, or of the address where nothing depends on it. known is false if there is none, or if it
// cannot be read.
func (w *legacyWriter) specFor(location string, e *Entry) (s spec.Spec, known bool) {
	edges := w.edges[location]
	if len(edges) == 0 {
		s, err := spec.Parse(e.Resolved, filepath.FromSlash(someDir))
		return s, err == nil && e.Resolved != ""
	}
	best := edges[0]
	for _, edge := range edges[1:] {
		if compareDepth(edge.from, best.from) < 0 {
			best = edge
		}
	}
	s, err := spec.Resolve(NameFromLocation(location), best.spec, filepath.FromSlash(path.Join(someDir, best.from)))
	return s, err == nil
}

// compareDepth orders locations by how many node_modules they are in, then by their last part.
func compareDepth(a, b string) int {
	x, y := strings.Count(a, "node_modules"), strings.Count(b, "node_modules")
	if x != y {
		return x - y
	}
	last := func(s string) string {
		i := strings.LastIndex(s, "node_modules")
		if i < 0 {
			return s
		}
		return s[i+len("node_modules"):]
	}
	return locale.Compare(last(a), last(b))
}

// bundledByProject reports whether it is the project that bundles a package, which does not count.
func (w *legacyWriter) bundledByProject(location string) bool {
	root := w.packages.Get("")
	return root != nil && len(root.BundleDependencies) > 0 && strings.Count(location, "node_modules/") == 1
}

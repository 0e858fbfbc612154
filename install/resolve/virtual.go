package resolve

import (
	"sort"
	"strings"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// Virtual returns the tree that a lockfile describes, for the project in dir
// (absolute) with the given package.json. Directories outside node_modules that
// the lockfile links to are described by the package.json found there, where
// there is one. A lockfile that contradicts itself gives a *LockError.
func Virtual(dir string, m *manifest.Manifest, f *lockfile.File) (*Tree, error) {
	root, err := newRoot(newEnv(false, false), dir, m)
	if err != nil {
		return nil, err
	}
	root.tree.FromDisk = true
	if err := loadLock(root, f); err != nil {
		return nil, err
	}
	return root.tree, checkRootOverrides(root)
}

// loadLock puts everything that f has below root, which has nothing below it yet:
// a project, or a package with a shrinkwrap of its own. Flags are
// computed from the edges, for package.json may have been edited meanwhile.
func loadLock(root *Node, f *lockfile.File) error {
	t, base := root.tree, root.Path()
	type place struct {
		location string
		depth    int
		entry    *lockfile.Entry
	}
	var dirs, links []place
	for location, entry := range f.Packages.All() {
		p := place{location, strings.Count("/"+location, "/node_modules/"), entry}
		switch {
		case location == "":
		case entry.Link:
			links = append(links, p)
		default:
			dirs = append(dirs, p)
		}
	}
	// What holds others comes first, whatever the file's order.
	for _, list := range [][]place{dirs, links} {
		sort.SliceStable(list, func(i, j int) bool {
			return list[i].depth < list[j].depth ||
				list[i].depth == list[j].depth && list[i].depth == 0 && len(list[i].location) < len(list[j].location)
		})
	}
	fresh := make([]*Node, 0, len(dirs)+len(links))
	for _, p := range dirs {
		n := lockNode(t.env, base, p.location, p.entry)
		fresh = append(fresh, n)
		t.place(n, joinPath(base, p.location))
	}
	for _, p := range links {
		real := joinPath(base, p.entry.Resolved)
		end := t.nodeAt(real)
		if end == nil || end.isLink {
			return &LockError{p.location, "links to " + p.entry.Resolved + ", which the lockfile lacks"}
		}
		l := newLink(t.env, folderName("/"+p.location), real, end.Manifest)
		t.place(l, joinPath(base, p.location))
		if end.parent == nil && end != root { // the user may have edited it
			if m, err := readManifest(real); err == nil {
				end.Manifest, end.version, end.locked = m, nil, nil
				l.Manifest, l.version = m, nil
			}
		}
	}
	for _, n := range fresh {
		n.declareEdges()
	}
	if root.IsRoot() {
		calcFlags(root, true)
	}
	return nil
}

// lockNode makes the node of an entry of the lockfile in the directory base.
func lockNode(env *env, base, location string, e *lockfile.Entry) *Node {
	n := newNode(env, folderName("/"+location), lockManifest(e, location))
	n.Resolved = absoluteResolved(base, e.Resolved)
	n.Integrity, n.HasShrinkwrap = e.Integrity, e.HasShrinkwrap
	n.locked = e
	return n
}

// lockManifest is the manifest that an entry repeats, as far as it does.
func lockManifest(e *lockfile.Entry, location string) *manifest.Manifest {
	m := &manifest.Manifest{
		Name: e.Name, Version: e.Version,
		Dependencies:         withoutDeps(e.Dependencies, e.OptionalDependencies),
		DevDependencies:      e.DevDependencies,
		OptionalDependencies: e.OptionalDependencies,
		PeerDependencies:     e.PeerDependencies,
		AcceptDependencies:   e.AcceptDependencies,
		BundleDependencies:   e.BundleDependencies,
		Bin:                  e.Bin,
		OS:                   e.OS, CPU: e.CPU, Libc: e.Libc,
		Engines:          e.Engines,
		Deprecated:       e.Deprecated,
		HasInstallScript: e.HasInstallScript,
		HasShrinkwrap:    e.HasShrinkwrap,
		Workspaces:       e.Workspaces,
		License:          e.License, Funding: e.Funding,
	}
	if m.Name == "" {
		m.Name = lockfile.NameFromLocation(location)
	}
	for _, d := range e.PeerDependencies {
		if e.PeerOptional(d.Name) {
			if m.PeerOptional == nil {
				m.PeerOptional = make(map[string]bool)
			}
			m.PeerOptional[d.Name] = true
		}
	}
	return m
}

// withoutDeps returns deps less the names that others holds.
func withoutDeps(deps, others manifest.Deps) manifest.Deps {
	if len(others) == 0 {
		return deps
	}
	var out manifest.Deps
	for _, d := range deps {
		if !others.Has(d.Name) {
			out = append(out, d)
		}
	}
	return out
}

// place puts a node at an absolute path: into the node_modules folder of the
// node that holds it, or, if there is none, as a directory of its own.
func (t *Tree) place(n *Node, at string) {
	if dir, ok := strings.CutSuffix(at, "/node_modules/"+n.Name); ok {
		if holder := t.nodeAt(dir); holder != nil && !holder.isLink {
			n.attach(holder)
			return
		}
	}
	n.at = at
	n.settleTop(t)
}

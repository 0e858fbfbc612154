package resolve

import (
	"path"
	"strings"

	"weft/npm/lockfile"
)

// LockOptions say how a tree is written down. The zero value is npm's default.
type LockOptions struct {
	// OmitRegistryResolved leaves the addresses of registry tarballs out.
	OmitRegistryResolved bool
	// Previous is the lockfile to be replaced: its version is kept (1 becomes 3),
	// and so are top-level members that are none of npm's. Nil: there was none.
	Previous *lockfile.File
	// Installed leaves out what is not installed (inert nodes), as
	// node_modules/.package-lock.json has it. Without it they stay, as long as
	// their version is known.
	Installed bool
}

// Lockfile returns the lockfile that describes the tree. The hidden one in
// node_modules is that of LockOptions{Installed: true} in its Hidden form.
func (t *Tree) Lockfile(o LockOptions) *lockfile.File {
	root := t.Root
	f := &lockfile.File{Name: root.PackageName(), Version: root.Version()}
	if f.Name == "" {
		f.Name = root.Name
	}
	if p := o.Previous; p != nil {
		f.LockfileVersion, f.OriginalVersion, f.Extra = p.LockfileVersion, p.OriginalVersion, p.Extra
	}
	f.Packages.Set("", root.lockEntry(o))
	for _, n := range t.nodes {
		if n == nil || n == root || n.Inert && (o.Installed || n.Version() == "") || n.stale() {
			continue
		}
		f.Packages.Set(n.Location(), n.lockEntry(o))
	}
	if f.LockfileVersion == lockfile.Version2 {
		f.Dependencies = legacyDependencies(t, o)
	}
	return f
}

// stale reports whether the node is a directory that a link led to once and that
// is not needed any more.
func (n *Node) stale() bool {
	return n.Extraneous && n.parent == nil && (n.fsParent == nil || n.fsParent.IsRoot())
}

func (n *Node) lockEntry(o LockOptions) *lockfile.Entry {
	root := n.tree.Root.RealPath()
	if n.isLink {
		return &lockfile.Entry{Link: true, Resolved: relativePath(root, n.real)}
	}
	folder := ""
	switch name := n.PackageName(); {
	case n.IsRoot(): // the project is named, so that moving its folder changes nothing
	case name == n.Name && folderName(n.Path()) == name:
		folder = name
	}
	resolved := n.lockResolved(root)
	if o.OmitRegistryResolved && n.FromRegistry() {
		resolved = ""
	}
	var e *lockfile.Entry
	if n.locked != nil {
		copied := *n.locked
		e = &copied
		e.Resolved, e.Integrity, e.DevDependencies = resolved, n.Integrity, nil
		if e.Name = n.PackageName(); e.Name == folder {
			e.Name = ""
		}
		e.Dev, e.Optional, e.DevOptional, e.Peer, e.Extraneous = false, false, false, false, false
	} else {
		e = lockfile.FromManifest(n.Manifest, folder, resolved, n.Integrity)
	}
	if n.isTop() {
		e.AddDevDependencies(n.Manifest)
	}
	e.InBundle = n.InBundle()
	e.HasShrinkwrap = n.HasShrinkwrap
	if n.Extraneous {
		e.Extraneous = true
	} else {
		e.Peer, e.Dev, e.Optional = n.Peer, n.Dev, n.Optional
		e.DevOptional = n.DevOptional && !n.Dev && !n.Optional
	}
	return e
}

// lockResolved is Resolved as a lockfile has it: what lies on disk is relative to
// the project.
func (n *Node) lockResolved(root string) string {
	if file, ok := strings.CutPrefix(n.Resolved, "file:"); ok {
		return "file:" + relativePath(root, joinPath(root, file))
	}
	return n.Resolved
}

// FromRegistry reports whether everyone who depends on the node leaves it to a
// registry where it comes from.
func (n *Node) FromRegistry() bool {
	if n.edgesIn.size == 0 {
		return false
	}
	for e := range n.edgesIn.all() {
		if !e.want().fromRegistry() {
			return false
		}
	}
	return true
}

// absoluteResolved is what a lockfile says of an origin, with paths made absolute.
func absoluteResolved(root, resolved string) string {
	if file, ok := strings.CutPrefix(resolved, "file:"); ok {
		return "file:" + path.Clean(joinPath(root, file))
	}
	return resolved
}

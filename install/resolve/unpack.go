package resolve

import (
	"fmt"
	"io/fs"
	"path"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// unpackBundle reads what n brings inside its tarball and puts it below n: the
// packages it bundles, and the tree that its own shrinkwrap fixes.
func (b *builder) unpackBundle(n *Node) error {
	bundles := len(n.Manifest.BundleDependencies) > 0
	if !b.o.UnpackBundles || !bundles && !n.HasShrinkwrap ||
		n.IsRoot() || n.Resolved == "" || n.Inert || b.o.Source == nil || n.isTop() {
		return nil
	}
	if n.locked != nil && n.children.size > 0 {
		return nil // the lockfile says what is below
	}
	u, err := b.o.Source.Unpacked(b.ctx, n.PackageName(), n.Resolved, n.Integrity)
	if err != nil {
		if b.ctx.Err() == nil && n.mayFail() {
			n.err = &LoadError{Name: n.Name, Spec: n.Version(), By: n, Err: err}
			b.failed.add(n)
			return nil
		}
		return fmt.Errorf("read what %s bundles: %w", describe(n), err)
	}
	if n.HasShrinkwrap {
		if err := loadShrinkwrap(n, u.Files); err != nil {
			return err
		}
	}
	if bundles {
		kids := loadBundle(n, u.Files)
		b.bundled = append(b.bundled, kids...)
		for _, kid := range kids {
			if wantsMore(kid) {
				b.queue.push(kid)
			}
		}
	}
	return nil
}

// forgetBundles takes out what packages bring that turned out not to be for this
// platform: npm never unpacks them, and so its lockfiles do not know.
func (b *builder) forgetBundles() error {
	for _, kid := range b.bundled {
		if kid.tree == b.tree && kid.parent != nil && kid.parent.Inert {
			kid.detach()
		}
	}
	return nil
}

// mayFail reports whether everyone who depends on the node could do without it.
func (n *Node) mayFail() bool {
	for e := range n.edgesIn.all() {
		if !e.IsOptional() {
			return false
		}
	}
	return true
}

// loadShrinkwrap puts the tree that a package's npm-shrinkwrap.json describes
// below it.
func loadShrinkwrap(n *Node, files fs.FS) error {
	data, err := fs.ReadFile(files, "npm-shrinkwrap.json")
	if err != nil {
		return nil // the registry was wrong about it
	}
	f, err := lockfile.Parse(data)
	if err != nil {
		return fmt.Errorf("read the shrinkwrap of %s: %w", describe(n), err)
	}
	return loadLock(n, f)
}

// loadBundle puts the packages that lie in a tarball's node_modules below n, and
// returns their nodes.
func loadBundle(n *Node, files fs.FS) []*Node {
	var fresh []*Node
	var walk func(holder *Node, dir string, depth int)
	walk = func(holder *Node, dir string, depth int) {
		if depth > nodeDepthMax {
			return
		}
		for _, name := range packageFolders(files, path.Join(dir, "node_modules")) {
			at := path.Join(dir, "node_modules", name)
			m := bundledManifest(files, at)
			if m == nil {
				continue
			}
			kid := newNode(n.tree.env, name, m)
			kid.attach(holder)
			fresh = append(fresh, kid)
			walk(kid, at, depth+1)
		}
	}
	walk(n, ".", 0)
	for _, kid := range fresh {
		kid.declareEdges()
	}
	return fresh
}

// bundledManifest reads the manifest of a bundled package, nil if there is none.
func bundledManifest(files fs.FS, dir string) *manifest.Manifest {
	data, err := fs.ReadFile(files, path.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	m, err := manifest.Parse(data)
	if err != nil {
		return emptyManifest
	}
	if dirs, ok := m.Raw.Get("directories"); ok && len(m.Bin) == 0 {
		if bin, ok := dirs.Get("bin"); ok && bin.Truthy() {
			var list []string
			_ = fs.WalkDir(files, dir, func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					list = append(list, relativePath("/"+dir, "/"+p))
				}
				return nil
			})
			m.ExpandBinDir(list)
		}
	}
	return m
}

// wantsMore reports whether a bundled package needs something that is not there.
// npm leaves it at that; here it is placed. What is optional, or a peer, was left
// out on purpose.
func wantsMore(n *Node) bool {
	for _, e := range n.edgesOut.list {
		if e.Type == Prod && e.to == nil {
			return true
		}
	}
	return false
}

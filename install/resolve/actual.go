package resolve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// Actual returns the tree that lies in the node_modules folders of the project in
// dir (absolute). It comes from node_modules/.package-lock.json where that is
// newer than everything it describes, else from walking the folders. A project
// without package.json, or without node_modules, is no error.
func Actual(dir string) (*Tree, error) {
	m, err := readManifest(filepath.ToSlash(dir))
	if errors.Is(err, fs.ErrNotExist) {
		m, err = emptyManifest, nil
	}
	if err != nil {
		return nil, err
	}
	if tree := actualFromHidden(dir, m); tree != nil {
		return tree, nil
	}
	root, err := newRoot(newEnv(false, false), dir, m)
	if err != nil {
		return nil, err
	}
	root.tree.FromDisk = true
	w := &diskWalk{tree: root.tree, files: func(dir string) fs.FS { return os.DirFS(filepath.FromSlash(dir)) }}
	w.known = readLock(filepath.Join(dir, "package-lock.json"))
	w.folder(root, root.at, ".")
	w.finish()
	for _, ws := range root.workspaces { // members that nothing links to
		if root.tree.nodeAt(ws.Dir) == nil {
			w.top(ws.Dir)
		}
	}
	w.finish()
	calcFlags(root, true)
	return root.tree, nil
}

// actualFromHidden returns the tree of the hidden lockfile, nil if there is none
// that can be trusted.
func actualFromHidden(dir string, m *manifest.Manifest) *Tree {
	name := filepath.Join(dir, "node_modules", ".package-lock.json")
	f := readLock(name)
	if f == nil || !hiddenIsFresh(dir, name, f) {
		return nil
	}
	root, err := newRoot(newEnv(false, false), dir, m)
	if err != nil {
		return nil
	}
	root.tree.FromDisk = true
	if loadLock(root, f) != nil {
		return nil
	}
	return root.tree
}

// readLock reads a lockfile, nil if there is none or it is none.
func readLock(name string) *lockfile.File {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	f, err := lockfile.Parse(data)
	if err != nil {
		return nil
	}
	return f
}

// nodeDepthMax bounds how deep node_modules folders are followed.
const nodeDepthMax = 200

// diskWalk reads node_modules folders into a tree.
type diskWalk struct {
	tree  *Tree
	files func(dir string) fs.FS
	known *lockfile.File // says where things came from; may be nil
	fresh []*Node
	links []diskLink
}

type diskLink struct{ at, name, real string }

// folder adds what lies in the node_modules folder of n. at is n's directory and
// rel the same within the file system that it is read from.
func (w *diskWalk) folder(n *Node, at, rel string) {
	if strings.Count(at, "/node_modules/") > nodeDepthMax {
		return
	}
	for _, name := range packageFolders(w.files(at), "node_modules") {
		inside := path.Join("node_modules", name)
		full := path.Join(at, inside)
		if real, ok := w.linkEnd(at, inside); ok {
			w.links = append(w.links, diskLink{full, name, real})
			continue
		}
		kid := w.read(full, name)
		kid.attach(n)
		w.folder(kid, full, rel)
	}
}

// linkEnd returns where a symbolic link leads.
func (w *diskWalk) linkEnd(at, inside string) (real string, ok bool) {
	full := filepath.FromSlash(path.Join(at, inside))
	st, err := os.Lstat(full)
	if err != nil || st.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	end, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", false
	}
	return filepath.ToSlash(end), true
}

// read makes the node of a package's directory.
func (w *diskWalk) read(at, name string) *Node {
	m, err := readManifest(at)
	if err != nil {
		m = emptyManifest
	}
	n := newNode(w.tree.env, name, m)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		n.err = fmt.Errorf("read %s: %w", at, err)
	}
	if w.known != nil {
		loc := relativePath(w.tree.Root.RealPath(), at)
		if e := w.known.Packages.Get(loc); e != nil && !e.Link && (e.Version == "" || m.Version == "" || e.Version == m.Version) {
			n.Resolved, n.Integrity = absoluteResolved(w.tree.Root.RealPath(), e.Resolved), e.Integrity
		}
	}
	w.fresh = append(w.fresh, n)
	return n
}

// top adds a directory that lies in no node_modules folder, with what lies below.
func (w *diskWalk) top(at string) {
	n := w.read(at, folderName(at))
	n.at = at
	n.settleTop(w.tree)
	w.folder(n, at, ".")
}

// finish follows the links that were met, and then makes the edges.
func (w *diskWalk) finish() {
	for len(w.links) > 0 {
		l := w.links[0]
		w.links = w.links[1:]
		if end := w.tree.nodeAt(l.real); end == nil {
			w.top(l.real)
		}
		end := w.tree.nodeAt(l.real)
		n := newLink(w.tree.env, l.name, l.real, end.Manifest)
		w.tree.place(n, l.at)
	}
	for _, n := range w.fresh {
		n.declareEdges()
	}
	w.fresh = nil
}

// packageFolders lists the packages in a node_modules folder, scoped ones with
// their scope. Names that begin with a dot are none.
func packageFolders(files fs.FS, dir string) []string {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, ".") || !e.IsDir() && e.Type()&fs.ModeSymlink == 0:
		case strings.HasPrefix(name, "@"):
			scoped, _ := fs.ReadDir(files, path.Join(dir, name))
			for _, s := range scoped {
				if !strings.HasPrefix(s.Name(), ".") && (s.IsDir() || s.Type()&fs.ModeSymlink != 0) {
					out = append(out, name+"/"+s.Name())
				}
			}
		default:
			out = append(out, name)
		}
	}
	return out
}

package resolve

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"weft/npm/lockfile"
)

// hiddenJitter is what file times may be off by.
const hiddenJitter = 10 * time.Millisecond

// hiddenIsFresh reports whether the hidden lockfile describes what lies in
// node_modules: no package's folder is newer than the file or missing from it,
// and the file names nothing that is not there.
func hiddenIsFresh(dir, name string, f *lockfile.File) bool {
	st, err := os.Stat(name)
	if err != nil {
		return false
	}
	c := &freshness{dir: filepath.ToSlash(dir), limit: st.ModTime().Add(hiddenJitter), file: f, seen: map[string]bool{}}
	if !c.folder("node_modules", 0) {
		return false
	}
	for location := range f.Packages.All() {
		if location != "" && !c.seen[location] {
			return false
		}
	}
	return true
}

type freshness struct {
	dir   string
	limit time.Time
	file  *lockfile.File
	seen  map[string]bool // locations
}

// folder checks a node_modules folder, or a scope's in it, and what lies there.
func (c *freshness) folder(rel string, depth int) bool {
	full := filepath.FromSlash(path.Join(c.dir, rel))
	st, err := os.Stat(full)
	if err != nil {
		return true // no folder, nothing in it
	}
	if st.ModTime().After(c.limit) || depth > nodeDepthMax {
		return false
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return true
	}
	for _, e := range entries {
		at := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			c.seen[at] = true
			if !c.linked(at, depth) {
				return false
			}
		case !e.IsDir() || strings.HasPrefix(e.Name(), "."):
		case strings.HasPrefix(e.Name(), "@") && path.Base(rel) == "node_modules":
			if !c.folder(at, depth+1) {
				return false
			}
		default:
			if !c.pkg(at, depth+1) {
				return false
			}
		}
	}
	return true
}

// pkg checks the folder of a package.
func (c *freshness) pkg(rel string, depth int) bool {
	c.seen[rel] = true
	st, err := os.Stat(filepath.FromSlash(path.Join(c.dir, rel)))
	if err != nil || st.ModTime().After(c.limit) || c.file.Packages.Get(rel) == nil {
		return false
	}
	return c.folder(path.Join(rel, "node_modules"), depth+1)
}

// linked checks the directory that a link leads to.
func (c *freshness) linked(rel string, depth int) bool {
	end, err := filepath.EvalSymlinks(filepath.FromSlash(path.Join(c.dir, rel)))
	if err != nil {
		return true
	}
	at := relativePath(c.dir, filepath.ToSlash(end))
	if c.seen[at] {
		return true
	}
	if st, err := os.Stat(end); err != nil || !st.IsDir() {
		return true
	}
	return c.pkg(at, depth+1)
}

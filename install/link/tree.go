package link

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"weft/install/internal/dirfd"
)

// Conditions; test with errors.Is.
var (
	// ErrLocation means that a location is not one of a package, as in "node_modules/../x" or "src".
	ErrLocation = errors.New("not the location of a package")
	// ErrBlocked means that something else is where a folder has to be: a symlink or a file.
	ErrBlocked = errors.New("a symlink or a file is in the way")
	// ErrBin means that a command's name or target is not safe to link.
	ErrBin = errors.New("not a safe command")
)

// Tree is one project whose node_modules is being made. Its zero value is of no use; see Open.
type Tree struct {
	root  *dirfd.Dir
	locks locks
	// clearing is held while something that is no folder makes way for one.
	clearing sync.Mutex
	warn     func(path, what string)
	copies   atomic.Bool // hard links do not work here
	clones   atomic.Int32
}

// States of Tree.clones.
const (
	clonesUnknown = iota
	clonesWork
	clonesFail
)

// TreeOptions configures a Tree. The zero value is ready for use.
type TreeOptions struct {
	// Warn is told what the tree had to remove to do its work, such as a node_modules that is a symlink. path is
	// relative to the project. It may be called by several goroutines at once. nil means nobody.
	Warn func(path, what string)
	// Copy copies files from the store without trying to link them.
	Copy bool
}

// Open opens the project in dir, which exists.
func Open(dir string, o TreeOptions) (*Tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	root, err := dirfd.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	t := &Tree{root: root, warn: o.Warn}
	t.copies.Store(o.Copy)
	if t.warn == nil {
		t.warn = func(string, string) {}
	}
	return t, nil
}

// Close releases the tree's handle. It must not run beside other calls.
func (t *Tree) Close() error { return t.root.Close() }

// Copied reports whether files are being copied because they cannot be linked.
func (t *Tree) Copied() bool { return t.copies.Load() }

const modules = "node_modules"

// location is a checked location, cut into the folder that holds the package and its name there.
type location struct {
	whole  string
	parent string // ends in node_modules or in a scope
	name   string
	above  []string // locations of the packages that it is nested in, outermost first
}

// parseLocation checks that a location leads to a package folder below the project.
func parseLocation(s string) (location, error) {
	bad := fmt.Errorf("%w: %q", ErrLocation, s)
	parts := strings.Split(s, "/")
	for _, p := range parts {
		if !dirfd.IsName(p) {
			return location{}, bad
		}
	}
	last := len(parts) - 1
	name := parts[last]
	if last == 0 || name[0] == '.' || name[0] == '@' || name == modules {
		return location{}, bad
	}
	holder := last - 1
	if parts[holder][0] == '@' {
		holder--
	}
	if holder < 0 || parts[holder] != modules {
		return location{}, bad
	}
	loc := location{whole: s, parent: strings.Join(parts[:last], "/"), name: name}
	for i := 1; i <= holder; i++ {
		if parts[i] == modules {
			loc.above = append(loc.above, strings.Join(parts[:i], "/"))
		}
	}
	return loc, nil
}

// scope returns the scope folder that the package is in, and whether it is in one.
func (l location) scope() (in, scope string, ok bool) {
	scope = path.Base(l.parent)
	return path.Dir(l.parent), scope, scope[0] == '@'
}

// folder opens the folder at rel, making what is missing. node_modules and scopes that are no folders are removed, as npm
// does it; any other obstacle is ErrBlocked.
func (t *Tree) folder(rel string) (*dirfd.Dir, error) {
	dir, err := t.root.MkdirAll(rel, 0o777)
	if err == nil || !dirfd.NotFolder(err) {
		return dir, err
	}
	// Of several packages that meet the obstacle at once, one removes it.
	t.clearing.Lock()
	defer t.clearing.Unlock()
	dir, err = t.root.MkdirAll(rel, 0o777)
	if err == nil || !dirfd.NotFolder(err) {
		return dir, err
	}
	parts := strings.Split(rel, "/")
	for i, p := range parts {
		at := strings.Join(parts[:i+1], "/")
		info, err := t.lstat(at)
		if err != nil {
			return nil, err
		}
		if info.Mode.IsDir() {
			continue
		}
		if p != modules && (p[0] != '@' || i == 0 || parts[i-1] != modules) {
			return nil, fmt.Errorf("%s: %w", at, ErrBlocked)
		}
		t.warn(at, "removed: it is not a folder")
		above, err := t.root.Sub(path.Dir(at))
		if err != nil {
			return nil, err
		}
		err = errors.Join(above.Unlink(p), above.Close())
		if err != nil {
			return nil, err
		}
		return t.root.MkdirAll(rel, 0o777)
	}
	return nil, err
}

func (t *Tree) lstat(rel string) (dirfd.Info, error) {
	dir, err := t.root.Sub(path.Dir(rel))
	if err != nil {
		return dirfd.Info{}, err
	}
	defer dir.Close()
	return dir.Lstat(path.Base(rel))
}

// hiddenPrefix starts the names of staged and retired things.
const hiddenPrefix = ".weft-"

// hiddenName returns a fresh name beside name.
func hiddenName(name string) string {
	const room = 200 // of the 255 bytes that file systems give
	return hiddenPrefix + name[:min(len(name), room)] + "-" + strings.ToLower(rand.Text())
}

// isHidden recognises names made by hiddenName.
func isHidden(name string) bool {
	rest, ok := strings.CutPrefix(name, hiddenPrefix)
	if !ok {
		return false
	}
	i := strings.LastIndexByte(rest, '-')
	const randomBytes = 26
	return i > 0 && len(rest)-i-1 == randomBytes && strings.Trim(rest[i+1:], "abcdefghijklmnopqrstuvwxyz234567") == ""
}

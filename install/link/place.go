package link

import (
	"errors"
	"fmt"
	"io/fs"

	"weft/install/internal/dirfd"
	"weft/install/store"
)

// Options says how a package is placed. The zero value is what nearly every package gets.
type Options struct {
	// Private gives the package files of its own, for packages whose scripts run or which are patched.
	Private bool
}

// Place puts a package from the store at loc. Whatever stood there is replaced: a package, of which the nested
// node_modules is kept (what the new one brings itself comes first in it), a symlink, a file. Folders on the way are
// made. Errors name the path; store.ErrCorrupt means that the store's copy lacks a file and should be put again,
// ErrLocation and ErrBlocked are this package's. After an error the old package is still in place.
func (t *Tree) Place(pkg *store.Package, loc string, o Options) error {
	l, err := parseLocation(loc)
	if err != nil {
		return err
	}
	defer t.locks.lock(l.above, l.whole)()
	parent, err := t.folder(l.parent)
	if err != nil {
		return fmt.Errorf("place %s: %w", loc, err)
	}
	defer parent.Close()
	stage := hiddenName(l.name)
	if err := t.stage(pkg, parent, stage, o); err != nil {
		// Best effort: what stays is hidden, and Clean finds it.
		_ = parent.RemoveAll(stage)
		return fmt.Errorf("place %s: %w", loc, err)
	}
	if err := moveIn(parent, stage, l.name); err != nil {
		_ = parent.RemoveAll(stage)
		return fmt.Errorf("place %s: %w", loc, err)
	}
	return nil
}

// stage makes the whole package as a new folder in parent.
func (t *Tree) stage(pkg *store.Package, parent *dirfd.Dir, name string, o Options) error {
	source, err := pkg.Open()
	if err != nil {
		return err
	}
	defer source.Close()
	if err := parent.Mkdir(name, 0o777); err != nil {
		return err
	}
	stage, err := parent.Sub(name)
	if err != nil {
		return err
	}
	defer stage.Close()
	for _, dir := range pkg.Folders {
		// That it exists can only mean a file system that folds names: the stage is ours alone.
		if err := stage.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	for i := range pkg.Files {
		f := &pkg.Files[i]
		err := t.file(source, stage, f, o.Private)
		if err == nil || errors.Is(err, fs.ErrExist) {
			continue
		}
		if _, gone := source.Lstat(f.Path); errors.Is(gone, fs.ErrNotExist) {
			return &store.CorruptError{Key: pkg.Key, Files: []store.Damage{{Path: f.Path, Cause: fs.ErrNotExist}}}
		}
		return err
	}
	return nil
}

// file links or copies one file.
func (t *Tree) file(source, stage *dirfd.Dir, f *store.File, private bool) error {
	if !private && !t.copies.Load() {
		err := source.Link(f.Path, stage, f.Path)
		switch {
		case err == nil:
			return nil
		case tooManyLinks(err):
		case linksFail(err):
			t.copies.Store(true)
		default:
			return err
		}
	}
	ask := t.clones.Load() != clonesFail
	cloned, err := source.Copy(f.Path, stage, f.Path, f.Mode, ask)
	if err == nil && ask && f.Size > 0 {
		state := int32(clonesFail)
		if cloned {
			state = clonesWork
		}
		t.clones.CompareAndSwap(clonesUnknown, state)
	}
	return err
}

package link

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"weft/install/internal/dirfd"
	"weft/internal/locale"
)

// Bin is a command that a package brings.
type Bin struct {
	// Name is the command: a file name, without a path.
	Name string
	// Package is the location of the package that has it.
	Package string
	// Target is the file in the package, relative and slash-separated, as npm's normalised bin field has it.
	Target string
	// Linked says that Package is a symlink (a workspace, a file: dependency), which is then followed.
	Linked bool
}

const binFolder = ".bin"

// Bins links commands into nm/.bin, where nm is a node_modules folder that holds their packages. It makes their targets
// executable and repairs a first line that ends in CRLF; a file shared with the store becomes private for that.
//
// Everything is as npm does it. Among several commands of one name the first wins, by the location of its package in
// npm's order, real packages before linked ones, even if its target is missing. A target that is missing is passed
// over in silence. What is at the command's place already is replaced, whatever it is.
//
// A command whose name or target is not safe is an error, ErrBin, after all others were linked.
func (t *Tree) Bins(nm string, bins []Bin) error {
	if !isModules(nm) {
		return fmt.Errorf("link commands: %w: %q", ErrLocation, nm)
	}
	bins = slices.Clone(bins)
	slices.SortStableFunc(bins, func(a, b Bin) int {
		switch {
		case a.Linked == b.Linked:
			return locale.Compare(a.Package, b.Package)
		case a.Linked:
			return 1
		}
		return -1
	})
	var errs []error
	claimed := make(map[string]bool, len(bins))
	w := binWriter{tree: t, nm: nm}
	defer w.close()
	for _, b := range bins {
		if claimed[b.Name] {
			continue
		}
		claimed[b.Name] = true
		if err := w.link(b); err != nil {
			errs = append(errs, fmt.Errorf("link command %q of %s: %w", b.Name, b.Package, err))
		}
	}
	return errors.Join(errs...)
}

// RemoveBins removes commands from nm/.bin that no package brings any more. Only symlinks are removed; anything else is
// not ours. It is no error if one is not there.
func (t *Tree) RemoveBins(nm string, names []string) error {
	if !isModules(nm) {
		return fmt.Errorf("remove commands: %w: %q", ErrLocation, nm)
	}
	dir, err := t.root.Sub(nm + "/" + binFolder)
	if errors.Is(err, fs.ErrNotExist) || dirfd.NotFolder(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("remove commands: %w", err)
	}
	defer dir.Close()
	var errs []error
	for _, name := range names {
		if !dirfd.IsName(name) {
			continue
		}
		if err := removeCommand(dir, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("remove command %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

func isModules(nm string) bool {
	_, err := parseLocation(nm + "/x")
	return err == nil && path.Base(nm) == modules
}

// binWriter links the commands of one node_modules folder. Its folders are opened when first needed.
type binWriter struct {
	tree    *Tree
	nm      string
	modules *dirfd.Dir
	bin     *dirfd.Dir
}

func (w *binWriter) open() error {
	if w.bin != nil {
		return nil
	}
	var err error
	if w.modules == nil {
		if w.modules, err = w.tree.folder(w.nm); err != nil {
			return err
		}
	}
	w.bin, err = w.modules.MkdirAll(binFolder, 0o777)
	if dirfd.NotFolder(err) {
		if err = w.modules.Unlink(binFolder); err == nil {
			w.bin, err = w.modules.MkdirAll(binFolder, 0o777)
		}
	}
	return err
}

func (w *binWriter) close() {
	for _, dir := range []*dirfd.Dir{w.bin, w.modules} {
		if dir != nil {
			dir.Close()
		}
	}
}

func (w *binWriter) link(b Bin) error {
	target := path.Clean(b.Target)
	if !dirfd.IsName(b.Name) || target == "." || !filepath.IsLocal(filepath.FromSlash(target)) || path.IsAbs(target) {
		return fmt.Errorf("%w: target %q", ErrBin, b.Target)
	}
	if _, err := parseLocation(b.Package); err != nil {
		return err
	}
	folder, err := w.tree.targetFolder(b, path.Dir(target))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	info, err := folder.Lstat(path.Base(target))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := w.open(); err != nil {
		return err
	}
	text, err := w.tree.relative(w.nm+"/"+binFolder, b.Package+"/"+target)
	if err != nil {
		return err
	}
	if info.Mode.IsRegular() {
		if err := makeRunnable(folder, path.Base(target), info, w.modules); err != nil {
			return err
		}
	}
	return makeCommand(w.bin, b.Name, text, folder, path.Base(target))
}

// targetFolder opens the folder of a command's target. In a real package no symlink leads there; of a linked one only
// its own is followed.
func (t *Tree) targetFolder(b Bin, dir string) (*dirfd.Dir, error) {
	if !b.Linked {
		folder, err := t.root.Sub(path.Join(b.Package, dir))
		if dirfd.NotFolder(err) {
			err = fmt.Errorf("%w: %w", ErrBlocked, err)
		}
		return folder, err
	}
	real, err := filepath.EvalSymlinks(t.abs(b.Package))
	if err != nil {
		return nil, err
	}
	pkg, err := dirfd.Open(real)
	if err != nil {
		return nil, err
	}
	defer pkg.Close()
	return pkg.Sub(dir)
}

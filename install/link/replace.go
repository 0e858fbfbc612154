package link

import (
	"errors"
	"fmt"
	"io/fs"

	"weft/install/internal/dirfd"
)

// moveIn renames the staged folder to name, replacing what is there.
func moveIn(parent *dirfd.Dir, stage, name string) error {
	err := parent.Rename(stage, parent, name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, statErr := parent.Lstat(name); statErr != nil {
		return err
	}
	retired, err := exchange(parent, stage, name)
	if err != nil {
		return err
	}
	if err := keepNested(parent, retired, name); err != nil {
		return fmt.Errorf("move nested packages from %s: %w", retired, err)
	}
	return parent.RemoveAll(retired)
}

// exchange puts stage in the place of name and returns where the old one went.
func exchange(parent *dirfd.Dir, stage, name string) (retired string, err error) {
	err = parent.Swap(stage, parent, name)
	if errors.Is(err, errors.ErrUnsupported) {
		return retire(parent, stage, name)
	}
	return stage, err
}

// retire is exchange in two steps. The first is undone if the second fails; a kill between them leaves no package.
func retire(parent *dirfd.Dir, stage, name string) (retired string, err error) {
	retired = hiddenName(name)
	if err := parent.Rename(name, parent, retired); err != nil {
		return "", err
	}
	if err := parent.Rename(stage, parent, name); err != nil {
		return "", errors.Join(err, parent.Rename(retired, parent, name))
	}
	return retired, nil
}

// keepNested moves the node_modules of the retired package into the new one. Where the new one brings packages of its
// own (bundled ones), those stay, and only others are added.
func keepNested(parent *dirfd.Dir, retired, name string) error {
	if info, err := parent.Lstat(retired); err != nil || !info.Mode.IsDir() {
		return err
	}
	old, err := parent.Sub(retired)
	if err != nil {
		return err
	}
	defer old.Close()
	if info, err := old.Lstat(modules); err != nil || !info.Mode.IsDir() {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	fresh, err := parent.Sub(name)
	if err != nil {
		return err
	}
	defer fresh.Close()
	return mergeInto(old, fresh, modules)
}

// mergeInto moves the folder name from one folder to another. If it is there already, node_modules and scopes are merged
// entry by entry, and of anything else the one that is there stays.
func mergeInto(from, to *dirfd.Dir, name string) error {
	if _, err := to.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return from.Rename(name, to, name)
	} else if err != nil {
		return err
	}
	if name != modules && name[0] != '@' {
		return nil
	}
	source, err := from.Sub(name)
	if dirfd.NotFolder(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := to.Sub(name)
	if dirfd.NotFolder(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer target.Close()
	entries, err := source.List()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := mergeInto(source, target, e.Name()); err != nil {
			return err
		}
	}
	return nil
}

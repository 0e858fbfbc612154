package link

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Symlink makes loc a relative symlink to the folder target, which is how npm installs workspaces and file:
// dependencies. target is relative to the project, slash-separated, and may lead out of it; it is not looked at. What
// stood at loc is replaced, unless it is that very link already.
func (t *Tree) Symlink(loc, target string) error {
	l, err := parseLocation(loc)
	if err != nil {
		return err
	}
	defer t.locks.lock(l.above, l.whole)()
	if err := t.symlink(l, target); err != nil {
		return fmt.Errorf("link %s: %w", loc, err)
	}
	return nil
}

func (t *Tree) symlink(l location, target string) error {
	text, err := t.relative(l.parent, target)
	if err != nil {
		return err
	}
	parent, err := t.folder(l.parent)
	if err != nil {
		return err
	}
	defer parent.Close()
	if old, err := parent.Readlink(l.name); err == nil && old == text {
		return nil
	}
	stage := hiddenName(l.name)
	if err := parent.Symlink(text, stage); err != nil {
		return err
	}
	err = parent.Rename(stage, parent, l.name)
	if err == nil {
		return nil
	}
	if info, statErr := parent.Lstat(l.name); statErr == nil && info.Mode.IsDir() {
		var retired string
		if retired, err = exchange(parent, stage, l.name); err == nil {
			return parent.RemoveAll(retired)
		}
	}
	if rmErr := parent.Unlink(stage); rmErr != nil && !errors.Is(rmErr, fs.ErrNotExist) {
		err = errors.Join(err, rmErr)
	}
	return err
}

// relative returns the slash path from the folder from to the path to, both relative to the project.
func (t *Tree) relative(from, to string) (string, error) {
	rel, err := filepath.Rel(t.abs(from), t.abs(to))
	return filepath.ToSlash(rel), err
}

func (t *Tree) abs(rel string) string { return filepath.Join(t.root.Path(), filepath.FromSlash(rel)) }

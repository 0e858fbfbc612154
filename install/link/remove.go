package link

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"weft/install/internal/dirfd"
)

// Remove removes the package at loc with everything nested in it, and its scope folder if that is then empty. A symlink
// there is removed and not followed. It disappears in one step; it is no error if it is not there.
func (t *Tree) Remove(loc string) error {
	l, err := parseLocation(loc)
	if err != nil {
		return err
	}
	defer t.locks.lock(l.above, l.whole)()
	if err := t.remove(l); err != nil {
		return fmt.Errorf("remove %s: %w", loc, err)
	}
	return nil
}

func (t *Tree) remove(l location) error {
	parent, err := t.root.Sub(l.parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if dirfd.NotFolder(err) {
		return fmt.Errorf("%w: %w", ErrBlocked, err)
	}
	if err != nil {
		return err
	}
	defer parent.Close()
	retired := hiddenName(l.name)
	err = parent.Rename(l.name, parent, retired)
	if err == nil {
		err = parent.RemoveAll(retired)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if in, scope, ok := l.scope(); ok {
		if holder, err := t.root.Sub(in); err == nil {
			_ = holder.RemoveDir(scope) // fails if it still holds something, and then it stays
			holder.Close()
		}
	}
	return nil
}

// Clean removes what killed runs left staged or retired in the node_modules folder at nm ("node_modules", or one below a
// package) and in its scopes, if it was last touched more than age ago, and returns how many things that were. With an
// age of 0 the caller must know that no other process works on the project.
func (t *Tree) Clean(nm string, age time.Duration) (removed int, err error) {
	dir, err := t.root.Sub(nm)
	if errors.Is(err, fs.ErrNotExist) || dirfd.NotFolder(err) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("clean %s: %w", nm, err)
	}
	defer dir.Close()
	if removed, err = clean(dir, age, true); err != nil {
		err = fmt.Errorf("clean %s: %w", nm, err)
	}
	return removed, err
}

func clean(dir *dirfd.Dir, age time.Duration, scopes bool) (removed int, err error) {
	entries, err := dir.List()
	for _, e := range entries {
		switch name := e.Name(); {
		case isHidden(name):
			if info, err := e.Info(); err != nil || time.Since(info.ModTime()) < age {
				continue
			}
			if rmErr := dir.RemoveAll(name); rmErr != nil {
				err = errors.Join(err, rmErr)
				continue
			}
			removed++
		case scopes && (name[0] == '@' || name == binFolder) && e.IsDir():
			sub, subErr := dir.Sub(name)
			if subErr != nil {
				continue // replaced meanwhile
			}
			n, subErr := clean(sub, age, false)
			removed += n
			err = errors.Join(err, subErr, sub.Close())
		}
	}
	return removed, err
}

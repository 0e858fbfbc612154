package dirfd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Info is what Lstat tells.
type Info struct {
	// Mode has the type and the permission bits.
	Mode fs.FileMode
	// Size is in bytes.
	Size int64
	// Links counts hard links; 1 where the system does not say.
	Links uint64
	// Device and Inode identify the file; both are 0 where the system does not say.
	Device, Inode uint64
}

// Path returns the path that d was opened by, for messages.
func (d *Dir) Path() string { return d.path }

func (d *Dir) join(rel string) string { return filepath.Join(d.path, filepath.FromSlash(rel)) }

func (d *Dir) failed(op, rel string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: d.join(rel), Err: err}
}

func (d *Dir) linkFailed(op, rel string, to *Dir, toRel string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: d.join(rel), New: to.join(toRel), Err: err}
}

// NotFolder reports whether err says that something which should be a folder is a symlink or a file.
func NotFolder(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENOTDIR)
}

// IsName reports whether s is one component, and so cannot lead anywhere but below the folder it is used in.
func IsName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\x00") && filepath.IsLocal(s) &&
		!strings.ContainsRune(s, filepath.Separator)
}

// RemoveAll removes name and everything below it, following no symlink. It is no error if name does not exist.
func (d *Dir) RemoveAll(name string) error {
	err := d.Unlink(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	sub, subErr := d.Sub(name)
	if errors.Is(subErr, fs.ErrNotExist) {
		return nil
	}
	if subErr != nil {
		return err
	}
	entries, err := sub.List()
	for _, e := range entries {
		if rmErr := sub.RemoveAll(e.Name()); rmErr != nil && err == nil {
			err = rmErr
		}
	}
	sub.Close()
	if err != nil {
		return err
	}
	if err := d.RemoveDir(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// MkdirAll makes the folders of rel that do not exist and opens the last one. Like Sub it refuses symlinks.
func (d *Dir) MkdirAll(rel string, perm fs.FileMode) (*Dir, error) {
	sub, err := d.Sub(rel)
	if !errors.Is(err, fs.ErrNotExist) {
		return sub, err
	}
	at := d
	for name := range strings.SplitSeq(rel, "/") {
		if err := at.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, errors.Join(err, at.closeUnless(d))
		}
		next, err := at.Sub(name)
		if err != nil {
			return nil, errors.Join(err, at.closeUnless(d))
		}
		at.closeUnless(d)
		at = next
	}
	return at, nil
}

func (d *Dir) closeUnless(keep *Dir) error {
	if d == keep {
		return nil
	}
	return d.Close()
}

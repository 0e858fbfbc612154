//go:build !linux && !darwin

package dirfd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// Dir is a folder, by its path.
type Dir struct{ path string }

// Open opens the folder at path, following symlinks.
func Open(path string) (*Dir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return &Dir{path: path}, nil
}

// Close releases the handle.
func (d *Dir) Close() error { return nil }

// Sub opens the folder at rel; "" and "." mean d itself. A symlink in any component is an error for which NotFolder holds.
func (d *Dir) Sub(rel string) (*Dir, error) {
	at := d.path
	if rel == "" || rel == "." {
		return &Dir{path: at}, nil
	}
	for name := range strings.SplitSeq(rel, "/") {
		if !IsName(name) {
			return nil, d.failed("open", rel, syscall.EINVAL)
		}
		at += string(os.PathSeparator) + name
		info, err := os.Lstat(at)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: at, Err: syscall.ENOTDIR}
		}
	}
	return &Dir{path: at}, nil
}

// Mkdir makes a folder. perm is subject to the process's umask.
func (d *Dir) Mkdir(rel string, perm fs.FileMode) error { return os.Mkdir(d.join(rel), perm) }

// WriteFile creates a file that does not exist yet, with the mode perm, and fills it. On an error the file may be there
// in part.
func (d *Dir) WriteFile(rel string, data []byte, perm fs.FileMode) error {
	f, err := os.OpenFile(d.join(rel), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Read appends the content of a file to buf, which it grows as needed. A file longer than limit is io.ErrShortBuffer.
func (d *Dir) Read(rel string, buf []byte, limit int) ([]byte, error) {
	data, err := os.ReadFile(d.join(rel))
	if err != nil {
		return buf, err
	}
	if len(data) > limit {
		return buf, d.failed("read", rel, io.ErrShortBuffer)
	}
	return append(buf, data...), nil
}

// Head reads the first bytes of a file into buf and returns those it got.
func (d *Dir) Head(rel string, buf []byte) ([]byte, error) {
	f, err := os.Open(d.join(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return buf[:n], nil
}

// Link makes toRel in to a hard link of the file at rel.
func (d *Dir) Link(rel string, to *Dir, toRel string) error {
	return os.Link(d.join(rel), to.join(toRel))
}

// Copy makes toRel in to a file of its own with the content of rel and the mode perm. There is no cloning here.
func (d *Dir) Copy(rel string, to *Dir, toRel string, perm fs.FileMode, clone bool) (cloned bool, err error) {
	source, err := os.Open(d.join(rel))
	if err != nil {
		return false, err
	}
	defer source.Close()
	target, err := os.OpenFile(to.join(toRel), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(target, source)
	return false, errors.Join(err, target.Close())
}

// Rename moves name to toName in to, replacing a file, a symlink or an empty folder there.
func (d *Dir) Rename(name string, to *Dir, toName string) error {
	return os.Rename(d.join(name), to.join(toName))
}

// Swap exchanges two things in one step. Where the system or the file system cannot, errors.ErrUnsupported holds.
func (d *Dir) Swap(name string, to *Dir, toName string) error {
	return d.linkFailed("swap", name, to, toName, errors.ErrUnsupported)
}

// Symlink makes name a symlink with the given text.
func (d *Dir) Symlink(text, name string) error { return os.Symlink(text, d.join(name)) }

// Readlink returns the text of a symlink; for anything else it is an error.
func (d *Dir) Readlink(name string) (string, error) { return os.Readlink(d.join(name)) }

// Lstat describes the thing at rel itself, not what a symlink points to.
func (d *Dir) Lstat(rel string) (Info, error) {
	info, err := os.Lstat(d.join(rel))
	if err != nil {
		return Info{}, err
	}
	return Info{Mode: info.Mode(), Size: info.Size(), Links: 1}, nil
}

// Unlink removes a file or a symlink.
func (d *Dir) Unlink(name string) error {
	info, err := os.Lstat(d.join(name))
	if err != nil {
		return err
	}
	if info.IsDir() {
		return d.failed("unlink", name, syscall.EISDIR)
	}
	return os.Remove(d.join(name))
}

// RemoveDir removes an empty folder.
func (d *Dir) RemoveDir(name string) error { return os.Remove(d.join(name)) }

// Chmod sets the permission bits of a file or folder.
func (d *Dir) Chmod(name string, perm fs.FileMode) error { return os.Chmod(d.join(name), perm) }

// List returns the entries of d in no particular order.
func (d *Dir) List() ([]fs.DirEntry, error) { return os.ReadDir(d.path) }

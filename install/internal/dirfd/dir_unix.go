//go:build linux || darwin

package dirfd

import (
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Dir is an open folder.
type Dir struct {
	fd   int
	path string
}

const openFolder = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC

// Open opens the folder at path, following symlinks.
func Open(path string) (*Dir, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, openFolder, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &Dir{fd: fd, path: path}, nil
}

// Close releases the handle.
func (d *Dir) Close() error { return d.failed("close", "", unix.Close(d.fd)) }

// Sub opens the folder at rel; "" and "." mean d itself. A symlink in any component is an error for which NotFolder holds.
func (d *Dir) Sub(rel string) (*Dir, error) {
	if rel == "" {
		rel = "."
	}
	fd, err := openBeneath(d.fd, rel)
	if err != nil {
		return nil, d.failed("open", rel, err)
	}
	return &Dir{fd: fd, path: d.join(rel)}, nil
}

// openEach is openBeneath one component at a time.
func openEach(fd int, rel string) (int, error) {
	at := fd
	for name := range strings.SplitSeq(rel, "/") {
		if name == ".." || name == "" {
			err := error(unix.EXDEV)
			if at != fd {
				unix.Close(at)
			}
			return -1, err
		}
		from := at
		next, err := retry(func() (int, error) { return unix.Openat(from, name, openFolder|unix.O_NOFOLLOW, 0) })
		if at != fd {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}

// Mkdir makes a folder. perm is subject to the process's umask.
func (d *Dir) Mkdir(rel string, perm fs.FileMode) error {
	_, err := retry(func() (int, error) { return 0, unix.Mkdirat(d.fd, rel, uint32(perm.Perm())) })
	return d.failed("mkdir", rel, err)
}

// WriteFile creates a file that does not exist yet, with exactly the mode perm, and fills it. On an error the file may
// be there in part.
func (d *Dir) WriteFile(rel string, data []byte, perm fs.FileMode) error {
	fd, err := d.create(rel, perm)
	if err != nil {
		return err
	}
	err = writeAll(fd, data)
	if closeErr := unix.Close(fd); err == nil {
		err = closeErr
	}
	return d.failed("write", rel, err)
}

func (d *Dir) create(rel string, perm fs.FileMode) (int, error) {
	const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := retry(func() (int, error) { return unix.Openat(d.fd, rel, flags, uint32(perm.Perm())) })
	if err != nil {
		return -1, d.failed("create", rel, err)
	}
	if perm.Perm()&umask() != 0 {
		if err := unix.Fchmod(fd, uint32(perm.Perm())); err != nil {
			unix.Close(fd)
			return -1, d.failed("chmod", rel, err)
		}
	}
	return fd, nil
}

func writeAll(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := retry(func() (int, error) { return unix.Write(fd, data) })
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// Read appends the content of a file to buf, which it grows as needed. A file longer than limit is io.ErrShortBuffer.
func (d *Dir) Read(rel string, buf []byte, limit int) ([]byte, error) {
	fd, err := d.openFile(rel)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	start := len(buf)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil {
			return buf, d.failed("read", rel, err)
		}
		full := n == cap(buf)-len(buf)
		buf = buf[:len(buf)+n]
		if len(buf)-start > limit {
			return buf, d.failed("read", rel, io.ErrShortBuffer)
		}
		// A short read of a regular file is its end; only a full one leaves a doubt.
		if n == 0 || !full {
			return buf, nil
		}
	}
}

// Head reads the first bytes of a file into buf and returns those it got.
func (d *Dir) Head(rel string, buf []byte) ([]byte, error) {
	fd, err := d.openFile(rel)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n, err := retry(func() (int, error) { return unix.Read(fd, buf) })
	if err != nil {
		return nil, d.failed("read", rel, err)
	}
	return buf[:n], nil
}

func (d *Dir) openFile(rel string) (int, error) {
	const flags = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	fd, err := retry(func() (int, error) { return unix.Openat(d.fd, rel, flags, 0) })
	if err != nil {
		return -1, d.failed("open", rel, err)
	}
	return fd, nil
}

// Rename moves name to toName in to, replacing a file, a symlink or an empty folder there.
func (d *Dir) Rename(name string, to *Dir, toName string) error {
	_, err := retry(func() (int, error) { return 0, unix.Renameat(d.fd, name, to.fd, toName) })
	return d.linkFailed("rename", name, to, toName, err)
}

// Swap exchanges two things in one step. Where the system or the file system cannot, errors.ErrUnsupported holds.
func (d *Dir) Swap(name string, to *Dir, toName string) error {
	return d.linkFailed("swap", name, to, toName, swap(d.fd, name, to.fd, toName))
}

// Symlink makes name a symlink with the given text.
func (d *Dir) Symlink(text, name string) error {
	return d.failed("symlink", name, unix.Symlinkat(text, d.fd, name))
}

// Readlink returns the text of a symlink; for anything else the error is EINVAL.
func (d *Dir) Readlink(name string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(d.fd, name, buf)
		if err != nil {
			return "", d.failed("readlink", name, err)
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

// Lstat describes the thing at rel itself, not what a symlink points to.
func (d *Dir) Lstat(rel string) (Info, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, rel, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Info{}, d.failed("lstat", rel, err)
	}
	mode := fs.FileMode(st.Mode & 0o777)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	default:
		mode |= fs.ModeIrregular
	}
	return Info{Mode: mode, Size: st.Size, Links: uint64(st.Nlink), Device: uint64(st.Dev), Inode: uint64(st.Ino)}, nil
}

// Unlink removes a file or a symlink.
func (d *Dir) Unlink(name string) error {
	return d.failed("unlink", name, unix.Unlinkat(d.fd, name, 0))
}

// RemoveDir removes an empty folder.
func (d *Dir) RemoveDir(name string) error {
	return d.failed("rmdir", name, unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR))
}

// Chmod sets the permission bits of a file or folder; a symlink is an error.
func (d *Dir) Chmod(name string, perm fs.FileMode) error {
	fd, err := d.openFile(name)
	if err != nil {
		return err
	}
	err = unix.Fchmod(fd, uint32(perm.Perm()))
	unix.Close(fd)
	return d.failed("chmod", name, err)
}

// List returns the entries of d in no particular order.
func (d *Dir) List() ([]fs.DirEntry, error) {
	fd, err := retry(func() (int, error) { return unix.Openat(d.fd, ".", openFolder, 0) })
	if err != nil {
		return nil, d.failed("open", "", err)
	}
	f := os.NewFile(uintptr(fd), d.path)
	defer f.Close()
	return f.ReadDir(-1)
}

// retry repeats a call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

package dirfd

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func openBeneath(fd int, rel string) (int, error) { return openEach(fd, rel) }

// Link makes toRel in to a hard link of the file at rel.
func (d *Dir) Link(rel string, to *Dir, toRel string) error {
	_, err := retry(func() (int, error) { return 0, unix.Linkat(d.fd, rel, to.fd, toRel, 0) })
	return d.linkFailed("link", rel, to, toRel, err)
}

func swap(fd int, name string, toFd int, toName string) error {
	err := unix.RenameatxNp(fd, name, toFd, toName, unix.RENAME_SWAP)
	if err == unix.EINVAL || err == unix.ENOTSUP {
		return errors.ErrUnsupported
	}
	return err
}

// Copy makes toRel in to a file of its own with the content of rel and exactly the mode perm. With clone it first asks
// the file system for a copy that shares its blocks, and reports whether it got one.
func (d *Dir) Copy(rel string, to *Dir, toRel string, perm fs.FileMode, clone bool) (cloned bool, err error) {
	if clone && unix.Clonefileat(d.fd, rel, to.fd, toRel, unix.CLONE_NOFOLLOW) == nil {
		return true, to.Chmod(toRel, perm)
	}
	in, err := d.openFile(rel)
	if err != nil {
		return false, err
	}
	source := os.NewFile(uintptr(in), d.join(rel))
	defer source.Close()
	out, err := to.create(toRel, perm)
	if err != nil {
		return false, err
	}
	target := os.NewFile(uintptr(out), to.join(toRel))
	_, err = io.Copy(target, source)
	return false, errors.Join(err, target.Close())
}

// umask cannot be known here without setting it, so every mode is set explicitly.
func umask() fs.FileMode { return fs.ModePerm }

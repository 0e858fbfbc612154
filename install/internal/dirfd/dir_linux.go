package dirfd

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noOpenat2 is set once the kernel (before 5.6) or a sandbox refused openat2.
var noOpenat2 atomic.Bool

func openBeneath(fd int, rel string) (int, error) {
	if noOpenat2.Load() {
		return openEach(fd, rel)
	}
	how := unix.OpenHow{Flags: openFolder, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	for {
		sub, err := unix.Openat2(fd, rel, &how)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN: // EAGAIN: something was renamed on the way
		case err == unix.ENOSYS || err == unix.EPERM:
			noOpenat2.Store(true)
			return openEach(fd, rel)
		default:
			return sub, err
		}
	}
}

// linkPathBytes is how long a path may be for Link to copy it to its stack.
const linkPathBytes = 512

// Link makes toRel in to a hard link of the file at rel. Being the one call made for every file of every install, it
// passes its paths from the stack.
func (d *Dir) Link(rel string, to *Dir, toRel string) error {
	if len(rel) >= linkPathBytes || len(toRel) >= linkPathBytes {
		return d.linkFailed("link", rel, to, toRel, unix.Linkat(d.fd, rel, to.fd, toRel, 0))
	}
	var from, into [linkPathBytes]byte
	copy(from[:], rel)
	fromPath, intoPath := &from, &from
	if rel != toRel {
		copy(into[:], toRel)
		intoPath = &into
	}
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(d.fd), uintptr(unsafe.Pointer(fromPath)),
			uintptr(to.fd), uintptr(unsafe.Pointer(intoPath)), 0, 0)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return d.linkFailed("link", rel, to, toRel, errno)
		}
	}
}

func swap(fd int, name string, toFd int, toName string) error {
	err := unix.Renameat2(fd, name, toFd, toName, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || err == unix.ENOSYS || err == unix.ENOTSUP || err == unix.EPERM {
		return errors.ErrUnsupported
	}
	return err
}

// Copy makes toRel in to a file of its own with the content of rel and exactly the mode perm. With clone it first asks
// the file system for a copy that shares its blocks, and reports whether it got one.
func (d *Dir) Copy(rel string, to *Dir, toRel string, perm fs.FileMode, clone bool) (cloned bool, err error) {
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
	if clone && unix.IoctlFileClone(out, in) == nil {
		return true, target.Close()
	}
	_, err = target.ReadFrom(source)
	return false, errors.Join(err, target.Close())
}

// umask returns the process's umask, or all bits where it cannot be known without setting it.
var umask = sync.OnceValue(func() fs.FileMode {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return fs.ModePerm
	}
	_, rest, found := bytes.Cut(status, []byte("\nUmask:\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	mask, err := strconv.ParseUint(string(line), 8, 32)
	if !found || err != nil {
		return fs.ModePerm
	}
	return fs.FileMode(mask)
})

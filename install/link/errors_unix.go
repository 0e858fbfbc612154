//go:build !windows

package link

import (
	"errors"
	"syscall"
)

// tooManyLinks reports that this file can have no more links, though others can.
func tooManyLinks(err error) bool { return errors.Is(err, syscall.EMLINK) }

// linksFail reports that no link from the store to here will work: another device, a file system without links, or a
// kernel that forbids links to files of other users.
func linksFail(err error) bool {
	for _, errno := range []syscall.Errno{syscall.EXDEV, syscall.EPERM, syscall.EACCES, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

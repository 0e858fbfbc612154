package link

import (
	"errors"

	"golang.org/x/sys/windows"
)

// tooManyLinks reports that this file can have no more links, though others can.
func tooManyLinks(err error) bool { return errors.Is(err, windows.ERROR_TOO_MANY_LINKS) }

// linksFail reports that no link from the store to here will work: another volume, or a file system without links.
func linksFail(err error) bool {
	for _, errno := range []error{windows.ERROR_NOT_SAME_DEVICE, windows.ERROR_INVALID_FUNCTION, windows.ERROR_NOT_SUPPORTED, windows.ERROR_ACCESS_DENIED} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

//go:build !linux

package state

import (
	"io/fs"
	"os"
	"strconv"
	"time"
)

// identity falls back on what os.Lstat has everywhere: the kind, and for a file
// its time of change. A folder that was removed and made again is found here
// only by what is missing in it.
func identity(path string) (id string, isLink bool, err error) {
	st, err := os.Lstat(path)
	if err != nil {
		return "", false, err
	}
	id = strconv.FormatUint(uint64(st.Mode().Type()), 36)
	if st.Mode().IsRegular() {
		id += "." + strconv.FormatInt(st.ModTime().UnixNano(), 36)
	}
	return id, st.Mode()&fs.ModeSymlink != 0, nil
}

// stamp gives size and time of change.
func stamp(path string) (string, time.Time) {
	st, err := os.Stat(path)
	if err != nil {
		return "", time.Time{}
	}
	return strconv.FormatInt(st.Size(), 36) + "." + strconv.FormatInt(st.ModTime().UnixNano(), 36), st.ModTime()
}

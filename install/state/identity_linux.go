package state

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const statMask = unix.STATX_TYPE | unix.STATX_INO | unix.STATX_BTIME

// identity names the thing at path: device, inode and birth. File systems
// without a time of birth give its kind in its place.
func identity(path string) (id string, isLink bool, err error) {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, statMask, &st); err != nil {
		return "", false, &os.PathError{Op: "statx", Path: path, Err: err}
	}
	kind := st.Mode & unix.S_IFMT
	b := make([]byte, 0, 64)
	b = strconv.AppendUint(b, uint64(unix.Mkdev(st.Dev_major, st.Dev_minor)), 36)
	b = append(b, '.')
	b = strconv.AppendUint(b, st.Ino, 36)
	b = append(b, '.')
	if st.Mask&unix.STATX_BTIME != 0 {
		b = strconv.AppendInt(b, st.Btime.Sec*1e9+int64(st.Btime.Nsec), 36)
	}
	b = append(b, '.')
	b = strconv.AppendUint(b, uint64(kind), 36)
	return string(b), kind == unix.S_IFLNK, nil
}

// stamp gives what changes whenever a file's bytes do, following links, and the
// later of its two times.
func stamp(path string) (string, time.Time) {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return "", time.Time{}
	}
	b := strconv.AppendUint(nil, st.Ino, 36)
	for _, n := range []int64{st.Size, st.Mtim.Nano(), st.Ctim.Nano()} {
		b = append(b, '.')
		b = strconv.AppendInt(b, n, 36)
	}
	return string(b), time.Unix(0, max(st.Mtim.Nano(), st.Ctim.Nano()))
}

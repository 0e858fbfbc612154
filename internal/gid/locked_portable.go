//go:build !amd64 && !arm64

package gid

// Locked reports whether the calling goroutine is locked to its thread, and
// whether that is known: here it is not.
func Locked() (locked, known bool) { return false, false }

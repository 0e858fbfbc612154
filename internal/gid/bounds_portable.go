//go:build !amd64 && !arm64

package gid

// StackSize is how much memory the calling goroutine's stack has now, used or not,
// in bytes; 0 where it is not known, as here.
func StackSize() int { return 0 }

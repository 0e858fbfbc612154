//go:build amd64 || arm64

package gid

import "unsafe"

// StackSize is how much memory the calling goroutine's stack has now, used or not,
// in bytes; 0 where it is not known. It grows and shrinks by factors of two.
//
// The bounds are the first two words of the Go runtime's g, where its own linker
// and assembly rely on them. Should that change, the address of a local is not
// between them, and the size counts as unknown.
func StackSize() int {
	var local byte
	lo, hi := bounds()
	if at := uintptr(unsafe.Pointer(&local)); at < lo || at >= hi {
		return 0
	}
	return int(hi - lo)
}

func bounds() (lo, hi uintptr)

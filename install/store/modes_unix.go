//go:build !windows

package store

// modesKept says whether the file system keeps permission bits.
const modesKept = true

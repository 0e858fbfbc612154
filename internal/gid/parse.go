package gid

import "runtime"

// parsed reads the goroutine's id from the first line of its trace, which has
// begun with "goroutine N [" since Go 1.0. It is the fallback of processors
// without an assembly version and the check of those with one.
func parsed() uintptr {
	const prefix = len("goroutine ")
	var buf [64]byte
	n := runtime.Stack(buf[:], false)
	var id uintptr
	for _, c := range buf[min(prefix, n):n] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uintptr(c-'0')
	}
	return id
}

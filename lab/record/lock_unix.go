//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"os"
	"syscall"
)

// lockFile takes an advisory lock that ends with the process.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

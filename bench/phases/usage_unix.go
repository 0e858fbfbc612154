//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// addSystem adds the figures that only wait4 gives.
func (u *usage) addSystem(state *os.ProcessState) {
	r, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	u.MaxRSSKiB = int64(r.Maxrss)
	if runtime.GOOS == "darwin" {
		u.MaxRSSKiB /= 1024 // bytes there
	}
	u.Voluntary, u.Involuntary = int64(r.Nvcsw), int64(r.Nivcsw)
	u.MinorFaults, u.MajorFaults = int64(r.Minflt), int64(r.Majflt)
}

// syncDisk writes back what earlier runs left in memory, so that no run pays
// for another.
func syncDisk() { syscall.Sync() }

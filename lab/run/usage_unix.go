//go:build !linux && !windows && !plan9 && !js && !wasip1

package run

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}

// usage adds what rusage tells. Peak memory is in bytes on Darwin, in KiB
// elsewhere (getrusage(2)).
func usage(state *os.ProcessState, values map[string]float64) {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	size := 1024.0
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		size = 1
	}
	values["peak_rss_bytes"] = float64(u.Maxrss) * size
	values["vol_switches"] = float64(u.Nvcsw)
	values["invol_switches"] = float64(u.Nivcsw)
	values["minor_faults"] = float64(u.Minflt)
	values["major_faults"] = float64(u.Majflt)
}

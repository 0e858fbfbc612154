package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// usage is what one run cost, over the tool's process and all that it waited
// for.
type usage struct {
	WallSec float64 `json:"wall_s"`
	UserSec float64 `json:"user_s"`
	SysSec  float64 `json:"sys_s"`
	// MaxRSSKiB is the largest process's peak, not the sum over processes.
	MaxRSSKiB   int64 `json:"max_rss_kib"`
	Voluntary   int64 `json:"voluntary"`
	Involuntary int64 `json:"involuntary"`
	MinorFaults int64 `json:"minor_faults"`
	MajorFaults int64 `json:"major_faults"`
	Exit        int   `json:"exit"`
}

// launchWord is the hidden first argument that makes this program a launcher.
const launchWord = "launch-child"

// launch runs a command through a second copy of this program that does
// nothing else. On Linux a child's peak memory begins with that of the process
// that spawned it, so a big parent would be mistaken for the child.
func launch(cmd *exec.Cmd) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return usage{}, err
	}
	defer r.Close()
	child := exec.Command(self, append([]string{launchWord, cmd.Path}, cmd.Args[1:]...)...)
	child.Dir, child.Env, child.Stdout, child.Stderr = cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr
	child.ExtraFiles = []*os.File{w}
	if err := child.Start(); err != nil {
		w.Close()
		return usage{}, fmt.Errorf("launch %s: %w", cmd.Path, err)
	}
	w.Close()
	var u usage
	decodeErr := json.NewDecoder(r).Decode(&u)
	if err := child.Wait(); err != nil || decodeErr != nil {
		return usage{}, fmt.Errorf("launch %s: %w", cmd.Path, errors.Join(err, decodeErr))
	}
	return u, nil
}

// launcher is the second copy's whole work: run the command, measure it, and
// write the figures to file descriptor 3. It returns the exit code.
func launcher(args []string) int {
	out := os.NewFile(3, "figures")
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var failed *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &failed) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	u := usage{
		WallSec: time.Since(began).Seconds(),
		UserSec: cmd.ProcessState.UserTime().Seconds(),
		SysSec:  cmd.ProcessState.SystemTime().Seconds(),
		Exit:    cmd.ProcessState.ExitCode(),
	}
	u.addSystem(cmd.ProcessState)
	if err := json.NewEncoder(out).Encode(u); err != nil {
		return 1
	}
	return 0
}

//go:build !linux

package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Launcher does nothing on this system: programs are started directly.
func Launcher() {}

// Starter starts programs directly.
type Starter struct{}

// NewStarter never fails on this system.
func NewStarter() (*Starter, error) { return &Starter{}, nil }

// Close does nothing.
func (s *Starter) Close() error { return nil }

// Start runs a program to its end. keep asks for the head of its output. When
// ctx ends the program is killed, on Unix with its process group, and the
// Outcome is Canceled. It fails with ErrStart.
func (s *Starter) Start(ctx context.Context, spec Spec, keep bool) (Outcome, error) {
	o := Outcome{Values: map[string]float64{}, Absent: map[string]string{}}
	if spec.Isolated {
		return o, fmt.Errorf("%w %s: network: isolated takes Linux", ErrStart, spec.Path)
	}
	limited, stop := ctx, context.CancelFunc(func() {})
	if spec.Timeout > 0 {
		limited, stop = context.WithTimeout(ctx, spec.Timeout)
	}
	defer stop()
	cmd := exec.CommandContext(limited, spec.Path)
	cmd.Args, cmd.Env, cmd.Dir = spec.Args, spec.Env, spec.Dir
	cmd.WaitDelay = time.Second // descendants may hold the pipes
	ownGroup(cmd)
	stdout, out := io.Pipe()
	stderr, errs := io.Pipe()
	cmd.Stdout, cmd.Stderr = out, errs
	collected := collect(stdout, stderr, keep)
	start := time.Now()
	err := cmd.Start()
	if err == nil {
		err = cmd.Wait()
	}
	wall := time.Since(start)
	out.Close()
	errs.Close()
	o.Output, o.Stderr = collected()
	if cmd.ProcessState == nil {
		return o, fmt.Errorf("%w %s: %v", ErrStart, spec.Path, err)
	}
	state := cmd.ProcessState
	o.Exit = exitCode(state)
	o.Canceled = ctx.Err() != nil
	o.TimedOut = !o.Canceled && errors.Is(limited.Err(), context.DeadlineExceeded)
	o.Values["wall_ns"] = float64(wall)
	o.Values["user_ns"] = float64(state.UserTime())
	o.Values["sys_ns"] = float64(state.SystemTime())
	usage(state, o.Values)
	return o, nil
}

package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"weft/lab/record"
)

// Starter starts programs through a launcher. It is for one goroutine.
type Starter struct {
	cmd     *exec.Cmd
	in      *os.File
	out     *os.File
	send    *json.Encoder
	receive *json.Decoder
	id      int // of the last request
}

// NewStarter starts the launcher: this binary, whose main must begin with
// [Launcher].
func NewStarter() (*Starter, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("run: %w", err), theirIn.Close(), in.Close())
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), launcherVar+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, os.Stderr
	// Not in our process group: Ctrl-C is ours to handle.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("run: launcher: %w", err)
	}
	return &Starter{cmd: cmd, in: in, out: out, send: json.NewEncoder(in), receive: json.NewDecoder(out)}, nil
}

// Close ends the launcher and waits for it.
func (s *Starter) Close() error {
	err := errors.Join(s.in.Close(), s.cmd.Wait(), s.out.Close())
	if err != nil {
		return fmt.Errorf("run: launcher: %w", err)
	}
	return nil
}

// Start runs a program to its end. keep asks for the head of its output. When
// ctx ends the program and all its descendants are killed and the Outcome is
// Canceled. It fails with ErrStart or ErrLauncher.
func (s *Starter) Start(ctx context.Context, spec Spec, keep bool) (Outcome, error) {
	var o Outcome
	stdout, theirOut, err := os.Pipe()
	if err != nil {
		return o, fmt.Errorf("run: %w", err)
	}
	defer stdout.Close()
	stderr, theirErr, err := os.Pipe()
	if err != nil {
		theirOut.Close()
		return o, fmt.Errorf("run: %w", err)
	}
	defer stderr.Close()
	collected := collect(stdout, stderr, keep)
	path := func(f *os.File) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()) }
	s.id++
	err = s.send.Encode(request{Spec: spec, ID: s.id, Stdout: path(theirOut), Stderr: path(theirErr)})
	answered := make(chan error, 1)
	if err == nil {
		go func() { answered <- s.receive.Decode(&o) }()
		err = s.wait(ctx, spec, answered, &o.Curve)
	}
	theirOut.Close()
	theirErr.Close()
	runtime.KeepAlive(theirOut)
	if err != nil {
		return o, fmt.Errorf("%w: %v", ErrLauncher, err)
	}
	o.Output, o.Stderr = collected()
	if o.Failed != "" {
		return o, fmt.Errorf("%w %s: %s", ErrStart, spec.Path, o.Failed)
	}
	return o, nil
}

// wait waits for the answer, polls meanwhile if that is asked for, and cancels
// the run when ctx ends.
func (s *Starter) wait(ctx context.Context, spec Spec, answered <-chan error, curve *[]record.Point) error {
	stop := func() []record.Point { return nil }
	if spec.Polled {
		stop = poll(s.cmd.Process.Pid)
	}
	defer func() { *curve = stop() }()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
	}
	if err := s.send.Encode(request{ID: s.id, Cancel: true}); err != nil {
		return err
	}
	return <-answered
}

//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"weft/install/report"
	"weft/internal/jsonschema"
	lab "weft/lab/report"
)

// TestBenchScripts runs testdata/bench. Beside status there are
//
//	interrupt-run PIPE COMMAND...  sends SIGINT once a run speaks into PIPE, and
//	                               wants exit status 130
//	kill-run PIPE COMMAND...       does the same with SIGKILL
//	valid FILE                     wants a document that keeps to the schema
//	replace FILE OLD NEW           changes the first OLD of a file
func TestBenchScripts(t *testing.T) {
	if raceBuild {
		t.Skip("many runs, and a launcher of a race build is slow to start them")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/bench",
		UpdateScripts:       os.Getenv("WEFT_UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			weft, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("WEFT_BIN", weft)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TMPDIR", env.WorkDir)
			env.Setenv("LC_ALL", "C.UTF-8")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":        status,
			"interrupt-run": func(ts *testscript.TestScript, _ bool, args []string) { signalRun(ts, os.Interrupt, args) },
			"kill-run":      func(ts *testscript.TestScript, _ bool, args []string) { signalRun(ts, os.Kill, args) },
			"valid":         valid,
			"replace":       replaceIn,
		},
	})
}

func signalRun(ts *testscript.TestScript, signal os.Signal, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: interrupt-run PIPE COMMAND...")
	}
	ctx, cancel := context.WithTimeout(context.Background(), interruptLimit)
	defer cancel()
	pipe := ts.MkAbs(args[0])
	ts.Check(syscall.Mkfifo(pipe, 0o600))
	var text strings.Builder
	cmd := command(ctx, ts, args[1:])
	cmd.Stdout, cmd.Stderr = &text, &text
	ts.Check(cmd.Start())
	spoke := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(pipe) // until a run speaks
		spoke <- err
	}()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	select {
	case err := <-spoke:
		ts.Check(err)
		_ = cmd.Process.Signal(signal)
		<-ended
	case <-ended:
		// Lets the reader go.
		_ = exec.Command("sh", "-c", ": <>\"$0\"", pipe).Run()
		ts.Logf("%s", text.String())
		ts.Fatalf("it ended before a run spoke: %v", cmd.ProcessState)
	}
	ts.Logf("%s", text.String())
	if signal == os.Interrupt && cmd.ProcessState.ExitCode() != report.ExitInterrupted {
		ts.Fatalf("%v, want exit status %d", cmd.ProcessState, report.ExitInterrupted)
	}
}

func valid(ts *testscript.TestScript, _ bool, args []string) {
	found, err := jsonschema.Faults(lab.Schema, []byte(ts.ReadFile(args[0])))
	ts.Check(err)
	if len(found) > 0 {
		ts.Fatalf("%s: %s", args[0], strings.Join(found, "\n"))
	}
}

func replaceIn(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	changed := strings.Replace(text, args[1], args[2], 1)
	if changed == text {
		ts.Fatalf("%s holds no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(changed), 0o644))
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"weft/install"
	"weft/install/report"
	"weft/internal/regtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"weft": main, "weft-stuck": stuck, "tiny": tiny})
}

// stuck is a weft whose pipeline does not end when it is told to.
func stuck() {
	os.Exit(run(os.Args[1:], world{
		stdout: os.Stdout, stderr: os.Stderr, env: os.Environ(),
		install: func(_ context.Context, o install.Options) (*report.Summary, error) {
			o.Report.Notice("stuck")
			select {}
		},
	}))
}

// TestScripts runs testdata/script. Each script has a registry of its own: the
// files under registry/NAME@VERSION/ are the packages in it. Beside
// testscript's own commands there are
//
//	status N COMMAND...         runs a command and wants that exit status
//	fault NAME KIND [STATUS]    the registry fails on packuments of NAME
//	tarfault NAME KIND          the registry fails on tarballs of NAME
//	heal NAME                   takes NAME's faults away
//	requests MIN MAX            how often it was asked since the last time
//	interrupt N COMMAND...      sends SIGINT once the registry was asked N
//	                            times, and wants exit status 130
//	interrupt-twice COMMAND...  sends SIGINT after each of its first two lines,
//	                            and wants exit status 130
//
// $WEFT_BIN is the folder of the program under test. WEFT_UPDATE=1 rewrites what
// cmp compares.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("WEFT_UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			reg := regtest.New(t)
			if err := publish(reg, filepath.Join(env.WorkDir, "registry")); err != nil {
				return err
			}
			env.Values[registryKey{}] = reg
			home := filepath.Join(env.WorkDir, "home")
			for _, dir := range []string{home, filepath.Join(env.WorkDir, "tmp")} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
			}
			weft, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("WEFT_BIN", weft)
			env.Setenv("HOME", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
			env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
			env.Setenv("REGISTRY", reg.URL())
			env.Setenv("npm_config_registry", reg.URL())
			env.Setenv("npm_config_fetch_retries", "1")
			env.Setenv("npm_config_fetch_retry_mintimeout", "1")
			env.Setenv("npm_config_fetch_retry_maxtimeout", "2")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    status,
			"fault":     func(ts *testscript.TestScript, _ bool, args []string) { fault(ts, regtest.Packuments, args) },
			"tarfault":  func(ts *testscript.TestScript, _ bool, args []string) { fault(ts, regtest.Tarballs, args) },
			"heal":      func(ts *testscript.TestScript, _ bool, args []string) { registry(ts).Heal(args[0]) },
			"requests":  requests,
			"interrupt": interrupt,

			"interrupt-twice": interruptTwice,
		},
	})
}

type registryKey struct{}

func registry(ts *testscript.TestScript) *regtest.Registry {
	return ts.Value(registryKey{}).(*regtest.Registry)
}

// publish adds the packages of a folder whose files are NAME@VERSION/PATH. A
// scope's slash is written as +, so that it does not make a folder.
func publish(reg *regtest.Registry, dir string) error {
	var text strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		pkg, file, _ := strings.Cut(filepath.ToSlash(name), "/")
		fmt.Fprintf(&text, "-- %s/%s --\n%s", strings.ReplaceAll(pkg, "+", "/"), file, data)
		return err
	})
	if err != nil {
		return err
	}
	return reg.AddText(text.String())
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case err == nil && want != 0:
		ts.Fatalf("exit status 0, want %d", want)
	case errors.As(err, &exit) && exit.ExitCode() != want:
		ts.Fatalf("exit status %d, want %d", exit.ExitCode(), want)
	case err != nil && exit == nil:
		ts.Fatalf("%v", err)
	}
}

var kinds = map[string]regtest.Kind{
	"answer": regtest.Answer, "hang": regtest.Hang, "drop": regtest.Drop,
	"corrupt": regtest.Corrupt, "truncate": regtest.Truncate, "badjson": regtest.BadJSON,
}

func fault(ts *testscript.TestScript, on regtest.Target, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: fault NAME KIND [STATUS]")
	}
	kind, ok := kinds[args[1]]
	if !ok {
		ts.Fatalf("no fault %q", args[1])
	}
	f := regtest.Fault{Kind: kind, On: on}
	if len(args) > 2 {
		var err error
		f.Status, err = strconv.Atoi(args[2])
		ts.Check(err)
	}
	registry(ts).Fail(args[0], f)
}

func requests(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: requests MIN MAX")
	}
	low, err := strconv.Atoi(args[0])
	ts.Check(err)
	high, err := strconv.Atoi(args[1])
	ts.Check(err)
	log := registry(ts).Requests()
	if len(log) < low || len(log) > high {
		ts.Fatalf("%d requests, want %d to %d: %v", len(log), low, high, log)
	}
	registry(ts).Reset()
}

// interruptLimit ends a test whose command never gets as far as it should.
const interruptLimit = time.Minute

func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt N COMMAND...")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), interruptLimit)
	defer cancel()
	var text strings.Builder
	cmd := command(ctx, ts, args[1:])
	cmd.Stdout, cmd.Stderr = &text, &text
	ts.Check(cmd.Start())
	awaited := registry(ts).Await(ctx, n)
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	ts.Logf("%s", text.String())
	ts.Check(awaited)
	wantInterrupted(ts, cmd)
}

func interruptTwice(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: interrupt-twice COMMAND...")
	}
	ctx, cancel := context.WithTimeout(context.Background(), interruptLimit)
	defer cancel()
	cmd := command(ctx, ts, args)
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines := bufio.NewScanner(stderr)
	for range 2 {
		if !lines.Scan() {
			ts.Fatalf("it ended by itself")
		}
		ts.Logf("%s", lines.Text())
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	_ = cmd.Wait()
	wantInterrupted(ts, cmd)
}

func wantInterrupted(ts *testscript.TestScript, cmd *exec.Cmd) {
	if code := cmd.ProcessState.ExitCode(); code != report.ExitInterrupted {
		ts.Fatalf("exit status %d, want %d", code, report.ExitInterrupted)
	}
}

// command is a process that testscript does not know of, so that it can be
// sent signals.
func command(ctx context.Context, ts *testscript.TestScript, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(ts.Getenv("WEFT_BIN"), args[0]), args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "TMPDIR", "XDG_CACHE_HOME", "npm_config_registry"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

package report

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"weft/install/schedule"
	"weft/install/scripts"
	"weft/install/target"
	"weft/npm/integrity"
	"weft/npm/spec"
	"weft/npm/tarball"
	"weft/task"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden holds got against testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update accepts it)\n--- got\n%s--- want\n%s", file, got, want)
	}
}

// say renders an end of an install to stdout and stderr.
func say(o Options, f func(*Reporter)) (stdout, stderr string) {
	var out, errs strings.Builder
	o.Stdout, o.Stderr = &out, &errs
	f(New(o))
	return out.String(), errs.String()
}

var summaries = map[string]Summary{
	"nothing":        {UpToDate: true, Duration: 34 * time.Millisecond, Kept: 107},
	"fresh":          {Added: 107, Bytes: 5_123_456, Duration: 1234 * time.Millisecond, Target: target.Target{NodeVersion: "20.20.2", NodeSource: target.SourcePath, OS: "linux", CPU: "x64", Libc: "glibc"}},
	"mixed":          {Added: 1, Changed: 2, Removed: 3, Kept: 4, Bytes: 999, Duration: 61 * time.Second},
	"removed":        {Removed: 1, Duration: 999 * time.Millisecond},
	"locked":         {LockOnly: true, Added: 12, Bytes: 45_678, Duration: time.Second},
	"locked-nothing": {LockOnly: true, Duration: time.Second},
	"assumed": {Added: 2, Duration: time.Second, Bytes: 1_234_567_890, Target: target.Target{
		NodeVersion: target.DefaultNodeVersion, NodeSource: target.SourceDefault, OS: "darwin", CPU: "arm64",
		Notes: []string{`.nvmrc: "lts/unheard-of" names no Node version that weft knows`}}},
	"odd": {
		Added: 9, Duration: 2 * time.Second,
		Deprecated: []Deprecation{{"inflight", "1.0.6", "This module leaks\nmemory."}, {"har", "1.0.0", "gone"}},
		Blocked: []scripts.Note{
			{Name: "esbuild", Version: "0.25.0", Location: "node_modules/esbuild", Scripts: []scripts.Script{{Event: "postinstall", Command: "node install.js"}}},
			{Name: "@scope/evil", Version: "1.0.0", Location: "node_modules/@scope/evil", Scripts: []scripts.Script{
				{Event: "preinstall", Command: "printf '\x1b[2J\u202e' && " + strings.Repeat("x", 100)}, {Event: "install"}}},
		},
		RootScripts: []scripts.Script{{Event: "prepare", Command: "husky"}},
		Warnings: []Warning{
			{Code: "EBADENGINE", Package: "chalk@6.0.1", What: "wants node >=22 (this is 20.20.2)"},
			{Code: "WARN_TWICE", What: "said twice", Hint: "say it once"},
			{Code: "WARN_TWICE", What: "said twice", Hint: "say it once"},
		},
	},
}

func TestSummaries(t *testing.T) {
	for name, s := range summaries {
		for _, o := range []struct {
			suffix string
			o      Options
		}{{"", Options{}}, {"-verbose", Options{Verbose: true}}, {"-color", Options{Color: true}}} {
			_, stderr := say(o.o, func(r *Reporter) {
				if err := r.Finish(s); err != nil {
					t.Error(err)
				}
			})
			golden(t, "summary/"+name+o.suffix+".txt", stderr)
		}
		stdout, stderr := say(Options{JSON: true}, func(r *Reporter) { _ = r.Finish(s) })
		golden(t, "summary/"+name+".json", stdout)
		if stderr != "" {
			t.Errorf("%s: --json wrote %q to stderr", name, stderr)
		}
		stdout, stderr = say(Options{Quiet: true}, func(r *Reporter) { _ = r.Finish(s) })
		if stdout+stderr != "" {
			t.Errorf("%s: --quiet wrote %q and %q", name, stdout, stderr)
		}
	}
}

func TestManyWarnings(t *testing.T) {
	_, stderr := say(Options{}, func(r *Reporter) {
		for i := range perCode + 3 {
			r.Warn(Warning{Code: "EBADENGINE", Package: fmt.Sprintf("p%d@1.0.0", i), What: "wants node >=99"})
		}
		r.Warn(Warning{Code: "WARN_OTHER", What: "of another kind"})
		_ = r.Finish(Summary{})
	})
	golden(t, "summary/many-warnings.txt", stderr)
}

// problems is one error of every kind that Diagnose has words for.
func problems() map[string]error {
	mine := target.Target{NodeVersion: "20.20.2", OS: "linux", CPU: "x64", Libc: "glibc"}
	return map[string]error{
		"unknown":            errors.New("read the tea leaves: too dark"),
		"unknown-of-package": ForPackage(errors.New("read the tea leaves: too dark"), "tea@1.0.0", "my-app"),
		"hostile":            ForPackage(errors.New("a\x1b]0;title\x07b\nc\u202ed\xff"), "evil\r@1.0.0", "x\x1b[1A"),
		"long-chain":         ForPackage(errors.New("deep"), "p@1", strings.Split("nopqrstuvwxyzabcdef", "")...),
		"no-space":           fmt.Errorf("store: %w", &fs.PathError{Op: "write", Path: "/home/me/.cache/x", Err: syscall.ENOSPC}),
		"permission":         &fs.PathError{Op: "open", Path: "node_modules", Err: syscall.EACCES},
		"read-only":          &os.LinkError{Op: "rename", Old: "a", New: "node_modules/b", Err: syscall.EROFS},
		"too-many-files":     &fs.PathError{Op: "open", Path: "a.js", Err: syscall.EMFILE},
		"other-file-error":   &fs.PathError{Op: "read", Path: "a.js", Err: syscall.EIO},
		"platform":           ForPackage(target.CheckPlatform([]string{"darwin"}, nil, nil, mine), "fsevents@2.3.3", "chokidar@4.0.0", "my-app"),
		"engine":             ForPackage(&target.EngineError{WantNode: ">=99", Node: "20.20.2"}, "new@1.0.0", "my-app"),
		"node-version":       &target.VersionError{Source: target.SourceFlag, Text: "newest please"},
		"several-lines":      &Problem{Code: CodePeerConflict, What: "peers disagree", Why: "a wants b@1\nc wants b@2\x07\n", Err: errors.New("x")},
		"integrity":          ForPackage(fmt.Errorf("fetch: %w", &integrity.MismatchError{Algorithm: "sha512", Wanted: "sha512-AAAA", Found: "sha512-BBBB", Size: 1234}), "a@1.0.0", "my-app"),
		"integrity-promises": ForPackage(&integrity.MismatchError{Algorithm: "sha512", Wanted: "sha512-AAAA", Found: "sha512-BBBB", Size: -1}, "a@1.0.0", "my-app"),
		"integrity-none":     ForPackage(fmt.Errorf("verify 3 bytes against %q: %w", "md5-", integrity.ErrNoHash), "a@1.0.0", "my-app"),
		"archive":            ForPackage(fmt.Errorf("open tarball: %w at byte 7", tarball.ErrGzip), "a@1.0.0", "my-app"),
		"archive-waited-for": ForPackage(&schedule.PrerequisiteError{Err: fmt.Errorf("open tarball: %w at byte 7", tarball.ErrGzip)}, "a@1.0.0", "my-app"),
		"spec":               ForPackage(fmt.Errorf("parse spec %q: %w: x", "a@!!", spec.ErrTag), "a@!!", "my-app"),
		"panic":              ForPackage(&task.PanicError{Value: "index out of range", Stack: []byte(strings.Repeat("weft/x.f()\n\t/src/x.go:1\n", 20))}, "a@1.0.0", "my-app"),
		"panic-with-error":   &task.PanicError{Value: fs.ErrPermission, Stack: []byte("weft/x.f()\n\t/src/x.go:1\n")},
		"interrupted":        ForPackage(fmt.Errorf("fetch: %w", errCanceled{}), "a@1.0.0"),
	}
}

func TestProblems(t *testing.T) {
	for name, err := range problems() {
		_, stderr := say(Options{}, func(r *Reporter) { r.Fail(err) })
		p := Diagnose(err)
		golden(t, "problem/"+name+".txt", stderr+fmt.Sprintf("exit %d\n", p.Exit))
		if p.Err == nil || p.Exit == 0 || p.Code == "" || p.What == "" {
			t.Errorf("%s: incomplete: %+v", name, p)
		}
	}
}

func TestProblemVariants(t *testing.T) {
	err := problems()["platform"]
	for name, o := range map[string]Options{"color": {Color: true}, "verbose": {Verbose: true}, "quiet": {Quiet: true}, "json": {JSON: true}} {
		stdout, stderr := say(o, func(r *Reporter) {
			r.Warn(Warning{Code: "WARN_X", What: "before the end"})
			r.Fail(err)
		})
		golden(t, "problem/variant-"+name+".txt", stderr+stdout)
	}
}

// failingWriter cannot be written to.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFinishReportsAClosedPipe(t *testing.T) {
	for _, o := range []Options{{}, {JSON: true}} {
		o.Stdout, o.Stderr = failingWriter{}, failingWriter{}
		if err := New(o).Finish(Summary{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("json %v: %v", o.JSON, err)
		}
	}
}

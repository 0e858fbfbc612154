package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weft/install/report"
	"weft/lab/analyse"
	"weft/lab/compare"
	"weft/lab/experiment"
	"weft/lab/foreign"
	"weft/lab/plan"
	"weft/lab/record"
	measure "weft/lab/run"
)

func newBench(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [flags] COMMAND COMMAND...",
		Short: "Say which of two programs is faster, and how sure that is",
		Long: `bench runs programs side by side in random order and says faster, slower,
equivalent or inconclusive, with an interval. The first command is the baseline;
it runs twice in each block, so that the noise of the machine is known. It exits
with 0 whenever it measured. docs/guide/bench.md says how to read the result.`,
		Example: `  weft bench './old' './new'
  weft bench --blocks 20 --cwd testdata './old build' './new build'
  weft bench --plan parser.yaml --fail-on slower
  weft bench --resume .weft-bench/2026-12-01T10-30-00
  weft bench compare old.json new.json`,
		Annotations: map[string]string{footer: benchExitCodes},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return benchVerb(w, cmd, args) },
	}
	addBenchFlags(cmd)
	cmd.AddCommand(newBenchVerify(w), newBenchCompare(w), newBenchHistory(w), newBenchReport(w))
	return cmd
}

const benchExitCodes = `Exit status:
  0    measured, whatever was found
  1    failed
  2    the command line or the plan is wrong
  3    the gate or verify said no
  130  interrupted; what was measured is kept and reported`

// Codes of what goes wrong in bench.
const (
	codePlan       = "ERR_PLAN"
	codeBench      = "ERR_BENCH"
	codeGate       = "ERR_GATE"
	codeVerify     = "ERR_VERIFY"
	codeIncomplete = "ERR_INTERRUPTED"
)

// benchVerb measures, reports and asks the gate.
func benchVerb(w world, cmd *cobra.Command, args []string) error {
	out, err := newBenchOutput(w, cmd)
	if err != nil {
		return benchFail(w, cmd, err)
	}
	o, gate, err := benchRequest(cmd, args) // last, since it makes a folder
	if err != nil {
		return benchFail(w, cmd, err)
	}
	progress := out.progress()
	settled := onInterrupt(cmd.Context(), func() {
		progress.line("interrupted: ending the run that is under way; once more stops at once")
	})
	o.Progress = progress.at
	e, err := experiment.Run(cmd.Context(), o)
	settled()
	progress.end()
	if e == nil {
		if !o.Resume {
			_ = os.Remove(o.Dir) // if it is empty; what was recorded stays
		}
		return benchFail(w, cmd, err)
	}
	if shown := out.experiment(e, len(e.Data.Result.Series) > 0); shown != nil {
		return benchFail(w, cmd, shown)
	}
	switch {
	case cmd.Context().Err() != nil:
		return benchFail(w, cmd, &report.Problem{
			Code: codeIncomplete, What: "interrupted; what was measured is kept in " + e.Dir,
			Hint: "`weft bench --resume " + e.Dir + "` goes on", Exit: report.ExitInterrupted,
		})
	case err != nil:
		return benchFail(w, cmd, err)
	}
	if caught := experiment.Caught(append(gate, e.Plan.Gate...), e.Data.Result); len(caught) > 0 {
		return benchFail(w, cmd, &report.Problem{
			Code: codeGate, What: "the gate says no", Why: strings.Join(caught, "\n"), Exit: report.ExitNegative,
		})
	}
	return nil
}

// benchFail reports an error and gives its exit status. Results for programs
// have a schema that errors are no part of, so under --json too they go to
// stderr alone.
func benchFail(w world, cmd *cobra.Command, err error) error {
	o := w.display(cmd).options()
	o.JSON = false
	return failure{report.New(o).Fail(benchProblem(err)).Exit}
}

// benchProblem turns the lab's errors into what people are told.
func benchProblem(err error) error {
	var known *report.Problem
	var mistake *plan.Error
	var program *measure.FailedError
	var command *measure.CommandError
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &mistake):
		hint := mistake.Hint
		if hint == "" {
			hint = "docs/guide/bench.md shows a plan, `weft bench -h` the flags"
		}
		return &report.Problem{Code: codePlan, What: mistake.Error(), Hint: hint, Exit: report.ExitUsage, Err: err}
	case errors.Is(err, experiment.ErrGate), errors.Is(err, analyse.ErrInput), errors.Is(err, compare.ErrNothing), errors.Is(err, foreign.ErrFormat):
		return &report.Problem{Code: report.CodeUsage, What: err.Error(), Exit: report.ExitUsage, Err: err}
	}
	why := ""
	switch {
	case errors.As(err, &program):
		why = program.Stderr
	case errors.As(err, &command):
		why = command.Stderr
	}
	return &report.Problem{Code: codeBench, What: err.Error(), Why: why, Hint: benchHint(err), Exit: report.ExitFailure, Err: err}
}

// benchHint is one thing to do about an error of the lab, "" if nothing is known.
func benchHint(err error) string {
	var changed *record.ChangedError
	var program *measure.FailedError
	var output *measure.OutputError
	switch {
	case errors.Is(err, measure.ErrBusy):
		return "stop what else is running, or measure all the same with --force: the result says so"
	case errors.As(err, &program):
		return "--allow-failure (allow_failure: in a plan) records failed runs and goes on"
	case errors.As(err, &output):
		return "programs that print other things do other work: compare what they print"
	case errors.Is(err, record.ErrNoManifest):
		return "the experiment did not come to its end: `weft bench --resume` goes on with it"
	case errors.Is(err, record.ErrExists):
		return "name another folder with --out, or go on with what is there by --resume"
	case errors.Is(err, record.ErrInUse):
		return "wait until the other weft is done"
	case errors.As(err, &changed):
		return "what was measured is still there; measure anew into another folder"
	}
	return ""
}

// benchFolder is where an experiment is kept if nobody says: below the working
// directory, where nothing is tracked.
func benchFolder(now time.Time) (string, error) {
	const home = ".weft-bench"
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", err
	}
	ignore := filepath.Join(home, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return "", err
		}
	}
	stem := filepath.Join(home, now.Format("2006-01-02T15-04-05"))
	for i := 1; i < 1000; i++ {
		dir := stem
		if i > 1 {
			dir = fmt.Sprintf("%s-%d", stem, i)
		}
		// Mkdir decides between two that start in the same second.
		if err := os.Mkdir(dir, 0o755); err == nil {
			return dir, nil
		} else if !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: no name is free", stem)
}

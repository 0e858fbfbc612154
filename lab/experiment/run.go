package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"weft/lab/plan"
	"weft/lab/record"
	"weft/lab/run"
)

// Options says what Run is to do.
type Options struct {
	// Dir is the run directory: new or empty, or with Resume one that is there.
	Dir string
	// Plan is what to measure, with its seed drawn; with Resume nil stands for
	// the recorded one.
	Plan   *plan.Plan
	Resume bool
	// Force measures on a machine that is too busy, and stamps the result.
	Force bool
	// Progress is told before each run how many of all are done and what comes.
	// It may be nil, and must not block.
	Progress func(done, all int, text string)
}

// Run measures a plan, or goes on with one, and gives the experiment with its
// report written. It blocks until all runs are made, ctx ends, or something
// fails; then what was measured so far is kept and reported, and the experiment
// comes together with the error. Where nothing was measured the experiment is
// nil, and a folder that Run made is gone again. Errors are those of run.Runner
// and of record.Create and record.Resume.
func Run(ctx context.Context, o Options) (*Experiment, error) {
	d, p, done, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &run.Runner{Force: o.Force}
	if o.Progress != nil {
		r.Progress = func(at run.Progress) { o.Progress(at.Done, at.Total, under(at)) }
	}
	failed := r.Experiment(ctx, p, d, done)
	if failed != nil && !o.Resume && empty(o.Dir) {
		forget(o.Dir)
		return nil, failed
	}
	e, err := Load(o.Dir)
	if err == nil {
		err = e.Write()
	}
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	return e, failed
}

// open makes the run directory, or opens the one to go on with.
func open(ctx context.Context, o Options) (*record.Dir, *plan.Plan, []record.Run, error) {
	p := o.Plan
	if o.Resume && p == nil {
		r, err := record.Open(o.Dir)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s is no run directory: %w", o.Dir, err)
		}
		p = r.Plan
	}
	env, err := record.Capture(ctx, p)
	if err != nil {
		return nil, nil, nil, err
	}
	if !o.Resume {
		d, err := record.Create(o.Dir, p, env)
		return d, p, nil, err
	}
	d, r, err := record.Resume(o.Dir, o.Plan, env)
	if err != nil {
		return nil, nil, nil, err
	}
	return d, r.Plan, r.Runs, nil
}

// under says what is under way.
func under(at run.Progress) string {
	text := fmt.Sprintf("%s, block %d, %s", at.Step.Series, at.Step.Block+1, at.Step.Arm)
	if at.Workload != plan.OnlyCell {
		text += ", " + at.Workload
	}
	return text
}

// empty reports that a run directory holds no run.
func empty(dir string) bool {
	runs, err := record.Read(dir)
	return err == nil && len(runs) == 0
}

// forget takes away what a run directory without runs is made of, and nothing
// else.
func forget(dir string) {
	for _, name := range []string{record.PlanFile, record.EnvFile, record.RunsFile, record.ManifestFile} {
		_ = os.Remove(filepath.Join(dir, name))
	}
	_ = os.Remove(dir)
}

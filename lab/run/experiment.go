package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"weft/lab/plan"
	"weft/lab/record"
)

// Experiment makes all runs of a plan into a run directory, which becomes the
// Runner's Sink, and finishes it: warm-ups, then, where the plan leaves it
// open, the number of blocks is decided from their duration, then the rest.
// done are the runs of a resumed record; what was decided before stays.
//
// Whatever happens, what was measured is kept, the programs are hashed again,
// and the manifest is written; [record.Env] says if runs are missing. The error
// is as for Run.
func (r *Runner) Experiment(ctx context.Context, p *plan.Plan, d *record.Dir, done []record.Run) error {
	r.Sink = d
	err := r.session(p, func() error {
		warmups := plan.Schedule(p, 0)
		for len(warmups) > 0 && warmups[len(warmups)-1].Series != plan.SeriesWarmup {
			warmups = warmups[:len(warmups)-1]
		}
		measured := &tee{Dir: d, runs: done}
		r.Sink = measured
		if err := r.steps(ctx, p, warmups, done); err != nil {
			return err
		}
		blocks, err := decide(p, d, measured.runs)
		if err != nil {
			return err
		}
		return r.steps(ctx, p, plan.Schedule(p, blocks), measured.runs)
	})
	return errors.Join(err, r.finish(d, err != nil))
}

// tee remembers what it hands on.
type tee struct {
	*record.Dir
	runs []record.Run
}

// Append keeps a run in both places.
func (t *tee) Append(run record.Run) error {
	if err := t.Dir.Append(run); err != nil {
		return err
	}
	t.runs = append(t.runs, run)
	return nil
}

// decide fixes the number of blocks and records it and why.
func decide(p *plan.Plan, d *record.Dir, runs []record.Run) (int, error) {
	if e := d.Env(); e.BlocksWhy != "" {
		return e.Blocks, nil
	}
	blocks, why := p.Blocks, "the plan says so"
	if blocks == 0 {
		spent, n := 0.0, 0
		for _, run := range runs {
			if wall, ok := run.Values["wall_ns"]; ok && run.Series == plan.SeriesWarmup {
				spent += wall
				n++
			}
		}
		block := time.Duration(0)
		if n > 0 {
			block = time.Duration(spent / float64(n) * float64(len(p.Cells())*len(p.ArmNames())))
		}
		blocks = plan.BlocksFor(block)
		why = fmt.Sprintf("the warm-ups took %v a block; as many blocks as fill about %v, %d to %d, even", block.Round(time.Microsecond), plan.FillTime, plan.BlocksFewest, plan.BlocksMost)
	}
	return blocks, d.Update(func(e *record.Env) { e.Blocks, e.BlocksWhy = blocks, why })
}

// finish records how things are at the end.
func (r *Runner) finish(d *record.Dir, interrupted bool) error {
	binaries := append([]record.Binary(nil), d.Env().Binaries...)
	notes := record.Rehash(binaries)
	err := d.Update(func(e *record.Env) {
		e.Finished, e.Interrupted, e.Binaries = time.Now().UTC(), interrupted, binaries
		e.Notes = append(e.Notes, notes...)
		if l, ok := record.ReadLoad(); ok {
			e.LoadAfter = &l
		}
		if e.Absent == nil {
			e.Absent = map[string]string{}
		}
		maps.Copy(e.Absent, r.Absent)
	})
	return errors.Join(err, d.Finish())
}

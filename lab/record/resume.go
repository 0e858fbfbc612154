package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"weft/lab/plan"
)

// ChangedError means that a record cannot be gone on with, because what was
// measured is not what would be.
type ChangedError struct {
	What, Was, Is string
}

// Error says what changed.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("record: resume: %s was %s and is now %s; what was measured before would not compare", e.What, e.Was, e.Is)
}

// Resume opens a run directory to go on with it, after Ctrl-C, a crash or kill
// -9. It gives what is there already. A torn last line is cut off and noted.
//
// p is the plan to go on with; nil stands for the recorded one. now is the
// surroundings as they are, whose Binaries must have the recorded hashes. A
// difference in plan, seed or binaries fails with a [*ChangedError]; another
// machine or kernel is noted.
func Resume(path string, p *plan.Plan, now Env) (*Dir, *Record, error) {
	d := &Dir{path: path, series: map[string]*series{}}
	if err := d.hold(); err != nil {
		return nil, nil, err
	}
	r, err := d.resume(p, now)
	if err != nil {
		d.release()
		return nil, nil, err
	}
	return d, r, nil
}

func (d *Dir) resume(p *plan.Plan, now Env) (*Record, error) {
	r, err := Open(d.path)
	if err != nil {
		return nil, err
	}
	if err := unchanged(r, p, now); err != nil {
		return nil, err
	}
	names, err := confirmations(d.path)
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{"."}, names...) {
		if err := d.reopen(name); err != nil {
			return nil, err
		}
	}
	d.env = r.Env
	d.env.Resumed = append(d.env.Resumed, time.Now().UTC())
	d.env.Interrupted, d.env.Finished = false, time.Time{}
	for _, file := range r.Torn {
		d.env.Notes = append(d.env.Notes, Note{Kind: "torn", Text: file + " ended in a torn line, which was dropped: the run in flight when it broke off", At: time.Now().UTC()})
	}
	if was, is := r.Env.CPU+", "+r.Env.Kernel, now.CPU+", "+now.Kernel; was != is {
		d.env.Notes = append(d.env.Notes, Note{Kind: "machine", Text: fmt.Sprintf("resumed on another machine or kernel: %s, before %s", is, was), At: time.Now().UTC()})
	}
	if err := os.Remove(filepath.Join(d.path, ManifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("record: resume: %w", err)
	}
	return r, d.writeEnv()
}

// reopen cuts off what is torn and opens a series at its end.
func (d *Dir) reopen(name string) error {
	file := filepath.Join(d.path, name, RunsFile)
	data, err := readLimited(file, CSVBytesMax)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	header, _, torn, err := parseCSV(data)
	if err != nil {
		return err
	}
	if header == nil {
		return nil // not even the first line is whole: made anew
	}
	if len(torn) > 0 {
		if err := os.Truncate(file, int64(len(data)-len(torn))); err != nil {
			return fmt.Errorf("record: resume: %w", err)
		}
	}
	s, err := openSeries(file, header)
	if err != nil {
		return err
	}
	d.series[name] = s
	return nil
}

func unchanged(r *Record, p *plan.Plan, now Env) error {
	recorded := hash(r.Plan.Marshal())
	if recorded != r.Env.PlanSHA256 {
		return &ChangedError{"the recorded plan", r.Env.PlanSHA256, recorded}
	}
	if p != nil {
		same := *p
		if same.Seed == 0 {
			same.Seed = r.Plan.Seed
		}
		if same.Seed != r.Plan.Seed {
			return &ChangedError{"the seed", fmt.Sprint(r.Plan.Seed), fmt.Sprint(same.Seed)}
		}
		if h := hash(same.Marshal()); h != recorded {
			return &ChangedError{"the plan", "of SHA-256 " + recorded, "of " + h}
		}
	}
	is := map[[2]string]string{}
	for _, b := range now.Binaries {
		is[[2]string{b.Arm, b.Path}] = b.Before
	}
	for _, b := range r.Env.Binaries {
		if h := is[[2]string{b.Arm, b.Path}]; h != b.Before {
			return &ChangedError{fmt.Sprintf("the program of %s, %s,", b.Arm, b.Path), "of SHA-256 " + b.Before, "of " + h}
		}
	}
	return nil
}

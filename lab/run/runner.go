package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"weft/lab/plan"
	"weft/lab/record"
)

// Sink keeps what was measured; [record.Dir] is one.
type Sink interface {
	Append(record.Run) error
	Note(record.Note) error
	AddCurve(name string, c record.Curve) error
	AddSample(name string, data []byte) error
}

// Progress is how far a Runner is.
type Progress struct {
	Step        plan.Step // that begins now
	Workload    string
	Done, Total int // runs of this call
}

// FailedError means that a program failed and the plan does not allow it.
type FailedError struct {
	Run    record.Run
	Stderr string // its end
}

// Error says which run failed and how.
func (e *FailedError) Error() string {
	how := fmt.Sprintf("exited with %d", e.Run.Exit)
	if e.Run.Exit == record.ExitTimeout {
		how = "was killed at its time limit"
	}
	return fmt.Sprintf("run: arm %s, workload %s, %s block %d: the program %s", e.Run.Arm, e.Run.Workload, e.Run.Series, e.Run.Block, how)
}

// CommandError means that a setup, prepare or cleanup failed.
type CommandError struct {
	Which, Arm, Workload string
	Exit                 int
	Stderr               string // its end
}

// Error says which command failed and how.
func (e *CommandError) Error() string {
	return fmt.Sprintf("run: %s of arm %s, workload %s, exited with %d", e.Which, e.Arm, e.Workload, e.Exit)
}

// OutputError means that two runs of one workload printed different things,
// though the plan says that they are equal.
type OutputError struct {
	Workload      string
	First, Second record.Run
}

// Error names the two.
func (e *OutputError) Error() string {
	return fmt.Sprintf("run: workload %s: arm %s printed something else (SHA-256 %.12s) than arm %s (%.12s)", e.Workload, e.Second.Arm, e.Second.Output, e.First.Arm, e.First.Output)
}

// Runner makes runs. Set the fields before the first; it is for one goroutine.
type Runner struct {
	Sink Sink
	// Progress, if not nil, is called before each run.
	Progress func(Progress)
	// LoadMax is the load per CPU above which nothing begins; 0 stands for
	// DefaultLoadMax.
	LoadMax float64
	Force   bool // begin on a busy machine, and note it

	// Absent says why columns have no values, after a run.
	Absent map[string]string

	starter *Starter
	watch   watch
	first   map[string]record.Run // by workload, for the comparison of outputs
	ready   map[place]plan.Arm    // arms whose setup was made, in the order of readied
	readied []place
}

// place is an arm in a cell.
type place struct {
	arm  string
	cell int
}

// Run makes the steps in their order, but those that are in done already. Each
// run is in the sink before the next begins. Setup commands come before an arm's
// first run in a cell, cleanups at the end, also after an error.
//
// When ctx ends, the run in flight is killed and not recorded, and the error is
// that of ctx, wrapped. Other errors: ErrBusy, ErrStart, ErrLauncher,
// [*FailedError], [*CommandError], [*OutputError], and those of the sink.
func (r *Runner) Run(ctx context.Context, p *plan.Plan, steps []plan.Step, done []record.Run) error {
	return r.session(p, func() error { return r.steps(ctx, p, steps, done) })
}

// session has a launcher and sees to the cleanups.
func (r *Runner) session(p *plan.Plan, body func() error) error {
	most := r.LoadMax
	if most == 0 {
		most = DefaultLoadMax
	}
	if err := r.watch.begin(runtime.NumCPU(), most); err != nil {
		if !r.Force {
			return err
		}
		text := strings.TrimPrefix(err.Error(), "run: ")
		if err := r.Sink.Note(record.Note{Kind: "load", Text: text, At: time.Now().UTC()}); err != nil {
			return err
		}
	}
	starter, err := NewStarter()
	if err != nil {
		return err
	}
	r.starter, r.Absent = starter, absent(p)
	r.first, r.ready, r.readied = map[string]record.Run{}, map[place]plan.Arm{}, nil
	err = body()
	if errors.Is(err, ErrLauncher) { // the cleanups need another
		starter.Close() // how it ended adds nothing to err
		next, failed := NewStarter()
		if failed != nil {
			return errors.Join(err, failed)
		}
		starter, r.starter = next, next
	}
	return errors.Join(err, r.cleanup(p), starter.Close())
}

// absent says why columns have no values by the plan.
func absent(p *plan.Plan) map[string]string {
	why := map[string]string{}
	if p.MemoryRuns == 0 {
		for _, column := range []string{"tree_rss_bytes", "threads_peak"} {
			why[column] = "they are measured in runs of their own; the plan has no memory_runs"
		}
	}
	if p.Network != plan.NetworkIsolated {
		for _, column := range []string{"net_rx_bytes", "net_tx_bytes"} {
			why[column] = "they are counted with network: isolated alone"
		}
	}
	return why
}

// identity is what tells runs apart.
type identity struct {
	series          string
	block, position int
	arm, workload   string
}

func (r *Runner) steps(ctx context.Context, p *plan.Plan, steps []plan.Step, done []record.Run) error {
	cells := p.Cells()
	have := map[identity]bool{}
	for _, d := range done {
		have[identity{d.Series, d.Block, d.Position, d.Arm, d.Workload}] = true
		r.compared(p, d)
	}
	var left []plan.Step
	for _, s := range steps {
		if !have[identity{s.Series, s.Block, s.Position, s.Arm, cells[s.Cell].Name}] {
			left = append(left, s)
		}
	}
	for i, s := range left {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("run: stopped after %d of %d runs: %w", i, len(left), err)
		}
		if r.Progress != nil {
			r.Progress(Progress{s, cells[s.Cell].Name, i, len(left)})
		}
		if err := r.step(ctx, p, s, cells[s.Cell]); err != nil {
			return err
		}
		for _, n := range r.watch.look() {
			if err := r.Sink.Note(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// step makes one run and keeps it.
func (r *Runner) step(ctx context.Context, p *plan.Plan, s plan.Step, c plan.Cell) error {
	arm, err := r.readyArm(ctx, p, s, c)
	if err != nil {
		return err
	}
	if err := r.command(ctx, p, "prepare", arm, c, arm.Prepare); err != nil {
		return err
	}
	spec, err := specOf(arm, arm.Command, s.Padding)
	if err != nil {
		return err
	}
	spec.Timeout, spec.Isolated = p.Timeout, p.Network == plan.NetworkIsolated
	spec.Counters, spec.Polled = !s.Memory, s.Memory
	started := time.Now()
	o, err := r.starter.Start(ctx, spec, p.Source != plan.SourceNone)
	if err != nil {
		return err
	}
	if o.Canceled {
		return fmt.Errorf("run: stopped: %w", context.Cause(ctx))
	}
	run := record.Run{
		Series: s.Series, Block: s.Block, Position: s.Position, Arm: s.Arm, Workload: c.Name,
		Started: started.UnixNano(), Values: o.Values, Exit: o.Exit, Output: o.Output.SHA256,
	}
	if o.TimedOut {
		run.Exit = record.ExitTimeout
	}
	maps.Copy(r.Absent, o.Absent)
	if s.Memory {
		run.Values = treeValues(o.Curve)
	} else {
		maps.Copy(run.Values, Custom(p.Source, o.Output.Head))
	}
	if err := r.Sink.Append(run); err != nil {
		return err
	}
	return r.after(p, s, run, o)
}

// after keeps what goes beside a run, and judges it.
func (r *Runner) after(p *plan.Plan, s plan.Step, run record.Run, o Outcome) error {
	name := fmt.Sprintf("%s-%d-%d-%d", s.Series, s.Block, s.Cell, s.Position)
	if s.Memory {
		if err := r.Sink.AddCurve(name, record.Curve{Arm: s.Arm, Workload: run.Workload, Block: s.Block, Points: o.Curve}); err != nil {
			return err
		}
	}
	if o.Left > 0 {
		n := record.Note{Kind: "left", Text: fmt.Sprintf("arm %s left processes behind, which were killed after each run", s.Arm), At: time.Now().UTC()}
		if err := r.Sink.Note(n); err != nil {
			return err
		}
	}
	if run.Failed() {
		for stream, text := range map[string]string{"stdout": o.Output.Tail, "stderr": o.Stderr} {
			if err := r.Sink.AddSample("failed-"+name+"-"+stream+".txt", []byte(text)); err != nil {
				return err
			}
		}
		failed := &FailedError{run, o.Stderr}
		if !p.AllowFailure {
			return failed
		}
		return r.Sink.Note(record.Note{Kind: "failure", Text: strings.TrimPrefix(failed.Error(), "run: "), At: time.Now().UTC()})
	}
	return r.compared(p, run)
}

// compared holds a run's output against the first of its workload.
func (r *Runner) compared(p *plan.Plan, run record.Run) error {
	if p.Outputs != plan.OutputsEqual || run.Failed() {
		return nil
	}
	first, known := r.first[run.Workload]
	if !known {
		r.first[run.Workload] = run
		return nil
	}
	if first.Output != run.Output {
		return &OutputError{run.Workload, first, run}
	}
	return nil
}

// treeValues are the peaks of a curve; a run that was over before the first
// look has none.
func treeValues(curve []record.Point) map[string]float64 {
	values := map[string]float64{}
	for _, p := range curve {
		values["tree_rss_bytes"] = max(values["tree_rss_bytes"], float64(p.RSSBytes))
		values["threads_peak"] = max(values["threads_peak"], float64(p.Threads))
	}
	return values
}

// readyArm gives an arm in a cell, set up if this is its first run.
func (r *Runner) readyArm(ctx context.Context, p *plan.Plan, s plan.Step, c plan.Cell) (plan.Arm, error) {
	found, ok := p.Arm(s.Arm)
	if !ok {
		return plan.Arm{}, fmt.Errorf("run: the plan has no arm %q", s.Arm)
	}
	at := place{found.Name, s.Cell}
	if arm, ok := r.ready[at]; ok {
		return arm, nil
	}
	arm, err := found.In(c)
	if err != nil {
		return arm, fmt.Errorf("run: %w", err)
	}
	// Also if the setup fails half-way, there may be something to clean up.
	r.ready[at] = arm
	r.readied = append(r.readied, at)
	return arm, r.command(ctx, p, "setup", arm, c, arm.Setup)
}

// cleanup runs the cleanups of all arms that were set up, the last first. They
// run after Ctrl-C too, within their time limit.
func (r *Runner) cleanup(p *plan.Plan) error {
	var errs []error
	cells := p.Cells()
	for _, at := range slices.Backward(r.readied) {
		arm := r.ready[at]
		errs = append(errs, r.command(context.Background(), p, "cleanup", arm, cells[at.cell], arm.Cleanup))
	}
	return errors.Join(errs...)
}

// command runs a setup, prepare or cleanup, if there is one.
func (r *Runner) command(ctx context.Context, p *plan.Plan, which string, arm plan.Arm, c plan.Cell, command plan.Command) error {
	if command.None() {
		return nil
	}
	spec, err := specOf(arm, command, plan.Padding{})
	if err != nil {
		return err
	}
	spec.Timeout = p.Timeout
	o, err := r.starter.Start(ctx, spec, false)
	switch {
	case err != nil:
		return err
	case o.Canceled:
		return fmt.Errorf("run: stopped: %w", context.Cause(ctx))
	case o.TimedOut || o.Exit != 0:
		return &CommandError{which, arm.Name, c.Name, o.Exit, o.Stderr}
	}
	return nil
}

// paddingVar is the environment variable that padding adds.
const paddingVar = "WEFT_PADDING"

// specOf says how a command of an arm is started. The padded path is the same
// file by a longer name; the program sees it in its auxiliary vector and not in
// its arguments.
func specOf(arm plan.Arm, command plan.Command, padding plan.Padding) (Spec, error) {
	arm.Command = command
	file, err := record.Program(arm)
	if err != nil {
		return Spec{}, fmt.Errorf("%w: arm %s: %v", ErrStart, arm.Name, err)
	}
	if file, err = filepath.Abs(file); err != nil {
		return Spec{}, fmt.Errorf("%w: arm %s: %v", ErrStart, arm.Name, err)
	}
	args := command.Args
	if arm.Shell {
		args = append(record.Shell(), args...)
	}
	env := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(arm.Env)) {
		env = setenv(env, name, arm.Env[name])
	}
	if padding.EnvBytes > 0 {
		env = setenv(env, paddingVar, strings.Repeat("x", padding.EnvBytes))
	}
	if padding.PathDots > 0 && runtime.GOOS != "windows" {
		dir, base := filepath.Split(file)
		file = dir + strings.Repeat("./", padding.PathDots) + base
	}
	return Spec{Path: file, Args: args, Env: env, Dir: arm.Cwd}, nil
}

func setenv(env []string, name, value string) []string {
	env = slices.DeleteFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
	return append(env, name+"="+value)
}

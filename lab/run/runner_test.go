//go:build linux

package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"weft/lab/plan"
	"weft/lab/record"
)

func newDir(t *testing.T, p *plan.Plan) *record.Dir {
	t.Helper()
	return newDirAt(t, p, filepath.Join(t.TempDir(), "run"))
}

func newDirAt(t *testing.T, p *plan.Plan, path string) *record.Dir {
	t.Helper()
	env, err := record.Capture(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	d, err := record.Create(path, p, env)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func open(t *testing.T, path string) *record.Record {
	t.Helper()
	r, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// follows checks that the runs are the first of the schedule, in its order.
func follows(t *testing.T, p *plan.Plan, blocks int, runs []record.Run) {
	t.Helper()
	steps := plan.Schedule(p, blocks)
	if len(runs) > len(steps) {
		t.Fatalf("%d runs of %d", len(runs), len(steps))
	}
	cells := p.Cells()
	var want, got []identity
	for _, s := range steps[:len(runs)] {
		want = append(want, identity{s.Series, s.Block, s.Position, s.Arm, cells[s.Cell].Name})
	}
	slices.SortFunc(runs, func(a, b record.Run) int { return int(a.Started - b.Started) })
	for _, r := range runs {
		got = append(got, identity{r.Series, r.Block, r.Position, r.Arm, r.Workload})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// manyRuns skips a test in race builds.
func manyRuns(t *testing.T) {
	t.Helper()
	if raceBuild {
		t.Skip("many runs, and a launcher of a race build is slow to start them")
	}
}

func TestExperiment(t *testing.T) {
	p := two()
	log := filepath.Join(t.TempDir(), "log")
	note := func(word string) plan.Command { return plan.Command{Args: []string{"echo " + word + " >> " + log}} }
	p.Arms[1] = plan.Arm{
		Name: "new", Shell: true, Command: plan.Command{Args: []string{"echo metric items {n} GB; echo $WHO $" + paddingVar}},
		Env: map[string]string{"WHO": "{arm}"}, Setup: note("setup {n}"), Prepare: note("prepare {n}"), Cleanup: note("cleanup {n}"),
	}
	p.Matrix = []plan.Parameter{{Name: "n", Values: []string{"1", "2"}}}
	p.Source, p.Confirmations, p.MemoryRuns = plan.SourceLines, 1, 1
	d := newDir(t, p)
	var shown []Progress
	r := &Runner{Force: true, Progress: func(p Progress) { shown = append(shown, p) }}
	if err := r.Experiment(context.Background(), p, d, nil); err != nil {
		t.Fatal(err)
	}
	if err := record.Verify(d.Path()); err != nil {
		t.Error(err)
	}
	got := open(t, d.Path())
	follows(t, p, 2, got.Runs)
	if n := 2 * 3 * (1 + 2 + 2 + 1); len(got.Runs) != n || len(shown) != n {
		t.Errorf("%d runs, %d shown, want %d", len(got.Runs), len(shown), n)
	}
	outputs := map[string]bool{}
	for _, r := range got.Runs {
		items, custom := r.Values["m:items_bytes"]
		_, timed := r.Values["wall_ns"]
		memory := r.Series == plan.SeriesMemory
		if custom != (r.Arm == "new" && !memory) || timed == memory || custom && items != 1e9 && items != 2e9 {
			t.Errorf("%+v", r)
		}
		if r.Arm == "new" {
			outputs[r.Output] = true
		}
	}
	if len(outputs) < 6 { // two values in at least three series, each with a padding of its own
		t.Errorf("%d different outputs", len(outputs))
	}
	e := got.Env
	if e.Interrupted || e.Finished.IsZero() || e.Blocks != 2 || e.BlocksWhy == "" || e.Binaries[0].After != e.Binaries[0].Before || e.Absent["net_rx_bytes"] == "" {
		t.Errorf("%+v", e)
	}
	if curves, err := record.Curves(d.Path()); err != nil || len(curves) != 6 {
		t.Errorf("%d curves, %v", len(curves), err)
	}
	text, _ := os.ReadFile(log)
	count := func(word string) int { return strings.Count(string(text), word) }
	if count("setup 1\n") != 1 || count("setup 2\n") != 1 || count("prepare 1\n") != 6 || count("cleanup 2\n") != 1 || !strings.HasSuffix(string(text), "cleanup 1\n") && !strings.HasSuffix(string(text), "cleanup 2\n") {
		t.Errorf("%s", text)
	}
}

func TestBlocksAreDecided(t *testing.T) {
	manyRuns(t)
	p := two()
	p.Blocks, p.Repeat = 0, false
	p.Arms[0].Command.Args, p.Arms[1].Command.Args = []string{"/bin/true"}, []string{"/bin/true"}
	d := newDir(t, p)
	if err := (&Runner{Force: true}).Experiment(context.Background(), p, d, nil); err != nil {
		t.Fatal(err)
	}
	got := open(t, d.Path())
	if got.Env.Blocks != plan.BlocksMost || len(got.Runs) != 2+2*plan.BlocksMost || !strings.Contains(got.Env.BlocksWhy, "warm-ups took") {
		t.Errorf("%d blocks, %d runs: %s", got.Env.Blocks, len(got.Runs), got.Env.BlocksWhy)
	}
}

// TestKilledAndResumed kills the measuring process while a run is under way,
// with the signal that nobody can catch, and goes on.
func TestKilledAndResumed(t *testing.T) {
	manyRuns(t)
	p := two()
	p.Blocks, p.Warmups = 3, 0
	tmp := t.TempDir()
	file := filepath.Join(tmp, "pid")
	steps := plan.Schedule(p, 3)
	// The fifth run waits; before it, four are on disk.
	p.Arms[1].Command = plan.Command{Args: []string{"/bin/sh", "-c", `if [ "$(ls ` + tmp + ` | grep -c run.)" -ge ` + "1" + ` ] && [ ! -e ` + tmp + `/second ]; then echo $$ > ` + file + `.new; mv ` + file + `.new ` + file + `; exec sleep 3600; fi; touch ` + tmp + `/run.$$`}}
	text := filepath.Join(tmp, "plan.yaml")
	if err := os.WriteFile(text, p.Marshal(), 0o644); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(tmp, "dir")
	c := command("bench", text, path)
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { _, err := os.Stat(file); return err == nil })
	cmd.Process.Kill()
	cmd.Wait()
	pid, _ := os.ReadFile(file)
	if err := os.WriteFile(file, []byte(strings.TrimSpace(string(pid))), 0o644); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return gone(t, file) }) // the launcher saw to it
	before := open(t, path).Runs
	follows(t, p, 3, before)
	if second := 0; len(before) > 0 {
		for _, r := range before {
			if r.Arm == "new" {
				second++
			}
		}
		if second != 1 || steps[len(before)].Arm != "new" {
			t.Errorf("after %d runs, %d of them of new, the one in flight was of %s", len(before), second, steps[len(before)].Arm)
		}
	}
	if err := os.WriteFile(filepath.Join(tmp, "second"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	now, err := record.Capture(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	d, rec, err := record.Resume(path, p, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Runner{Force: true}).Experiment(context.Background(), p, d, rec.Runs); err != nil {
		t.Fatal(err)
	}
	got := open(t, path)
	if !reflect.DeepEqual(got.Runs[:len(before)], before) || len(got.Runs) != 9 || len(got.Env.Resumed) != 1 {
		t.Errorf("%d runs, resumed %v", len(got.Runs), got.Env.Resumed)
	}
	follows(t, p, 3, got.Runs)
	if err := record.Verify(path); err != nil {
		t.Error(err)
	}
}

// waitFor asks again and again until it is so; the test's own limit ends it.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for !so() {
		if t.Context().Err() != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestInterrupted(t *testing.T) {
	p := two()
	p.Arms[1].Command = command("forever")
	cleaned := filepath.Join(t.TempDir(), "cleaned")
	p.Arms[1].Cleanup = plan.Command{Args: []string{"/bin/touch", cleaned}}
	d := newDir(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	r := &Runner{Force: true, Progress: func(p Progress) {
		if p.Step.Arm == "new" {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}}
	err := r.Experiment(ctx, p, d, nil)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	got := open(t, d.Path())
	follows(t, p, 2, got.Runs)
	if !got.Env.Interrupted || record.Verify(d.Path()) != nil {
		t.Errorf("%+v", got.Env)
	}
	if _, err := os.Stat(cleaned); err != nil {
		t.Error(err)
	}
}

func TestFailures(t *testing.T) {
	manyRuns(t)
	cleaned := filepath.Join(t.TempDir(), "cleaned")
	for name, c := range map[string]struct {
		change func(p *plan.Plan)
		check  func(err error, r *record.Record) bool
	}{
		"a program fails": {
			func(p *plan.Plan) { p.Arms[1].Command = command("errors") },
			func(err error, r *record.Record) bool {
				e := (*FailedError)(nil)
				last := r.Runs[len(r.Runs)-1]
				return errors.As(err, &e) && e.Stderr == "it went wrong\n" && last.Exit == 1 && last.Arm == "new"
			},
		},
		"and may": {
			func(p *plan.Plan) { p.Arms[1].Command, p.AllowFailure = command("errors"), true },
			func(err error, r *record.Record) bool {
				return err == nil && len(r.Runs) == 9 && len(r.Env.Notes) > 0
			},
		},
		"a time limit": {
			func(p *plan.Plan) { p.Arms[1].Command, p.Timeout = command("forever"), time.Second },
			func(err error, r *record.Record) bool {
				e := (*FailedError)(nil)
				return errors.As(err, &e) && e.Run.Exit == record.ExitTimeout && r.Runs[len(r.Runs)-1].Exit == record.ExitTimeout
			},
		},
		"unequal outputs": {
			func(p *plan.Plan) { p.Arms[1].Command, p.Outputs = command("print", "x"), plan.OutputsEqual },
			func(err error, r *record.Record) bool {
				e := (*OutputError)(nil)
				return errors.As(err, &e) && e.First.Output != e.Second.Output
			},
		},
		"a setup fails": {
			func(p *plan.Plan) { p.Arms[0].Setup = command("errors") },
			func(err error, r *record.Record) bool {
				e := (*CommandError)(nil)
				return errors.As(err, &e) && e.Which == "setup" && e.Arm == "old" && e.Exit == 1
			},
		},
		"the launcher is killed": {
			func(p *plan.Plan) {
				text := func(text string) plan.Command { return plan.Command{Args: []string{text}} }
				p.Arms[1].Shell, p.Arms[1].Command, p.Arms[1].Cleanup = true, text("kill -9 $PPID"), text("echo >"+cleaned)
			},
			func(err error, r *record.Record) bool {
				_, missing := os.Stat(cleaned)
				return errors.Is(err, ErrLauncher) && missing == nil && !slices.ContainsFunc(r.Runs, func(r record.Run) bool { return r.Arm == "new" })
			},
		},
	} {
		p := two()
		c.change(p)
		d := newDir(t, p)
		err := (&Runner{Force: true}).Experiment(context.Background(), p, d, nil)
		if r := open(t, d.Path()); !c.check(err, r) {
			t.Errorf("%s: %v\n%+v", name, err, r.Runs)
		}
		if err := record.Verify(d.Path()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChangedBinary(t *testing.T) {
	manyRuns(t)
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := two()
	p.Arms[1].Command = plan.Command{Args: []string{file}}
	d := newDir(t, p)
	r := &Runner{Force: true, Progress: func(p Progress) {
		if p.Done == 4 {
			os.WriteFile(file+"2", []byte("#!/bin/sh\n# new\n"), 0o755)
			os.Rename(file+"2", file)
		}
	}}
	if err := r.Experiment(context.Background(), p, d, nil); err != nil {
		t.Fatal(err)
	}
	e := open(t, d.Path()).Env
	if !slices.ContainsFunc(e.Notes, func(n record.Note) bool { return n.Kind == "binary" }) || e.Binaries[1].After == e.Binaries[1].Before {
		t.Errorf("%+v", e)
	}
}

// TestFullDisk: what was measured before the disk was full is there and whole.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	manyRuns(t)
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	p := two()
	p.Blocks = 400
	p.Arms[0].Command.Args, p.Arms[1].Command.Args = []string{"/bin/true"}, []string{"/bin/true"}
	d := newDirAt(t, p, filepath.Join(dir, "run"))
	err := (&Runner{Force: true}).Experiment(context.Background(), p, d, nil)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	r := open(t, d.Path())
	if len(r.Runs) < 50 || len(r.Torn) > 0 {
		t.Errorf("%d runs, torn %v", len(r.Runs), r.Torn)
	}
	follows(t, p, 400, r.Runs)
}

func TestBusy(t *testing.T) {
	p := two()
	d := newDir(t, p)
	load, _ := record.ReadLoad()
	if load.Averages[0] == 0 {
		t.Skip("the machine has nothing to do")
	}
	if err := (&Runner{Sink: d, LoadMax: 1e-9}).Run(context.Background(), p, plan.Schedule(p, 1), nil); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if err := (&Runner{Sink: d, LoadMax: 1e-9, Force: true}).Run(context.Background(), p, plan.Schedule(p, 1), nil); err != nil || len(d.Env().Notes) != 1 {
		t.Errorf("%v, %+v", err, d.Env().Notes)
	}
	d.Close()
}

func TestWatch(t *testing.T) {
	w := watch{before: record.Load{SwapBytes: 5, MHz: 3000}, known: true, cpus: 2}
	if notes := w.judge(record.Load{Averages: [3]float64{3}, SwapBytes: 5, MHz: 2900}); len(notes) != 0 {
		t.Errorf("%+v", notes)
	}
	if notes := w.judge(record.Load{Averages: [3]float64{5}, SwapBytes: 5 << 20, MHz: 2000}); len(notes) != 3 {
		t.Errorf("%+v", notes)
	}
}

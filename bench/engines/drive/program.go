// Package drive runs engines as child processes: it builds Tokio's, calibrates
// how many operations a sample takes, and takes rounds of samples in an order
// drawn from a seed.
package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"weft/bench/engines/engine"
	"weft/bench/engines/sample"
)

// Program is an engine that can be started.
type Program struct {
	Engine string
	What   string
	// Command and its first arguments; those of the job follow.
	Command []string
	// Runs says whether it has the workload at that parallelism.
	Runs func(workload string, parallelism int) bool
}

// ChildVerb makes this program an engine, for one sample.
const ChildVerb = "child"

// GoPrograms are the engines inside the executable self.
func GoPrograms(self string) []Program {
	var programs []Program
	for _, m := range engine.Go() {
		programs = append(programs, Program{
			Engine: m.Name, What: m.What, Command: []string{self, ChildVerb},
			Runs: func(workload string, _ int) bool { return m.Runs(workload) },
		})
	}
	return programs
}

// TokioPrograms are the engines inside the program that BuildTokio made.
func TokioPrograms(path string) []Program {
	current := []string{"spawn", "chain", "yield", "pingpong", "pingpong-queue", "cpu", "block-ms", "panic"}
	return []Program{
		{Engine: "tokio", What: "Tokio 1.24, multi-threaded", Command: []string{path},
			Runs: func(workload string, _ int) bool { return workload != "panic-trace" }},
		{Engine: "tokio-current", What: "Tokio 1.24, current-thread", Command: []string{path},
			Runs: func(workload string, parallelism int) bool {
				return parallelism == 1 && slices.Contains(current, workload)
			}},
		{Engine: "tokio-async", What: "Tokio 1.24, its own sockets", Command: []string{path},
			Runs: func(workload string, _ int) bool { return workload == "sockets" }},
	}
}

// sampleLimit ends an engine that hangs.
const sampleLimit = time.Minute

// Take runs the program for one sample and checks that it did the work.
func (p Program) Take(ctx context.Context, job engine.Job) (sample.Sample, error) {
	ctx, cancel := context.WithTimeout(ctx, sampleLimit)
	defer cancel()
	job.Engine = p.Engine
	cmd := exec.CommandContext(ctx, p.Command[0], append(slices.Clone(p.Command[1:]), job.Args()...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	fail := func(err error) (sample.Sample, error) {
		return sample.Sample{}, fmt.Errorf("%s, %s at %d: %w", p.Engine, job.Workload, job.Parallelism, err)
	}
	out, err := cmd.Output()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fail(fmt.Errorf("no sample within %v", sampleLimit))
	case ctx.Err() != nil:
		return fail(ctx.Err())
	case err != nil:
		return fail(fmt.Errorf("%w: %s", err, firstLine(stderr.String())))
	}
	s, err := sample.Parse(strings.TrimSpace(string(out)))
	if err != nil {
		return fail(err)
	}
	if s.Workload != job.Workload || s.Parallelism != job.Parallelism || s.Ops != job.Ops {
		return fail(fmt.Errorf("it did something else: %s", s.Line()))
	}
	w, ok := engine.FindWorkload(job.Workload)
	if !ok {
		return fail(errors.New("there is no such workload"))
	}
	if want := w.Sum(job.Ops, job.Parallelism); s.Checksum != want {
		return fail(fmt.Errorf("checksum %d of %d operations, not %d", s.Checksum, s.Ops, want))
	}
	s.Engine = p.Engine
	return s, nil
}

// firstLine of what a child said before it failed: a crash of Go's says why
// there, and the stacks after it are long.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Command engines compares weft's task runtime with other ways to run a great
// deal of concurrent work: goroutines, errgroup, ants, pond, conc and Tokio. It
// runs each as a child process, keeps every sample in a CSV file, and writes a
// report. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"weft/bench/engines/drive"
	"weft/bench/engines/engine"
	"weft/bench/engines/report"
	"weft/bench/engines/sample"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == drive.ChildVerb {
		os.Exit(child(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "engines:", err)
		os.Exit(1)
	}
}

// child takes one sample and prints it.
func child(args []string) int {
	job, err := engine.ParseJob(args)
	if err == nil {
		var s sample.Sample
		if s, err = job.Run(); err == nil {
			fmt.Println(s.Line())
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

type options struct {
	out, reportOf, target       string
	engines, workloads, degrees string
	rounds                      int
	length                      time.Duration
	seed                        uint64
	tokio                       string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("engines", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.out, "o", "", "keep the samples in this CSV `file`, and the report beside it as .md")
	flags.StringVar(&o.reportOf, "report", "", "only write the report of this CSV `file` to standard output")
	flags.StringVar(&o.engines, "engines", "", "compare these alone (`names` with commas between)")
	flags.StringVar(&o.workloads, "workloads", "", "run these alone (`names` with commas between)")
	flags.StringVar(&o.degrees, "parallelism", "1,4,16", "at these `degrees` of parallelism")
	flags.IntVar(&o.rounds, "rounds", 15, "how `many` samples of each")
	flags.DurationVar(&o.length, "sample", 50*time.Millisecond, "how `long` one should take")
	flags.Uint64Var(&o.seed, "seed", 0, "of the order; 0 draws one from the clock")
	flags.StringVar(&o.tokio, "tokio", "tokio", "the `folder` of the Rust program")
	flags.StringVar(&o.target, "target", filepath.Join("..", "results", "tokio"), "the `folder` to build it in")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("what is %q?", flags.Arg(0))
	}
	if o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano())
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.reportOf != "" {
		return reportOf(o.reportOf, stdout)
	}
	if o.out == "" {
		return fmt.Errorf("where should the samples go? (hint: -o results.csv)")
	}
	plan, facts, err := prepare(ctx, o, stderr)
	if err != nil {
		return err
	}
	err = record(ctx, o.out, plan, facts)
	if closed := plan.Ground.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	page := strings.TrimSuffix(o.out, filepath.Ext(o.out)) + ".md"
	file, err := os.Create(page)
	if err != nil {
		return err
	}
	if err := reportOf(o.out, file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	fmt.Fprintln(stdout, "report:", page)
	return file.Close()
}

// prepare finds what is to be compared.
func prepare(ctx context.Context, o options, stderr io.Writer) (drive.Plan, []sample.Fact, error) {
	plan := drive.Plan{Rounds: o.rounds, Sample: o.length, Seed: o.seed, Progress: stderr}
	self, err := os.Executable()
	if err != nil {
		return plan, nil, err
	}
	programs := drive.GoPrograms(self)
	facts := drive.Environment(ctx)
	if o.engines == "" || strings.Contains(o.engines, "tokio") {
		path, err := drive.BuildTokio(ctx, o.tokio, o.target)
		if err != nil {
			fmt.Fprintln(stderr, "without Tokio:", err)
			facts = append(facts, sample.Fact{Key: "without Tokio", Value: err.Error()})
		} else {
			programs = append(programs, drive.TokioPrograms(path)...)
		}
	}
	if plan.Programs, err = choose("engine", o.engines, programs, func(p drive.Program) string { return p.Engine }); err != nil {
		return plan, nil, err
	}
	if plan.Workloads, err = choose("workload", o.workloads, engine.Workloads(), func(w engine.Workload) string { return w.Name }); err != nil {
		return plan, nil, err
	}
	for degree := range strings.SplitSeq(o.degrees, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(degree))
		if err != nil || n < 1 {
			return plan, nil, fmt.Errorf("-parallelism: %q is not 1 or more", degree)
		}
		plan.Parallelism = append(plan.Parallelism, n)
	}
	for _, program := range plan.Programs {
		facts = append(facts, sample.Fact{Key: "engine " + program.Engine, Value: program.What})
	}
	facts = append(facts, sample.Fact{Key: "seed", Value: strconv.FormatUint(o.seed, 10)},
		sample.Fact{Key: "sample", Value: o.length.String()})
	plan.Ground, err = drive.NewGround()
	return plan, facts, err
}

// choose keeps what is named, in the order of all; everything if nothing is.
func choose[T any](kind, names string, all []T, name func(T) string) ([]T, error) {
	if names == "" {
		return all, nil
	}
	wanted := map[string]bool{}
	for n := range strings.SplitSeq(names, ",") {
		wanted[strings.TrimSpace(n)] = true
	}
	var chosen []T
	var known []string
	for _, x := range all {
		known = append(known, name(x))
		if wanted[name(x)] {
			chosen = append(chosen, x)
			delete(wanted, name(x))
		}
	}
	for missing := range wanted {
		return nil, fmt.Errorf("there is no %s %q (there are %s)", kind, missing, strings.Join(known, ", "))
	}
	return chosen, nil
}

// record takes the samples and keeps them. Samples that failed make it fail at
// the end.
func record(ctx context.Context, path string, plan drive.Plan, facts []sample.Fact) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	to := sample.NewWriter(file)
	for _, fact := range facts {
		if err := to.Fact(fact.Key, fact.Value); err != nil {
			return err
		}
	}
	failures := 0
	failed := func(err error) {
		failures++
		fmt.Fprintln(plan.Progress, "failed:", err)
		_ = to.Fact("failed", err.Error()) // the next row would fail as well
	}
	if err := plan.Run(ctx, to.Sample, failed); err != nil {
		return err
	}
	if err := to.Fact("load after", drive.Load()); err != nil {
		return err
	}
	if failures > 0 {
		return fmt.Errorf("%d samples failed; the others are in %s", failures, path)
	}
	return nil
}

func reportOf(path string, to io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	facts, samples, err := sample.Read(file)
	if err != nil {
		return err
	}
	return report.Write(to, facts, samples)
}

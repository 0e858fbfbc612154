package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/lab/experiment"
	"weft/lab/plan"
)

// addBenchFlags declares what `weft bench` itself takes. Those that shape a
// plan are refused beside --plan, which says it all, but for a few that one
// wants to try.
func addBenchFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringP("plan", "p", "", "measure what this `file` says (YAML or TOML)")
	flags.StringP("out", "o", "", "keep the record in this new `folder` (default: a dated one below .weft-bench)")
	flags.String("resume", "", "go on with the experiment in this `folder`")
	flags.Int("blocks", 0, "`number` of blocks (default: as many as fill about a minute)")
	flags.Int("pairs", 0, "")
	hide(flags, "pairs")
	flags.Int("warmups", plan.DefaultWarmups, "`number` of warm-ups of each program")
	flags.Int("confirm", 0, "`number` of confirmation series, recorded and analysed apart")
	flags.Int("memory-runs", 0, "`number` of runs of each program with its memory polled")
	flags.String("min-effect", "", "smallest difference of interest, as a `share` or with % (default 2%)")
	flags.StringSlice("metric", nil, "primary `metric`s, those that decide (default wall_ns)")
	flags.Uint64("seed", 0, "`number` that decides every random choice (default: drawn and recorded)")
	flags.StringSlice("name", nil, "`name`s of the programs, in order")
	flags.Bool("shell", false, "the commands are for the shell")
	flags.StringArray("env", nil, "set a `NAME=VALUE` for the programs")
	flags.String("cwd", "", "run the programs in this `folder`")
	flags.String("setup", "", "run this `command` once, before all runs of a program")
	flags.String("prepare", "", "run this `command` before each run, unmeasured")
	flags.String("cleanup", "", "run this `command` once, after all runs of a program")
	flags.Duration("timeout", plan.DefaultTimeout, "`time` after which a run is ended and failed")
	flags.Bool("equal-output", false, "fail where the programs print different things")
	flags.Bool("allow-failure", false, "record runs that fail and go on")
	flags.Bool("force", false, "measure on a machine that is busy, too")
	flags.StringSlice("fail-on", nil, "exit with 3 on these `verdict`s: slower, inconclusive, ...")
	addBenchForms(flags)
	flags.Bool("no-progress", false, "show no progress")
	for _, name := range []string{"out", "resume", "cwd"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // declared above
		}
	}
	if err := cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(plan.GateWords, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// addBenchForms declares what stdout gets.
func addBenchForms(flags *pflag.FlagSet) {
	flags.Bool("json", false, "print the result as JSON (lab/report/schema.json)")
	flags.Bool("markdown", false, "print the result as Markdown")
	flags.Bool("html", false, "print the result as a page")
	flags.Bool("all", false, "show every metric in full")
	flags.Bool("ascii", false, "draw with ASCII characters alone")
}

// planFlags are those that only commands on the command line take.
var planFlags = []string{"warmups", "memory-runs", "metric", "name", "shell", "env", "cwd", "setup", "prepare", "cleanup", "timeout", "equal-output", "allow-failure"}

// benchRequest turns the command line into an experiment and a gate.
func benchRequest(cmd *cobra.Command, args []string) (o experiment.Options, gate []string, err error) {
	flags := cmd.Flags()
	gate, _ = flags.GetStringSlice("fail-on")
	if err := experiment.CheckGate(gate); err != nil {
		return o, nil, err
	}
	o.Force = on(flags, "force")
	file, _ := flags.GetString("plan")
	resume, _ := flags.GetString("resume")
	if resume != "" {
		for _, name := range append(planFlags, "plan", "out", "blocks", "pairs", "confirm", "min-effect", "seed") {
			if flags.Changed(name) {
				return o, nil, usage(cmd, "--resume goes on with the plan it finds and takes no --"+name, "start anew without --resume")
			}
		}
		if len(args) > 0 {
			return o, nil, usage(cmd, fmt.Sprintf("--resume goes on with the plan it finds and takes no command, such as %q", args[0]), "")
		}
		o.Dir, o.Resume = resume, true
		return o, gate, nil
	}
	switch {
	case file != "" && len(args) > 0:
		return o, nil, usage(cmd, fmt.Sprintf("--plan says what to run; %q is one command too many", args[0]), "")
	case file == "" && len(args) == 0:
		return o, nil, usage(cmd, "there is no command to measure", "weft bench './old' './new', or --plan FILE")
	case file != "":
		o.Plan, err = planFile(cmd, file)
	default:
		o.Plan, err = planOf(flags, args)
	}
	if err == nil {
		err = shape(flags, o.Plan)
	}
	if err != nil {
		return o, nil, err
	}
	if o.Dir, _ = flags.GetString("out"); o.Dir == "" {
		o.Dir, err = benchFolder(time.Now())
	}
	return o, gate, err
}

func planFile(cmd *cobra.Command, file string) (*plan.Plan, error) {
	for _, name := range planFlags {
		if cmd.Flags().Changed(name) {
			return nil, usage(cmd, "--"+name+" and --plan exclude each other", "write it into the plan")
		}
	}
	data, err := readUpTo(file, plan.FileBytesMax+1)
	if err != nil {
		return nil, usage(cmd, "--plan: "+err.Error(), "")
	}
	if len(data) > plan.FileBytesMax {
		return nil, usage(cmd, fmt.Sprintf("--plan: %s has more than %d bytes", file, plan.FileBytesMax), "")
	}
	p, err := plan.Parse(file, data)
	if err == nil {
		p.Fill()
	}
	return p, err
}

// readUpTo reads a file, or so many bytes of one that may have no end.
func readUpTo(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// shape applies the flags that go with both commands and a plan file.
func shape(flags *pflag.FlagSet, p *plan.Plan) error {
	blocks := func(name string) {
		if flags.Changed(name) {
			p.Blocks, _ = flags.GetInt(name)
		}
	}
	blocks("pairs")
	blocks("blocks")
	if flags.Changed("confirm") {
		p.Confirmations, _ = flags.GetInt("confirm")
	}
	if flags.Changed("seed") {
		p.Seed, _ = flags.GetUint64("seed")
		p.Fill()
	}
	if flags.Changed("min-effect") {
		var err error
		if p.MinEffect, err = minEffect(flags); err != nil {
			return err
		}
	}
	return p.Validate()
}

// planOf makes the plan of commands.
func planOf(flags *pflag.FlagSet, commands []string) (*plan.Plan, error) {
	var o plan.Options
	o.Shell = on(flags, "shell")
	o.Names, _ = flags.GetStringSlice("name")
	if len(o.Names) > len(commands) {
		return nil, &plan.Error{Problem: fmt.Sprintf("--name: %d names for %d commands", len(o.Names), len(commands)), Expected: "one a command at most"}
	}
	p, err := plan.FromCommands(commands, o)
	if err != nil {
		return nil, err
	}
	p.Warmups, _ = flags.GetInt("warmups")
	p.MemoryRuns, _ = flags.GetInt("memory-runs")
	p.Timeout, _ = flags.GetDuration("timeout")
	p.AllowFailure = on(flags, "allow-failure")
	if on(flags, "equal-output") {
		p.Outputs = plan.OutputsEqual
	}
	if metrics, _ := flags.GetStringSlice("metric"); len(metrics) > 0 {
		p.Primary = metrics
	}
	return p, armFlags(flags, p)
}

// armFlags gives all arms the surroundings that were asked for.
func armFlags(flags *pflag.FlagSet, p *plan.Plan) error {
	env := map[string]string{}
	settings, _ := flags.GetStringArray("env")
	for _, text := range settings {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return &plan.Error{Problem: fmt.Sprintf("--env: %q", text), Expected: "NAME=VALUE"}
		}
		env[name] = value
	}
	cwd, _ := flags.GetString("cwd")
	for i := range p.Arms {
		a := &p.Arms[i]
		a.Env, a.Cwd = env, cwd
		for name, command := range map[string]*plan.Command{"setup": &a.Setup, "prepare": &a.Prepare, "cleanup": &a.Cleanup} {
			text, _ := flags.GetString(name)
			if text == "" {
				continue
			}
			command.Args = []string{text}
			if !a.Shell {
				args, err := plan.Split(text)
				if err != nil {
					return &plan.Error{Problem: fmt.Sprintf("--%s: %q: %v", name, text, err), Expected: "a program and its arguments"}
				}
				command.Args = args
			}
		}
	}
	return nil
}

// minEffect reads --min-effect, 0 if it was not given.
func minEffect(flags *pflag.FlagSet) (float64, error) {
	if !flags.Changed("min-effect") {
		return 0, nil
	}
	text, _ := flags.GetString("min-effect")
	share, ok := plan.Share(text)
	if !ok || share <= 0 {
		return 0, &plan.Error{Problem: fmt.Sprintf("--min-effect: %q", text), Expected: "a share above 0, such as 0.02 or 2%"}
	}
	return share, nil
}

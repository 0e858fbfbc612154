package plan

import (
	"crypto/rand"
	"encoding/binary"
	"time"
)

// Defaults of a plan.
const (
	DefaultMinEffect = 0.02
	DefaultWarmups   = 1
	DefaultTimeout   = 10 * time.Minute
	DefaultPrimary   = "wall_ns"
)

// OnlyCell is the workload of a plan that has no workloads and no matrix.
const OnlyCell = "default"

// Series of a record. Confirmation series are called "confirm-1" and so on.
const (
	SeriesMain   = "main"
	SeriesWarmup = "warmup"
	// SeriesMemory holds runs of their own in which the process tree is polled
	// for memory and threads; their times are disturbed and not recorded.
	SeriesMemory = "memory"
)

// Order is how the runs of a series follow each other.
type Order string

// Orders.
const (
	// Paired runs every arm once in each block, in randomised, balanced order.
	Paired Order = "paired"
	// Shuffled runs all repetitions of all arms in one wholly random order.
	// The block is then the number of the repetition and pairs nothing.
	Shuffled Order = "shuffled"
)

// Outputs says what is asked of what the arms print.
type Outputs string

// Outputs.
const (
	OutputsOff   Outputs = "off"
	OutputsEqual Outputs = "equal" // all runs of a workload print the same on stdout
)

// Source says where custom metrics come from.
type Source string

// Sources.
const (
	SourceNone    Source = "none"
	SourceLines   Source = "lines"    // lines "metric NAME VALUE [UNIT]" on stdout
	SourceGoBench Source = "go-bench" // what `go test -bench` prints
)

// Network says what network the programs see.
type Network string

// Networks.
const (
	NetworkHost Network = "host"
	// NetworkIsolated gives every run a network of its own with nothing but
	// loopback, and counts the bytes over it. It takes Linux and the right to
	// make one; where that is missing the runs fail rather than go out.
	NetworkIsolated Network = "isolated"
)

// Direction says which values of a metric are good.
type Direction string

// Directions.
const (
	Less    Direction = "less"
	More    Direction = "more"
	Neither Direction = "neither"
)

// Command is a program with its arguments. The zero value is no command.
type Command struct {
	// Args are the arguments, the program first. With the arm's Shell there is
	// one: the text for the shell.
	Args []string
}

// None reports that there is no command.
func (c Command) None() bool { return len(c.Args) == 0 }

// Arm is one of the programs that are compared.
type Arm struct {
	Name    string
	Command Command
	Shell   bool // commands are for the shell
	// Env is added to the environment of all the arm's commands.
	Env map[string]string
	// Cwd is the folder that the arm's commands run in, relative to where the
	// plan is run; "" is that folder itself.
	Cwd     string
	Setup   Command // once a cell, before its first run
	Prepare Command // before each run, not measured
	Cleanup Command // once a cell, after all runs
}

// Value is what a parameter stands for.
type Value struct{ Name, Text string }

// Workload is a named set of values.
type Workload struct {
	Name   string
	Values []Value
}

// Parameter is a row of the matrix.
type Parameter struct {
	Name   string
	Values []string
}

// Metric says more about a metric than its name does. Metrics need no entry;
// one without is better when less, with the plan's MinEffect.
type Metric struct {
	Name      string
	Direction Direction
	MinEffect float64 // as a share; 0 stands for the plan's
	// MinDifference is the smallest difference of interest, in the metric's own
	// unit, where values can be zero; 0 is none.
	MinDifference float64
}

// Plan is an experiment.
type Plan struct {
	Name      string
	Arms      []Arm // the first is the baseline; two or more, or one for its noise alone
	Workloads []Workload
	Matrix    []Parameter

	// Repeat runs the baseline twice in each block.
	Repeat bool
	// Blocks of the main series and of each confirmation; 0 lets [BlocksFor]
	// decide from the duration of the warm-ups.
	Blocks        int
	Warmups       int // runs of each arm and cell before the main series
	Confirmations int // further series, recorded apart
	MemoryRuns    int // of each arm and cell, to poll memory and threads
	Order         Order
	Seed          uint64 // decides every random choice; below 2^53; 0 is not decided yet
	Padding       bool   // vary the size of environment and path between series

	Primary   []string // metrics that decide
	Metrics   []Metric
	MinEffect float64 // minimum effect of interest as a share

	Outputs      Outputs
	Source       Source
	Network      Network
	Timeout      time.Duration // of a run, and of each setup, prepare and cleanup
	AllowFailure bool          // a run that fails is recorded and the rest goes on
	// Gate lists [GateWords] that make the command exit with 3.
	Gate []string
}

// Default gives a plan with every default and no arms.
func Default() *Plan {
	return &Plan{
		Repeat: true, Warmups: DefaultWarmups, Order: Paired, Padding: true,
		Primary: []string{DefaultPrimary}, MinEffect: DefaultMinEffect,
		Outputs: OutputsOff, Source: SourceNone, Network: NetworkHost, Timeout: DefaultTimeout,
	}
}

// Fill draws a seed if there is none. Nothing else of a plan is random.
func (p *Plan) Fill() {
	for p.Seed == 0 {
		var b [8]byte
		rand.Read(b[:]) // never fails
		p.Seed = binary.LittleEndian.Uint64(b[:]) >> 32
	}
}

// RepeatName is the name under which the baseline's second run is recorded.
func RepeatName(baseline string) string { return baseline + "'" }

// Baseline is the first arm's name, "" if there is none.
func (p *Plan) Baseline() string {
	if len(p.Arms) == 0 {
		return ""
	}
	return p.Arms[0].Name
}

// Candidates are the names of the other arms.
func (p *Plan) Candidates() []string {
	var names []string
	for i := 1; i < len(p.Arms); i++ {
		names = append(names, p.Arms[i].Name)
	}
	return names
}

// ArmNames are the names that runs are recorded under: the baseline, its
// repeat where there is one, the candidates.
func (p *Plan) ArmNames() []string {
	var names []string
	for i, a := range p.Arms {
		names = append(names, a.Name)
		if i == 0 && p.Repeat {
			names = append(names, RepeatName(a.Name))
		}
	}
	return names
}

// Arm finds an arm by the name of a run: the repeat's is the baseline.
func (p *Plan) Arm(name string) (*Arm, bool) {
	for i := range p.Arms {
		if p.Arms[i].Name == name || i == 0 && p.Repeat && RepeatName(p.Arms[i].Name) == name {
			return &p.Arms[i], true
		}
	}
	return nil, false
}

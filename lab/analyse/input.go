package analyse

import (
	"errors"
	"fmt"
)

// Defaults of an [Input].
const (
	DefaultAlpha     = 0.05
	DefaultMinEffect = 0.02
	DefaultPower     = 0.8
)

// ErrInput means that an [Input] asks for something that makes no sense;
// [Input.Validate] says what.
var ErrInput = errors.New("analyse: bad input")

// Design says how the runs were made, and so how they may be analysed.
type Design string

// Designs. The zero value stands for Paired.
const (
	// Paired runs every arm once in each block, as many blocks as were decided
	// in advance.
	Paired Design = "paired"
	// Sequential does the same, but may have stopped when stats.Sequential
	// allowed it.
	Sequential Design = "sequential"
	// Unpaired has nothing to pair: files from elsewhere, or serial
	// repetitions. Welch's t and Mann-Whitney take over, the block is only the
	// order within an arm, and the place within it is not looked at.
	Unpaired Design = "unpaired"
)

// Scale is how two arms are compared.
type Scale string

// Scales. The zero value of a [Metric]'s stands for Ratio where all values of a
// workload are positive, and Difference elsewhere.
const (
	Ratio      Scale = "ratio"      // candidate/baseline; no difference is 1
	Difference Scale = "difference" // candidate-baseline, in the metric's unit; no difference is 0
)

// Direction says which values of a metric are good.
type Direction int

// Directions.
const (
	LessIsBetter Direction = iota
	MoreIsBetter
	NoDirection // neither; a count that one wants to know
)

// Metric is what was measured, and what is to be said of it.
type Metric struct {
	Name      string
	Primary   bool // belongs to the family that decides
	Time      bool // faster and slower rather than better and worse; less is better
	Direction Direction
	// Scale may be set to Difference; Ratio is as the zero value.
	Scale Scale
	// MinEffect is the minimum effect of interest as a share: 0.02 for 2 %. 0
	// stands for the Input's.
	MinEffect float64
	// MinDifference is the same on the Difference scale, in the metric's unit. 0
	// means that there is none: then only equal values are ever equivalent.
	MinDifference float64
}

// Run is one measured run.
type Run struct {
	Series   string // "main", "warmup", or a confirmation's name
	Workload string
	Arm      string
	Block    int
	Position int  // place within the block
	Failed   bool // its values do not count
	// Values by metric name. What could not be measured is not in the map; NaN,
	// infinities and whatever is beyond ±1e60 count as absent too.
	Values map[string]float64
}

// Named reports whether a workload has a name that says something: an
// experiment with one workload alone need not give it one.
func Named(workload string) bool {
	return workload != "" && workload != "main" && workload != "default"
}

// Input is an experiment: what was planned and what was measured.
type Input struct {
	Baseline   string
	Repeat     string // the baseline's second arm, for the noise floor; "" where there is none
	Candidates []string
	// Workloads in the order of the result; nil stands for all that occur,
	// sorted.
	Workloads []string
	Metrics   []Metric
	Runs      []Run
	Design    Design
	// Alpha is the error allowed to each family, 0 < Alpha < 0.5; 0 stands for
	// [DefaultAlpha].
	Alpha float64
	// MinEffect is the minimum effect of interest as a share; 0 stands for
	// [DefaultMinEffect].
	MinEffect float64
	// Power is what [Advice] plans for, 0 < Power < 1; 0 stands for
	// [DefaultPower].
	Power float64
}

// Validate reports the first setting that makes no sense, wrapping [ErrInput].
// It does not look at the runs: whatever they hold, there is a result.
func (in Input) Validate() error {
	bad := func(format string, a ...any) error { return fmt.Errorf("%w: %s", ErrInput, fmt.Sprintf(format, a...)) }
	in = in.withDefaults()
	if !(in.Alpha > 0 && in.Alpha < 0.5) {
		return bad("alpha is %v, not between 0 and 0.5", in.Alpha)
	}
	if !(in.MinEffect > 0 && in.MinEffect < 100) {
		return bad("the minimum effect is %v, not between 0 and 100", in.MinEffect)
	}
	if !(in.Power > 0 && in.Power < 1) {
		return bad("power is %v, not between 0 and 1", in.Power)
	}
	switch in.Design {
	case Paired, Sequential, Unpaired:
	default:
		return bad("no design is called %q", in.Design)
	}
	arms := map[string]bool{}
	for _, arm := range append([]string{in.Baseline, in.Repeat}, in.Candidates...) {
		if arms[arm] && arm != "" {
			return bad("arm %q is there twice", arm)
		}
		arms[arm] = true
	}
	metrics := map[string]bool{}
	for _, m := range in.Metrics {
		if metrics[m.Name] {
			return bad("metric %q is there twice", m.Name)
		}
		metrics[m.Name] = true
		if !(m.MinEffect >= 0 && m.MinEffect < 100) || !(m.MinDifference >= 0) {
			return bad("metric %q has a minimum effect of %v or a minimum difference of %v", m.Name, m.MinEffect, m.MinDifference)
		}
		if m.Scale != "" && m.Scale != Ratio && m.Scale != Difference {
			return bad("metric %q has a scale called %q", m.Name, m.Scale)
		}
	}
	return nil
}

func (in Input) withDefaults() Input {
	if in.Alpha == 0 {
		in.Alpha = DefaultAlpha
	}
	if in.MinEffect == 0 {
		in.MinEffect = DefaultMinEffect
	}
	if in.Power == 0 {
		in.Power = DefaultPower
	}
	if in.Design == "" {
		in.Design = Paired
	}
	return in
}

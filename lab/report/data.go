package report

import (
	"time"

	"weft/lab/analyse"
)

// Data is everything a report is made of. The zero value makes an empty report.
// All text in it is foreign: it is escaped where it is shown.
type Data struct {
	// Name is the experiment's title; "" stands for the arms' names.
	Name    string
	Started time.Time
	// Baseline, Repeat and Candidates name the arms as the runs do; Repeat is ""
	// where the baseline was not run twice.
	Baseline, Repeat string
	Candidates       []string
	Arms             []Arm // what the names stand for
	Blocks           int   // planned blocks of the main series; 0 if unknown
	Seed             string
	// Interrupted: not all planned blocks were measured.
	Interrupted bool
	Environment []Entry
	Notes       []Note
	// Runs are the measured runs of all series.
	Runs []analyse.Run
	// Curves are the memory of runs that were polled for it.
	Curves []Curve
	// CSV is the record that Runs were read from, as it is.
	CSV    string
	Result analyse.Result
}

// Curve is the memory of a run and of all its children, over its time.
type Curve struct {
	Arm, Workload string
	Points        []CurvePoint
}

// CurvePoint is a moment of a Curve.
type CurvePoint struct {
	At    time.Duration // since the start of the run
	Bytes float64
}

// Arm is one of the programs that were compared.
type Arm struct {
	Name    string  `json:"name"`
	Command string  `json:"command,omitempty"`
	Details []Entry `json:"details,omitempty"` // working directory, hash of the binary and the like
}

// Entry is a name with a value: one line of a table about the surroundings.
type Entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Note is something that was noticed while measuring, in plain words: load, a
// changed binary, unequal output.
type Note struct {
	Kind string `json:"kind"` // one word, such as "load"
	Text string `json:"text"`
}

// title gives the report's heading.
func (d Data) title() string {
	if d.Name != "" {
		return d.Name
	}
	text := ""
	for i, c := range d.Candidates {
		switch {
		case i == 0:
		case i == len(d.Candidates)-1:
			text += " and "
		default:
			text += ", "
		}
		text += c
	}
	if text == "" {
		return d.Baseline
	}
	return text + " against " + d.Baseline
}

// arms gives the baseline first, then the others as they are listed.
func (d Data) arms() []Arm {
	var first, rest []Arm
	for _, a := range d.Arms {
		if a.Name == d.Baseline {
			first = append(first, a)
		} else {
			rest = append(rest, a)
		}
	}
	return append(first, rest...)
}

// workloads are those of a series, in its order.
func workloads(s analyse.Series) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range s.Comparisons {
		if !seen[c.Workload] {
			seen[c.Workload] = true
			names = append(names, c.Workload)
		}
	}
	return names
}

// section is what a report shows under one heading: a workload of a series.
type section struct {
	Workload  string
	Primary   []analyse.Comparison
	Secondary []analyse.Comparison
	// Absent are metrics that no run has a value of.
	Absent []string
	Noise  []analyse.Noise
}

func sections(s analyse.Series) []section {
	var all []section
	for _, w := range workloads(s) {
		part := section{Workload: w}
		absent := map[string]bool{}
		for _, c := range s.Comparisons {
			switch {
			case c.Workload != w:
			case c.Verdict == analyse.Absent && c.BaselineValues.N == 0 && c.CandidateValues.N == 0 && (!c.Primary || s.Name != analyse.MainSeries):
				if !absent[c.Metric] {
					absent[c.Metric] = true
					part.Absent = append(part.Absent, Label(c.Metric))
				}
			case c.Primary:
				part.Primary = append(part.Primary, c)
			default:
				part.Secondary = append(part.Secondary, c)
			}
		}
		for _, n := range s.Noise {
			if n.Workload == w {
				part.Noise = append(part.Noise, n)
			}
		}
		all = append(all, part)
	}
	return all
}

// noiseOf finds the noise floor of a metric in a section.
func (s section) noiseOf(metric string) (analyse.Noise, bool) {
	for _, n := range s.Noise {
		if n.Metric == metric {
			return n, true
		}
	}
	return analyse.Noise{}, false
}

// primary are the comparisons of a series that decide.
func primary(s analyse.Series) []analyse.Comparison {
	var all []analyse.Comparison
	for _, c := range s.Comparisons {
		if c.Primary {
			all = append(all, c)
		}
	}
	return all
}

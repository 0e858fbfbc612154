package compare

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"weft/lab/analyse"
	"weft/lab/foreign"
	"weft/lab/report"
)

// ErrNothing means that two sides have nothing in common, or that a file by
// itself has one benchmark alone.
var ErrNothing = errors.New("compare: nothing to compare")

// Options of a comparison; the zero value stands for analyse's defaults.
type Options struct {
	MinEffect float64 // minimum effect of interest, as a share
	Alpha     float64
}

// Sides compares two sides. It fails with ErrNothing, or with analyse.ErrInput
// where the options make no sense.
func Sides(before, after Side, o Options) (report.Data, error) {
	if before.Name == after.Name {
		before.Name, after.Name = before.Name+" (first)", after.Name+" (second)"
	}
	pairs := match(before.keys(), after.keys())
	if len(pairs) == 0 {
		return report.Data{}, fmt.Errorf("%w: %s and %s have no workload and arm of the same name", ErrNothing, before.Name, after.Name)
	}
	in := analyse.Input{
		Baseline: before.Name, Candidates: []string{after.Name}, Design: analyse.Unpaired,
		Alpha: o.Alpha, MinEffect: o.MinEffect, Metrics: both(before.Metrics, after.Metrics),
	}
	if before.Plan != "" && before.Plan == after.Plan {
		in.Design = analyse.Paired
	}
	for _, p := range pairs {
		in.Workloads = append(in.Workloads, p.name)
		in.Runs = append(in.Runs, renamed(before, p.before, p.name)...)
		in.Runs = append(in.Runs, renamed(after, p.after, p.name)...)
	}
	return data(in, report.Note{
		Kind: "apart", Text: "the two sides were measured at different times: whatever changed between them counts as a difference",
	})
}

// Within compares the benchmarks of one file: the first is the baseline of all
// others. It fails as Sides does.
func Within(f *foreign.File, o Options) (report.Data, error) {
	if len(f.Benchmarks) < 2 {
		return report.Data{}, fmt.Errorf("%w: the file has one benchmark; a second file would have to hold the other side", ErrNothing)
	}
	s := FromFile("", f)
	in := analyse.Input{
		Baseline: f.Benchmarks[0].Name, Design: analyse.Unpaired, Alpha: o.Alpha, MinEffect: o.MinEffect, Metrics: s.Metrics, Runs: s.Runs,
	}
	seen := map[string]bool{in.Baseline: true}
	for _, b := range f.Benchmarks[1:] {
		if seen[b.Name] {
			return report.Data{}, fmt.Errorf("%w: the file has two benchmarks %q", ErrNothing, b.Name)
		}
		seen[b.Name] = true
		in.Candidates = append(in.Candidates, b.Name)
	}
	return data(in, report.Note{
		Kind: "apart", Text: "the programs were measured one after the other: whatever changed between them counts as a difference",
	})
}

func data(in analyse.Input, note report.Note) (report.Data, error) {
	if err := in.Validate(); err != nil {
		return report.Data{}, err
	}
	return report.Data{
		Baseline: in.Baseline, Candidates: in.Candidates, Notes: []report.Note{note}, Runs: in.Runs, Result: analyse.Analyse(in),
	}, nil
}

// pair is what one workload of the comparison is made of.
type pair struct {
	before, after key
	name          string
}

// match finds what both sides have. Where each has one thing alone, these are
// compared whatever their names.
func match(before, after []key) []pair {
	if len(before) == 1 && len(after) == 1 {
		name := before[0].name()
		if before[0] != after[0] {
			name += " -> " + after[0].name()
		}
		return []pair{{before[0], after[0], name}}
	}
	var pairs []pair
	for _, k := range before {
		if slices.Contains(after, k) {
			pairs = append(pairs, pair{k, k, k.name()})
		}
	}
	return pairs
}

// renamed are the runs of one thing, as those of a side's arm in a workload.
func renamed(s Side, k key, workload string) []analyse.Run {
	var runs []analyse.Run
	for _, r := range s.Runs {
		if r.Series == analyse.MainSeries && r.Workload == k.workload && r.Arm == k.arm {
			r.Workload, r.Arm = workload, s.Name
			runs = append(runs, r)
		}
	}
	return runs
}

// both joins the metrics of two sides; what is primary on one is primary.
func both(a, b []analyse.Metric) []analyse.Metric {
	all := slices.Clone(a)
	for _, m := range b {
		i := slices.IndexFunc(all, func(x analyse.Metric) bool { return x.Name == m.Name })
		if i < 0 {
			all = append(all, m)
		} else {
			all[i].Primary = all[i].Primary || m.Primary
		}
	}
	return all
}

func sorted(names map[string]bool) []string { return slices.Sorted(maps.Keys(names)) }

package experiment

import (
	"slices"
	"strings"

	"weft/lab/analyse"
	"weft/lab/plan"
	"weft/lab/record"
)

// Input asks for the analysis that a plan declared in advance, of the runs that
// there are: every primary metric, and every other that was measured or that
// the plan says something of.
func Input(p *plan.Plan, runs []analyse.Run) analyse.Input {
	in := analyse.Input{
		Baseline: p.Baseline(), Candidates: p.Candidates(), MinEffect: p.MinEffect, Runs: runs,
	}
	if p.Repeat {
		in.Repeat = plan.RepeatName(p.Baseline())
	}
	if p.Order == plan.Shuffled {
		in.Design = analyse.Unpaired
	}
	for _, c := range p.Cells() {
		in.Workloads = append(in.Workloads, c.Name)
	}
	for _, name := range metricNames(p, runs) {
		in.Metrics = append(in.Metrics, metric(p, name))
	}
	return in
}

// metricNames gives the primary ones, then the record's in its order, then
// custom ones by name.
func metricNames(p *plan.Plan, runs []analyse.Run) []string {
	seen := map[string]bool{}
	var names, custom []string
	add := func(list *[]string, name string) {
		if !seen[name] {
			seen[name] = true
			*list = append(*list, name)
		}
	}
	for _, name := range p.Primary {
		add(&names, name)
	}
	for _, name := range record.Metrics {
		add(&names, name)
	}
	for _, m := range p.Metrics {
		add(&custom, m.Name)
	}
	for _, r := range runs {
		for name := range r.Values {
			add(&custom, name)
		}
	}
	slices.Sort(custom)
	return append(names, custom...)
}

// metric describes one by its name and by what the plan says of it.
func metric(p *plan.Plan, name string) analyse.Metric {
	m := analyse.Metric{Name: name, Primary: slices.Contains(p.Primary, name)}
	m.Time = strings.HasSuffix(name, "_ns") || strings.HasPrefix(name, "m:ns/")
	if name == "threads_peak" {
		m.Direction = analyse.NoDirection
	}
	i := slices.IndexFunc(p.Metrics, func(x plan.Metric) bool { return x.Name == name })
	if i < 0 {
		return m
	}
	said := p.Metrics[i]
	m.MinEffect, m.MinDifference = said.MinEffect, said.MinDifference
	switch said.Direction {
	case plan.More:
		m.Direction, m.Time = analyse.MoreIsBetter, false
	case plan.Neither:
		m.Direction, m.Time = analyse.NoDirection, false
	}
	return m
}

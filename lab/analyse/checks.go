package analyse

import (
	"fmt"
	"math"
	"slices"

	"weft/lab/stats"
)

// checks looks for drift and for an effect of order, by workload and metric.
func (t *table) checks(trials []*trial) []Check {
	var checks []Check
	for _, w := range t.workloads {
		for _, m := range t.in.Metrics {
			checks = t.baselineDrift(checks, w, m)
			for _, x := range trials {
				if x.Workload == w && x.Metric == m.Name && x.evidence != nil && t.in.Design != Unpaired {
					checks = drift(checks, Check{Kind: RatioDrift, Workload: w, Metric: m.Name, Candidate: x.Candidate, Scale: x.Scale}, x.d)
				}
			}
			if t.in.Design != Unpaired {
				checks = t.order(checks, w, m)
			}
		}
	}
	for _, kind := range []CheckKind{BaselineDrift, RatioDrift, OrderEffect} {
		t.judge(checks, kind)
	}
	return checks
}

// judge corrects the checks of one kind and warns of those that found something.
func (t *table) judge(checks []Check, kind CheckKind) {
	var p []float64
	for _, c := range checks {
		if c.Kind == kind {
			p = append(p, c.P)
		}
	}
	corrected := stats.Holm(p, surelyAlpha)
	k := 0
	for i := range checks {
		c := &checks[i]
		if c.Kind != kind {
			continue
		}
		c.AdjustedP, c.Found = corrected.Adjusted[k], corrected.Rejected[k]
		k++
		if c.Found {
			t.warn(Warning{Kind: string(kind), Workload: c.Workload, Metric: c.Metric, Text: c.words()})
		}
	}
}

func (c Check) words() string {
	change := changed(c.Scale, c.Change)
	if c.Scale == Ratio {
		change = changed(c.Scale, 1+c.Change)
	}
	switch c.Kind {
	case BaselineDrift:
		return fmt.Sprintf("%s, %s: the baseline drifted by %s over %d blocks; pairs cancel it, but the machine was not at rest",
			c.Workload, c.Metric, change, c.N)
	case RatioDrift:
		return fmt.Sprintf("%s, %s: the comparison of %s drifted by %s over %d blocks; there is no one figure for all of them",
			c.Workload, c.Metric, c.Candidate, change, c.N)
	default:
		return fmt.Sprintf("%s, %s: the place within a block makes a difference of up to %s; a random order spreads it over all arms",
			c.Workload, c.Metric, change)
	}
}

// drift adds a check of a series in the order of its blocks, if it is long
// enough.
func drift(checks []Check, c Check, y []float64) []Check {
	rank, err := stats.Drift(y)
	if err != nil {
		return checks
	}
	line, err := stats.Trend(y)
	if err != nil {
		return checks
	}
	c.N, c.P = len(y), rank.P
	c.Change = line.Mean * float64(len(y)-1)
	if c.Scale == Ratio {
		c.Change = min(math.MaxFloat64, math.Expm1(c.Change))
	}
	return append(checks, c)
}

func (t *table) baselineDrift(checks []Check, workload string, m Metric) []Check {
	s := t.sample(workload, t.in.Baseline, m)
	return drift(checks, Check{Kind: BaselineDrift, Workload: workload, Metric: m.Name, Scale: s.scale}, s.logs(s.a))
}

// order adds the check of places within blocks, if the design allows for one.
func (t *table) order(checks []Check, workload string, m Metric) []Check {
	scale := t.scale(workload, m)
	var cells []stats.Cell
	for _, block := range t.blocks[workload] {
		for arm, name := range t.arms() {
			v, ok := t.value(workload, block, name, m.Name)
			if !ok {
				continue
			}
			if scale == Ratio {
				v = math.Log(v)
			}
			position := t.runs[cell{workload, block, name}].Position
			cells = append(cells, stats.Cell{Block: block, Arm: arm, Position: position, Value: v})
		}
	}
	test, err := stats.PositionEffect(cells)
	if err != nil {
		return checks // one place for each arm, or too few blocks
	}
	c := Check{Kind: OrderEffect, Workload: workload, Metric: m.Name, Scale: scale, N: len(cells), P: test.P}
	c.Change = slices.Max(test.Shift) - slices.Min(test.Shift)
	if scale == Ratio {
		c.Change = min(math.MaxFloat64, math.Expm1(c.Change))
	}
	return append(checks, c)
}

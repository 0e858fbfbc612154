package analyse

import (
	"fmt"
	"math"

	"weft/lab/stats"
)

// decide corrects a family and gives each of its comparisons a verdict.
func (t *table) decide(family []*trial) {
	p, e := make([]float64, len(family)), make([]float64, len(family))
	for i, x := range family {
		p[i], e[i] = x.P, x.EquivalenceP
	}
	differ, same := stats.Holm(p, t.in.Alpha), stats.Holm(e, t.in.Alpha)
	smallest := stats.Bonferroni(len(family), t.in.Alpha)
	for i, x := range family {
		x.Family = len(family)
		x.AdjustedP, x.AdjustedEquivalenceP = differ.Adjusted[i], same.Adjusted[i]
		x.Significant = differ.Rejected[i]
		if x.evidence == nil {
			continue
		}
		x.intervals(t.in, differ.Alpha[i], smallest)
		x.Verdict = x.verdict(same.Rejected[i])
		if x.Verdict == Inconclusive && t.in.Design != Sequential {
			x.Advice = advise(x, t.in, smallest)
		}
	}
}

// intervals fills in both estimates, at the level of the comparison alone, of
// Holm's step, and of his first step.
func (x *trial) intervals(in Input, step, smallest float64) {
	at := func(interval func(float64) stats.Interval) Estimate {
		e := Estimate{Interval: x.shown(interval(1 - in.Alpha))}
		e.Simultaneous, e.Adjusted = e.Interval, e.Interval // as a rule two of the levels are the same
		if smallest != in.Alpha {
			e.Simultaneous = x.shown(interval(1 - smallest))
		}
		switch step {
		case in.Alpha:
		case smallest:
			e.Adjusted = e.Simultaneous
		default:
			e.Adjusted = x.shown(interval(1 - step))
		}
		return e
	}
	mean := at(x.evidence.Interval)
	mean.Value = x.value(x.estimate.Mean)
	if x.Constant && !x.Significant {
		// A point would exclude what counting signs does not.
		mean.Interval, mean.Adjusted, mean.Simultaneous = stats.Interval{}, stats.Interval{}, stats.Interval{}
	}
	x.T = &mean
	if middle := at(x.hodges.Interval); !middle.Simultaneous.Absent() {
		middle.Value = x.value(x.hodges.Estimate())
		x.HL = &middle
	}
	null := x.value(0)
	if x.HL != nil && in.Design != Sequential {
		x.TailSensitive = x.HL.Adjusted.Excludes(null) != x.T.Adjusted.Excludes(null)
	}
	low, high := x.value(-x.margin), x.value(x.margin)
	x.Beyond = x.Significant && x.margin > 0 && (mean.Adjusted.High <= low || mean.Adjusted.Low >= high)
}

// value takes a figure from the scale of observations to that of the result.
func (x *trial) value(v float64) float64 {
	if x.Scale == Difference {
		return v
	}
	return min(math.MaxFloat64, math.Exp(v))
}

func (x *trial) shown(i stats.Interval) stats.Interval {
	if x.Scale == Difference {
		return i
	}
	return i.Exp()
}

func (x *trial) verdict(equivalent bool) Verdict {
	switch {
	case equivalent:
		return Equivalent
	case !x.Significant:
		return Inconclusive
	}
	less := x.estimate.Mean < 0
	switch {
	case x.metric.Time && less:
		return Faster
	case x.metric.Time:
		return Slower
	case x.metric.Direction == NoDirection && less:
		return Lower
	case x.metric.Direction == NoDirection:
		return Higher
	case less == (x.metric.Direction == LessIsBetter):
		return Better
	}
	return Worse
}

// Words gives the verdict with its qualifications, such as "faster",
// "equivalent within 2 % (significant, but smaller than that)" or "slower,
// tail-sensitive".
func (c Comparison) Words() string {
	text := string(c.Verdict)
	if c.Verdict == Equivalent {
		minimum := fmt.Sprintf("%.4g", c.Minimum)
		if c.Scale == Ratio {
			minimum = fmt.Sprintf("%.4g %%", 100*c.Minimum)
		}
		switch {
		case c.Constant && c.P == 1:
			text += " (equal in every pair)"
		case c.Significant:
			text += fmt.Sprintf(" (significant, but smaller than %s)", minimum)
		default:
			text += " within " + minimum
		}
	}
	if c.TailSensitive {
		text += ", tail-sensitive"
	}
	return text
}

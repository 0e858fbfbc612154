package report

import (
	"fmt"
	"slices"

	"weft/lab/analyse"
	"weft/lab/stats"
)

// figure writes an estimate with the interval that decides:
// "0.959 (0.951 to 0.967)", or a difference with its unit. An estimate that is
// absent is a dash.
func figure(c analyse.Comparison, e *analyse.Estimate) string {
	if e == nil {
		return "–"
	}
	return measure(c.Metric, c.Scale, e.Value, e.Adjusted)
}

func measure(metric string, scale analyse.Scale, v float64, i stats.Interval) string {
	show := func(v float64) string { return signed(metric, v) }
	if scale == analyse.Ratio {
		n := places(i.High - i.Low)
		show = func(v float64) string { return ratio(v, n) }
	}
	if i.Absent() {
		return show(v)
	}
	return fmt.Sprintf("%s (%s to %s)", show(v), show(i.Low), show(i.High))
}

// medians gives the middle values of the two arms in one unit.
func medians(c analyse.Comparison) (baseline, candidate string) {
	u := unitOf(c.Metric, c.BaselineValues.Median)
	show := func(s stats.Summary) string {
		if s.N == 0 {
			return "–"
		}
		return u.text(s.Median)
	}
	return show(c.BaselineValues), show(c.CandidateValues)
}

// levels names the confidence of the intervals that are shown.
func levels(cs []analyse.Comparison) string {
	var all []float64
	for _, c := range cs {
		if c.T != nil && !c.T.Adjusted.Absent() {
			all = append(all, c.T.Adjusted.Level)
		}
	}
	if len(all) == 0 {
		return ""
	}
	low, high := level(slices.Min(all)), level(slices.Max(all))
	if low == high {
		return low + " %"
	}
	return low + " to " + high + " %"
}

// level writes 0.95 as 95, and what is nearly certain with the digits it takes.
func level(l float64) string {
	if l >= 0.9995 {
		return digits(100*l, 5)
	}
	return digits(float64(int(1000*l+0.5))/10, 3)
}

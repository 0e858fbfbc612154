package analyse

import (
	"fmt"

	"weft/lab/stats"
)

// surelyAlpha is the error allowed to the warnings of one kind in a series.
const surelyAlpha = 0.05

// noise compares the baseline's repeat with the baseline, in every workload and
// metric where both have values.
func (t *table) noise() []Noise {
	if t.in.Repeat == "" {
		return nil
	}
	var floors []Noise
	var p []float64
	for _, w := range t.workloads {
		for _, m := range t.in.Metrics {
			x := t.trial(w, t.in.Repeat, m)
			if x.evidence == nil {
				continue
			}
			// By t under any design: nobody stops because of the repeat.
			interval := x.estimate.Interval(1 - t.in.Alpha)
			n := Noise{
				Workload: w, Metric: m.Name, Scale: x.Scale, N: x.N, Value: x.value(x.estimate.Mean),
				Interval: x.shown(interval), SD: x.SD, Floor: x.value((interval.High - interval.Low) / 2), P: x.P,
			}
			if !x.Constant {
				n.P = x.estimate.P(0)
			}
			if x.Scale == Ratio {
				n.Floor--
			}
			floors, p = append(floors, n), append(p, n.P)
		}
	}
	c := stats.Holm(p, surelyAlpha)
	for i := range floors {
		n := &floors[i]
		n.AdjustedP, n.Differs = c.Adjusted[i], c.Rejected[i]
		if n.Differs {
			t.warn(Warning{Kind: "noise", Workload: n.Workload, Metric: n.Metric, Text: fmt.Sprintf(
				"%s, %s: the baseline differs from its own repeat (%s); something other than the programs makes a difference",
				n.Workload, n.Metric, changed(n.Scale, n.Value))})
		}
	}
	return floors
}

// changed says how far a ratio or difference is from none.
func changed(scale Scale, value float64) string {
	if scale == Difference {
		return fmt.Sprintf("%+.4g", value)
	}
	return fmt.Sprintf("%+.2f %%", 100*(value-1))
}

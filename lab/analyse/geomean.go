package analyse

import "weft/lab/stats"

// summaries gives the geometric means over workloads, by candidate and metric.
func (t *table) summaries(trials []*trial) []Summary {
	if t.in.Design == Sequential {
		return nil
	}
	var found []Summary
	for _, candidate := range t.in.Candidates {
		for _, m := range t.in.Metrics {
			var parts []stats.Estimate
			noisy := false
			for _, x := range trials {
				if x.Candidate == candidate && x.Metric == m.Name && x.Scale == Ratio && x.evidence != nil {
					parts = append(parts, x.estimate)
					noisy = noisy || !x.Constant
				}
			}
			if len(parts) < 2 {
				continue
			}
			e, err := stats.MeanOf(parts)
			if err != nil {
				continue
			}
			one := trial{Comparison: Comparison{Scale: Ratio}}
			summary := Summary{
				Candidate: candidate, Metric: m.Name, Primary: m.Primary, Workloads: len(parts), Ratio: one.value(e.Mean), P: 1,
			}
			if noisy {
				summary.Interval, summary.P = e.Interval(1-t.in.Alpha).Exp(), e.P(0)
			}
			found = append(found, summary)
		}
	}
	return found
}

package analyse

import (
	"fmt"
	"math"

	"weft/lab/stats"
)

// Analyse gives what an experiment shows. It does not block and may be called
// by many at once. It panics with the error of [Input.Validate] if there is
// one: an Input made of foreign data is to be validated first.
func Analyse(in Input) Result {
	if err := in.Validate(); err != nil {
		panic(err)
	}
	in = in.withDefaults()
	result := Result{Design: in.Design, Alpha: in.Alpha, MinEffect: in.MinEffect, Power: in.Power}
	for _, name := range seriesNames(in.Runs) {
		result.Series = append(result.Series, newTable(in, name).analyse())
	}
	return result
}

func (t *table) analyse() Series {
	trials := t.trials()
	for _, primary := range [2]bool{true, false} {
		var family []*trial
		for _, x := range trials {
			if x.Primary == primary && x.N > 0 {
				family = append(family, x)
			}
		}
		t.decide(family)
	}
	s := Series{Name: t.name, Runs: t.total, Failed: t.failed}
	for _, x := range trials {
		s.Comparisons = append(s.Comparisons, x.Comparison)
		if x.Primary && x.Missing > 0 && x.N > 0 {
			t.warn(Warning{Kind: "missing", Workload: x.Workload, Metric: x.Metric,
				Text: fmt.Sprintf("%s, %s, %s: %d left out for want of a value, %d compared", x.Workload, x.Candidate, x.Metric, x.Missing, x.N)})
		}
	}
	s.Noise = t.noise()
	s.Checks = t.checks(trials)
	s.Summaries = t.summaries(trials)
	s.Warnings = t.warnings
	return s
}

// evidence is what the t estimate and its sequential counterpart have in
// common.
type evidence interface {
	P(null float64) float64
	Equivalence(low, high float64) float64
	Interval(level float64) stats.Interval
}

// trial is a comparison while it is being made.
type trial struct {
	Comparison
	metric   Metric
	sample   sample
	d        []float64 // observations, where paired
	estimate stats.Estimate
	evidence evidence      // nil if untested
	hodges   *stats.Hodges // nil if untested
	margin   float64       // half width of the equivalence band, on the scale of d; 0 for none
}

// trials makes all comparisons of a series that are not yet corrected, by
// workload, then candidate, then metric, in the order of the input.
func (t *table) trials() []*trial {
	var trials []*trial
	for _, w := range t.workloads {
		for _, candidate := range t.in.Candidates {
			for _, m := range t.in.Metrics {
				trials = append(trials, t.trial(w, candidate, m))
			}
		}
	}
	return trials
}

func (t *table) trial(workload, candidate string, m Metric) *trial {
	s := t.sample(workload, candidate, m)
	x := &trial{metric: m, sample: s, Comparison: Comparison{
		Workload: workload, Candidate: candidate, Metric: m.Name, Primary: m.Primary, Scale: s.scale,
		N: s.n(), Missing: s.missing, Verdict: Absent,
		P: 1, AdjustedP: 1, EquivalenceP: 1, AdjustedEquivalenceP: 1, RankP: 1,
	}}
	x.Minimum, x.margin = t.minimum(m, s.scale)
	if x.N == 0 {
		return x
	}
	x.Verdict = Inconclusive
	x.BaselineValues, _ = stats.Summarise(s.a) // the values are finite and there is one
	x.CandidateValues, _ = stats.Summarise(s.b)
	if x.N >= 2 {
		x.test(t.in.Design)
	}
	return x
}

// minimum gives the minimum effect as people say it, and as the half width of
// the band on the scale of observations.
func (t *table) minimum(m Metric, scale Scale) (said, margin float64) {
	if scale == Difference {
		return m.MinDifference, m.MinDifference
	}
	said = m.MinEffect
	if said == 0 {
		said = t.in.MinEffect
	}
	return said, math.Log1p(said)
}

// test fills in estimates and uncorrected p values.
func (x *trial) test(design Design) {
	var err error
	var hodges stats.Hodges
	var ranks stats.RankTest
	if design == Unpaired {
		a, b := x.sample.logs(x.sample.a), x.sample.logs(x.sample.b)
		x.estimate, err = stats.Welch(b, a)
		hodges, _ = stats.HodgesShift(b, a)
		ranks, _ = stats.RankSum(b, a)
		x.SD = x.estimate.SE * math.Sqrt(float64(x.N))
	} else {
		x.d = x.sample.observations()
		x.estimate, err = stats.Paired(x.d)
		hodges, _ = stats.HodgesLehmann(x.d)
		ranks, _ = stats.SignedRank(x.d)
		x.SD = x.estimate.SD
	}
	if err != nil {
		return
	}
	x.hodges, x.RankP = &hodges, ranks.P
	x.evidence = x.estimate
	if design == Sequential {
		rule := &stats.Sequential{}
		for _, v := range x.d {
			rule.Add(v)
		}
		x.evidence = rule
	}
	x.P = x.evidence.P(0)
	if x.margin > 0 {
		x.EquivalenceP = x.evidence.Equivalence(-x.margin, x.margin)
	}
	if x.estimate.SE == 0 {
		x.constant()
	}
}

// constant replaces p values where there is no noise to measure against: signs
// are counted instead.
func (x *trial) constant() {
	x.Constant = true
	n := x.N
	x.P, x.EquivalenceP = 1, 1
	if x.estimate.Mean != 0 {
		x.P = math.Ldexp(1, 1-n)
	}
	if x.estimate.Mean == 0 || math.Abs(x.estimate.Mean) < x.margin {
		x.EquivalenceP = math.Ldexp(1, -n)
	}
}

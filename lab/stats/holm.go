package stats

import (
	"cmp"
	"math"
	"slices"
)

// Correction is what [Holm] makes of the p values of a family. The slices are
// in the family's order.
type Correction struct {
	// Adjusted p values: at most alpha exactly where Holm rejects at alpha.
	Adjusted []float64
	// Alpha is the error at which each hypothesis was decided. The interval of
	// level 1-Alpha[i], made by the test that gave p[i], excludes the
	// hypothesis exactly where Holm rejects it: the matching interval.
	Alpha []float64
	// Rejected says which hypotheses fall.
	Rejected []bool
}

// Holm corrects for several tests by S. Holm's step-down procedure
// (Scandinavian Journal of Statistics 6, 1979): with m tests the smallest p
// value must reach alpha/m, the next alpha/(m-1), and so on until one fails; it
// and all after it are retained. However the tests depend on each other, the
// probability of any false rejection is at most alpha. A NaN counts as 1.
//
// A matching interval has the level it is marked with, each for itself; all
// retained ones have the level 1-alpha/(number retained). They tell the same
// story as the decisions, which is what they are for. For intervals that hold
// all at once, far ends included, take the level of [Bonferroni]; one that
// Holm rejected at a later step may then still reach the hypothesis.
func Holm(p []float64, alpha float64) Correction {
	m := len(p)
	c := Correction{Adjusted: make([]float64, m), Alpha: make([]float64, m), Rejected: make([]bool, m)}
	order := make([]int, m)
	sane := make([]float64, m)
	for i, v := range p {
		order[i], sane[i] = i, v
		if math.IsNaN(v) {
			sane[i] = 1
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sane[i], sane[j]) })
	highest, stopped, level := 0.0, false, 0.0
	for step, i := range order {
		if !stopped {
			level = alpha / float64(m-step)
			stopped = sane[i] > level
		}
		highest = max(highest, min(1, sane[i]*float64(m-step)))
		c.Adjusted[i], c.Alpha[i], c.Rejected[i] = highest, level, !stopped
	}
	return c
}

// Bonferroni gives the error alpha/m: intervals of level 1-alpha/m hold all m
// at once with probability 1-alpha. It is the level of Holm's first step.
func Bonferroni(m int, alpha float64) float64 { return alpha / float64(max(1, m)) }

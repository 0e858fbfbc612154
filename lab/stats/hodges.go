package stats

import (
	"fmt"
	"math"
	"slices"
)

// Hodges gives Hodges-Lehmann estimates and intervals of a shift, made by
// [HodgesLehmann] from paired differences or by [HodgesShift] from two
// samples. The zero value is of no use.
//
// Intervals come from the same rank tests as the p values of [SignedRank] and
// [RankSum] (J. L. Hodges and E. L. Lehmann, Annals of Mathematical Statistics
// 34, 1963). Paired, the promise holds for any distribution that is symmetric
// about the shift, however heavy its tails; unpaired, for any two that differ
// by a shift alone. Ties make an interval wider than it need be, never too
// narrow; a difference of zero counts as the value it is.
type Hodges struct {
	sums  sums
	scale float64 // 0.5 where sums are to be averages
	n, m  int     // sizes; m is 0 where paired
}

// HodgesLehmann prepares the estimate for paired differences d, or log ratios:
// the median of all averages of two of them, each with itself too (Walsh
// averages). It sorts a copy. It needs one value.
func HodgesLehmann(d []float64) (Hodges, error) {
	if err := enough("Hodges-Lehmann", 1, d); err != nil {
		return Hodges{}, err
	}
	u := slices.Clone(d)
	slices.Sort(u)
	return Hodges{sums: sums{u: u, v: u, half: true}, scale: 0.5, n: len(d)}, nil
}

// HodgesShift prepares the estimate of how far b lies above a for samples that
// are not paired: the median of all differences. Each needs one value.
func HodgesShift(b, a []float64) (Hodges, error) {
	for _, x := range [2][]float64{b, a} {
		if err := enough("Hodges-Lehmann shift", 1, x); err != nil {
			return Hodges{}, err
		}
	}
	u, v := slices.Clone(b), make([]float64, len(a))
	for i, x := range a {
		v[i] = -x
	}
	slices.Sort(u)
	slices.Sort(v)
	return Hodges{sums: sums{u: u, v: v}, scale: 1, n: len(b), m: len(a)}, nil
}

// Estimate gives the shift.
func (h Hodges) Estimate() float64 { return h.scale * h.sums.median() }

// Interval gives the interval at a level such as 0.95, or an absent one where
// there are too few values for any interval of that level: see [PairsNeeded].
// The true level is a little more than what was asked, since ranks are whole.
//
// Critical values are exact up to [ExactPairs] pairs, or up to [ExactRankSum]
// values in each sample; beyond, the normal approximation with a continuity
// correction gives them.
func (h Hodges) Interval(level float64) Interval {
	alpha := 1 - level
	var c int
	if h.m == 0 {
		c = signedRankCritical(h.n, alpha)
	} else {
		c = rankSumCritical(h.n, h.m, alpha)
	}
	if c < 1 {
		return Interval{}
	}
	return Interval{
		Low:   h.scale * h.sums.kth(c-1),
		High:  h.scale * h.sums.kth(h.sums.total()-c),
		Level: level,
	}
}

// PairsNeeded gives the smallest number of pairs for which a Hodges-Lehmann
// interval with an error of alpha exists: 6 for 0.05, 10 for 0.05/20. The
// widest such interval misses when all signs agree, with probability 2^(1-n).
func PairsNeeded(alpha float64) int {
	if !(alpha > 0) {
		panic(fmt.Sprintf("stats: no number of pairs has an error of %v", alpha))
	}
	n := 1
	for math.Ldexp(2, -n) > alpha*(1+levelSlack) {
		n++
	}
	return n
}

// levelSlack forgives what computing alpha as 1-level has lost.
const levelSlack = 1e-9

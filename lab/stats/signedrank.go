package stats

import (
	"math"
	"slices"
)

// ExactPairs is the number of pairs up to which signed-rank distributions are
// computed exactly; the work grows with its cube, to a quarter of a
// millisecond here, where the approximation is good to three digits.
const ExactPairs = 100

// RankTest is the outcome of a rank test.
type RankTest struct {
	N         int     `json:"n"`         // values that counted
	Statistic float64 `json:"statistic"` // sum of the positive ranks, or Mann-Whitney's U of b
	P         float64 `json:"p"`         // two-sided
	Exact     bool    `json:"exact"`     // rather than by the normal approximation
}

// SignedRank is Wilcoxon's signed-rank test of "the differences are symmetric
// about zero" (F. Wilcoxon, Biometrics Bulletin 1, 1945). Zeros are left out,
// as he did, and N says how many values remain; equal sizes share their mean
// rank. The p value is exact up to [ExactPairs] values, with ties too: it then
// counts the signs that might have fallen to the ranks at hand. Beyond, it is the normal
// approximation with tie and continuity corrections. It needs no values: none,
// or nothing but zeros, gives P = 1. It fails with [ErrNotFinite].
func SignedRank(d []float64) (RankTest, error) {
	if err := enough("signed rank", 0, d); err != nil {
		return RankTest{}, err
	}
	var sizes []float64
	var positive []bool
	for _, v := range d {
		if v != 0 {
			sizes, positive = append(sizes, math.Abs(v)), append(positive, v > 0)
		}
	}
	test := RankTest{N: len(sizes), P: 1, Exact: len(sizes) <= ExactPairs}
	if test.N == 0 {
		return test, nil
	}
	doubled, ties := midranks(sizes)
	sum := 0
	for i, r := range doubled {
		if positive[i] {
			sum += r
		}
	}
	test.Statistic = float64(sum) / 2
	if test.Exact {
		test.P = twoSided(signSums(doubled), sum)
		return test, nil
	}
	n := float64(test.N)
	sigma := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	test.P = normalTwoSided(test.Statistic-n*(n+1)/4, sigma)
	return test, nil
}

// midranks gives twice the rank of each value, so that shared ranks are whole,
// and the sum of t^3-t over groups of t equal values.
func midranks(x []float64) (doubled []int, ties float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case x[i] < x[j]:
			return -1
		case x[i] > x[j]:
			return 1
		}
		return 0
	})
	doubled = make([]int, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			doubled[i] = from + 1 + to // the first rank and the last
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return doubled, ties
}

// signSums gives the distribution of the sum of those ranks that get a plus
// when every sign is a fair coin: the probability of each sum from 0 on.
func signSums(ranks []int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	p := make([]float64, total+1)
	p[0] = 1
	reached := 0
	for _, r := range ranks {
		reached += r
		for s := reached; s >= r; s-- {
			p[s] = (p[s] + p[s-r]) / 2
		}
		for s := range p[:r] {
			p[s] /= 2
		}
	}
	return p
}

// twoSided doubles the smaller tail of a distribution at a value of it.
func twoSided(p []float64, at int) float64 {
	var low, high float64
	for s, v := range p {
		if s <= at {
			low += v
		}
		if s >= at {
			high += v
		}
	}
	return min(1, 2*min(low, high))
}

// normalTwoSided gives the two-sided p value of a distance from the mean, half
// a step nearer for continuity.
func normalTwoSided(distance, sigma float64) float64 {
	z := max(0, math.Abs(distance)-0.5) / sigma
	if sigma == 0 {
		return 1
	}
	return min(1, 2*NormalCDF(-z))
}

// signedRankCritical gives the greatest c for which P(W <= c-1) <= alpha/2 for
// n pairs without ties, or 0 where there is none. The interval of that level
// goes from the c-th smallest Walsh average to the c-th greatest.
func signedRankCritical(n int, alpha float64) int {
	if n > ExactPairs {
		m := float64(n)
		sigma := math.Sqrt(m * (m + 1) * (2*m + 1) / 24)
		return normalCritical(m*(m+1)/4, sigma, alpha)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	return exactCritical(signSums(ranks), alpha)
}

// exactCritical gives the greatest c for which the first c probabilities add up
// to at most alpha/2.
func exactCritical(p []float64, alpha float64) int {
	sum := 0.0
	for c, v := range p {
		sum += v
		if sum > alpha/2*(1+levelSlack) {
			return c
		}
	}
	return 0 // alpha of 2 or more: there is nothing to ask
}

// normalCritical is the same by the normal approximation with a continuity
// correction.
func normalCritical(mean, sigma, alpha float64) int {
	return max(0, int(math.Floor(mean+0.5+NormalQuantile(alpha/2)*sigma)))
}

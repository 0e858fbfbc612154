package stats

import "math"

// ExactRankSum is the size of either sample up to which Mann-Whitney
// distributions are computed exactly; the work grows with the fourth power, to a
// few milliseconds here.
const ExactRankSum = 50

// RankSum is the Mann-Whitney test of "a value of b is as likely above as below
// one of a" for two samples that are not paired (H. B. Mann and D. R. Whitney,
// Annals of Mathematical Statistics 18, 1947). The statistic is U of b: how
// many of all pairs have b above a, an equal pair counting a half. N is the
// number of values in both. The p value is exact where neither sample has more
// than [ExactRankSum] values and none are equal, and else the normal
// approximation with tie and continuity corrections. Each sample needs one
// value; it fails with [ErrTooFew] or [ErrNotFinite].
func RankSum(b, a []float64) (RankTest, error) {
	for _, x := range [2][]float64{b, a} {
		if err := enough("rank sum", 1, x); err != nil {
			return RankTest{}, err
		}
	}
	n, m := len(b), len(a)
	both := make([]float64, 0, n+m)
	both = append(append(both, b...), a...)
	doubled, ties := midranks(both)
	sum := -n * (n + 1)
	for _, r := range doubled[:n] {
		sum += r
	}
	test := RankTest{N: n + m, Statistic: float64(sum) / 2}
	test.Exact = ties == 0 && n <= ExactRankSum && m <= ExactRankSum
	if test.Exact {
		test.P = twoSided(rankSums(n, m), sum/2)
		return test, nil
	}
	test.P = normalTwoSided(test.Statistic-float64(n*m)/2, rankSumSigma(n, m, ties))
	return test, nil
}

func rankSumSigma(n, m int, ties float64) float64 {
	all := float64(n + m)
	return math.Sqrt(float64(n*m) / 12 * (all + 1 - ties/(all*(all-1))))
}

// rankSums gives the distribution of U for samples of n and m without ties: the
// probability of each value from 0 to n*m. The greatest of all values belongs to
// the first sample with probability n/(n+m), and is then above all m others.
func rankSums(n, m int) []float64 {
	// rows[j] is the distribution for i and j values, i growing.
	rows := make([][]float64, m+1)
	for j := range rows {
		rows[j] = make([]float64, n*m+1)
		rows[j][0] = 1
	}
	next := make([]float64, n*m+1)
	for i := 1; i <= n; i++ {
		for j := 1; j <= m; j++ { // rows[0] is certain to be 0 for every i
			mine := float64(i) / float64(i+j)
			for u := range next[:i*j+1] {
				var p float64
				if u >= j {
					p = mine * rows[j][u-j]
				}
				if u <= i*(j-1) {
					p += (1 - mine) * rows[j-1][u]
				}
				next[u] = p
			}
			rows[j], next = next, rows[j]
		}
	}
	return rows[m]
}

// rankSumCritical gives the greatest c for which P(U <= c-1) <= alpha/2, or 0.
func rankSumCritical(n, m int, alpha float64) int {
	if n > ExactRankSum || m > ExactRankSum {
		return normalCritical(float64(n*m)/2, rankSumSigma(n, m, 0), alpha)
	}
	return exactCritical(rankSums(n, m), alpha)
}

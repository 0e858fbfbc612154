package stats

import "math"

// Trend is the straight line through a series in the order in which it was
// measured, by least squares: the mean of the estimate is the rise from one
// value to the next, with n-2 degrees of freedom. It needs three values. P(0)
// asks whether there is any drift.
func Trend(y []float64) (Estimate, error) {
	if err := enough("trend", 3, y); err != nil {
		return Estimate{}, err
	}
	n := float64(len(y))
	mean, sd := moments(y)
	middle := (n - 1) / 2
	var xx, xy float64
	for i, v := range y {
		x := float64(i) - middle
		xx += x * x
		xy += x * (v - mean)
	}
	slope := xy / xx
	var squares float64
	if sd > 0 {
		for i, v := range y {
			rest := v - mean - slope*(float64(i)-middle)
			squares += rest * rest
		}
	}
	spread := math.Sqrt(squares / (n - 2))
	return Estimate{N: len(y), Mean: slope, SD: spread, SE: spread / math.Sqrt(xx), DF: n - 2}, nil
}

// ExactTau is the length of a series up to which [Drift] counts orders exactly;
// the work grows with its cube.
const ExactTau = 60

// Correlation is a rank correlation with the order of measurement.
type Correlation struct {
	N     int     `json:"n"`
	Tau   float64 `json:"tau"` // from -1, always falling, to 1, always rising; 0 where constant
	P     float64 `json:"p"`   // two-sided
	Exact bool    `json:"exact"`
}

// Drift asks whether a series rises or falls in the order in which it was
// measured, by H. B. Mann's test (Econometrica 13, 1945) on M. G. Kendall's tau:
// of all pairs of values, how many rise and how many fall. One slow run moves it
// little, and nothing is assumed of the noise but that it is alike throughout. The
// p value is exact up to [ExactTau] values without ties, and else the normal
// approximation with tie and continuity corrections. It needs three values.
func Drift(y []float64) (Correlation, error) {
	if err := enough("drift", 3, y); err != nil {
		return Correlation{}, err
	}
	n := len(y)
	rising, falling := 0, 0
	for j := range y {
		for _, before := range y[:j] {
			if before < y[j] {
				rising++
			} else if before > y[j] {
				falling++
			}
		}
	}
	c := Correlation{N: n, P: 1}
	pairs := n * (n - 1) / 2
	if rising+falling == 0 {
		return c, nil
	}
	c.Tau = float64(rising-falling) / math.Sqrt(float64(pairs)*float64(rising+falling)) // tau-b
	if c.Exact = rising+falling == pairs && n <= ExactTau; c.Exact {
		c.P = twoSided(inversions(n), falling)
		return c, nil
	}
	m := float64(n)
	variance := (m*(m-1)*(2*m+5) - tiedTriples(y)) / 18
	// Halved, since the score goes in steps of two and the correction is half a step.
	c.P = normalTwoSided(float64(rising-falling)/2, math.Sqrt(variance)/2)
	return c, nil
}

// tiedTriples gives the sum of t(t-1)(2t+5) over groups of t equal values.
func tiedTriples(y []float64) float64 {
	counts := map[float64]float64{}
	for _, v := range y {
		counts[v]++
	}
	sum := 0.0 // of whole numbers, so that the map's order does not show
	for _, t := range counts {
		sum += t * (t - 1) * (2*t + 5)
	}
	return sum
}

// inversions gives the distribution of the number of falling pairs when every
// order of n values is equally likely: the k-th value to be put in its place
// falls below 0 to k-1 of those before it.
func inversions(n int) []float64 {
	p := make([]float64, n*(n-1)/2+1)
	next := make([]float64, len(p))
	p[0] = 1
	for k := 2; k <= n; k++ {
		window := 0.0
		for i := range k*(k-1)/2 + 1 {
			window += p[i]
			if i >= k {
				window -= p[i-k]
			}
			next[i] = max(0, window) / float64(k)
		}
		p, next = next, p
	}
	return p
}

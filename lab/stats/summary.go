package stats

import (
	"math"
	"slices"
)

// Summary describes a sample by itself, in its own unit.
type Summary struct {
	N      int     `json:"n"`
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"` // a quarter of the values lie below
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"` // 0 for one value
	// MAD is the median distance from the median, as it is: for normal noise
	// 1.4826 times that estimates the standard deviation.
	MAD float64 `json:"mad"`
}

// Summarise describes a sample of one or more finite values; it fails with
// [ErrTooFew] or [ErrNotFinite].
func Summarise(x []float64) (Summary, error) {
	if err := enough("summary", 1, x); err != nil {
		return Summary{}, err
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	s := Summary{
		N: len(x), Min: sorted[0], Max: sorted[len(x)-1],
		Q1: Quantile(sorted, 0.25), Median: Quantile(sorted, 0.5), Q3: Quantile(sorted, 0.75),
		Mean: sorted[0],
	}
	if len(x) > 1 {
		s.Mean, s.SD = moments(sorted)
	}
	for i, v := range sorted {
		sorted[i] = math.Abs(v - s.Median)
	}
	slices.Sort(sorted)
	s.MAD = Quantile(sorted, 0.5)
	return s, nil
}

// Quantile gives the value below which the share p, 0 <= p <= 1, of an
// ascending sample lies, between two values by a straight line: type 7 of R.
// R. J. Hyndman and Y. Fan compare the ways (American Statistician 50, 1996). Of
// an empty sample it is NaN.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median gives the middle of a sample in any order; of an empty one NaN.
func Median(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return Quantile(sorted, 0.5)
}

package report

import (
	"math/rand/v2"
	"slices"
)

// median of a copy of xs; 0 of none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// Resamples of a bootstrap, and the seed from which they are drawn: the same
// data give the same report.
const (
	resamples     = 2000
	bootstrapSeed = 1
)

// interval is the 95 % percentile bootstrap interval of the median.
func interval(xs []float64) (low, high float64) {
	if len(xs) == 0 {
		return 0, 0
	}
	random := rand.New(rand.NewPCG(bootstrapSeed, uint64(len(xs))))
	medians := make([]float64, resamples)
	drawn := make([]float64, len(xs))
	for i := range medians {
		for j := range drawn {
			drawn[j] = xs[random.IntN(len(xs))]
		}
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	const tail = resamples * 25 / 1000
	return medians[tail], medians[resamples-1-tail]
}

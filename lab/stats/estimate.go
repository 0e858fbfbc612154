package stats

import (
	"fmt"
	"math"
)

// Estimate is a mean with what is known of its error: the standard error and
// its degrees of freedom. On the log scale it is about a geometric mean.
type Estimate struct {
	N    int     `json:"n"`    // values, or pairs; of two samples the sum
	Mean float64 `json:"mean"` // or difference of means
	SD   float64 `json:"sd"`   // of single values; 0 where there is no such one
	SE   float64 `json:"se"`   // of Mean
	DF   float64 `json:"df"`   // degrees of freedom, not always whole
}

// LogRatios gives log(b[i]/a[i]). It fails with [ErrLengths], [ErrNotPositive]
// or [ErrNotFinite]; the values must be more than zero.
func LogRatios(b, a []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("log ratios: %w: %d and %d", ErrLengths, len(b), len(a))
	}
	d := make([]float64, len(a))
	for i := range a {
		for _, v := range [2]float64{b[i], a[i]} {
			if v <= 0 {
				return nil, fmt.Errorf("log ratios: %w: pair %d has %v", ErrNotPositive, i, v)
			}
		}
		d[i] = math.Log(b[i] / a[i])
		if math.IsInf(d[i], 0) { // the ratio left the range of a float64
			d[i] = math.Log(b[i]) - math.Log(a[i])
		}
	}
	return d, enough("log ratios", 0, d)
}

// Differences gives b[i]-a[i], for counts that can be zero. It fails with
// [ErrLengths] or [ErrNotFinite].
func Differences(b, a []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("differences: %w: %d and %d", ErrLengths, len(b), len(a))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	return d, enough("differences", 0, d)
}

// Paired is Student's estimate of the mean of paired differences, or of log
// ratios. It needs two values.
//
// Where all values are equal the standard error is 0, the interval a point,
// and a p value 0 or 1: that says only that the sample shows no noise, and the
// caller should lean on [SignedRank] instead.
func Paired(d []float64) (Estimate, error) {
	if err := enough("paired t", 2, d); err != nil {
		return Estimate{}, err
	}
	mean, sd := moments(d)
	n := float64(len(d))
	return Estimate{N: len(d), Mean: mean, SD: sd, SE: sd / math.Sqrt(n), DF: n - 1}, nil
}

// moments gives mean and standard deviation; the latter is exactly 0 where all
// values are equal, whatever rounding does to their mean.
func moments(x []float64) (mean, sd float64) {
	low, high, sum := x[0], x[0], 0.0
	for _, v := range x {
		low, high, sum = min(low, v), max(high, v), sum+v
	}
	if low == high {
		return low, 0
	}
	mean = sum / float64(len(x))
	var squares, rest float64
	for _, v := range x {
		squares += (v - mean) * (v - mean)
		rest += v - mean // what rounding left in the mean
	}
	n := float64(len(x))
	return mean, math.Sqrt((squares - rest*rest/n) / (n - 1))
}

// Welch is the estimate of mean(b)-mean(a) for two samples that are not paired
// and need not be equally noisy, with Satterthwaite's degrees of freedom
// (B. L. Welch, Biometrika 34, 1947). Each sample needs two values.
func Welch(b, a []float64) (Estimate, error) {
	eb, err := Paired(b)
	if err != nil {
		return Estimate{}, fmt.Errorf("Welch: %w", err)
	}
	ea, err := Paired(a)
	if err != nil {
		return Estimate{}, fmt.Errorf("Welch: %w", err)
	}
	e := combine([]float64{1, -1}, []Estimate{eb, ea})
	e.N = eb.N + ea.N
	return e, nil
}

// MeanOf gives the mean of estimates that were made independently, each
// counting the same, with Satterthwaite's degrees of freedom. Of log ratios it
// is the geometric mean over workloads. The interval speaks of these
// workloads and not of others that one might have chosen. N is the number of
// estimates. It needs one.
func MeanOf(parts []Estimate) (Estimate, error) {
	if len(parts) == 0 {
		return Estimate{}, fmt.Errorf("mean of estimates: %w", ErrTooFew)
	}
	weights := make([]float64, len(parts))
	for i := range weights {
		weights[i] = 1 / float64(len(parts))
	}
	e := combine(weights, parts)
	e.N = len(parts)
	return e, nil
}

// combine adds independent estimates, each times its weight.
func combine(weights []float64, parts []Estimate) Estimate {
	var e Estimate
	var variance, fewest float64
	for i, p := range parts {
		e.Mean += weights[i] * p.Mean
		variance += weights[i] * weights[i] * p.SE * p.SE
		if i == 0 || p.DF < fewest {
			fewest = p.DF
		}
	}
	e.SE = math.Sqrt(variance)
	e.DF = fewest // where there is no noise at all
	if variance > 0 {
		sum := 0.0
		for i, p := range parts {
			share := weights[i] * weights[i] * p.SE * p.SE / variance
			sum += share * share / p.DF
		}
		e.DF = 1 / sum
	}
	return e
}

// Interval gives the t interval of the mean at a level such as 0.95.
func (e Estimate) Interval(level float64) Interval {
	i := Interval{Low: e.Mean, High: e.Mean, Level: level}
	if e.SE > 0 {
		half := StudentUpper((1-level)/2, e.DF) * e.SE
		i.Low, i.High = e.Mean-half, e.Mean+half
	}
	return i
}

// t gives the distance of the mean from a value in standard errors.
func (e Estimate) t(from float64) float64 {
	if e.SE == 0 {
		if e.Mean == from {
			return 0
		}
		return math.Inf(1) * (e.Mean - from)
	}
	return (e.Mean - from) / e.SE
}

// P gives the two-sided p value of "the true mean is null".
func (e Estimate) P(null float64) float64 {
	return min(1, 2*StudentTail(math.Abs(e.t(null)), e.DF))
}

// PAbove gives the one-sided p value of "the true mean is at most bound": a
// small one shows that it is above.
func (e Estimate) PAbove(bound float64) float64 { return StudentTail(e.t(bound), e.DF) }

// PBelow gives the one-sided p value of "the true mean is at least bound": a
// small one shows that it is below.
func (e Estimate) PBelow(bound float64) float64 { return StudentTail(-e.t(bound), e.DF) }

// Equivalence gives the p value of "the true mean is not between low and
// high": the greater of two one-sided tests (D. J. Schuirmann, J.
// Pharmacokinetics and Biopharmaceutics 15, 1987). It is at most alpha exactly
// when the interval of level 1-2*alpha lies between low and high.
func (e Estimate) Equivalence(low, high float64) float64 {
	return max(e.PAbove(low), e.PBelow(high))
}

package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalCDF gives the probability that a standard normal variable is at most z.
func NormalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// NormalQuantile gives the z that a standard normal variable stays below with
// probability p, 0 < p < 1.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p > 0 && p < 1):
		return math.NaN()
	case p > 0.5:
		return -NormalQuantile(1 - p)
	case p > 1e-3:
		return -math.Sqrt2 * math.Erfcinv(2*p)
	}
	// Erfcinv goes by 1-2p and would lose the digits of a small p.
	low, high := -40.0, -3.0
	for low < (low+high)/2 && (low+high)/2 < high {
		if mid := (low + high) / 2; NormalCDF(mid) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// StudentTail gives the probability that a t variable with df > 0 degrees of
// freedom exceeds t.
func StudentTail(t, df float64) float64 {
	switch {
	case math.IsNaN(t):
		return math.NaN()
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(df, 1):
		return NormalCDF(-t)
	case t < 0:
		return 1 - StudentTail(-t, df)
	}
	return 0.5 * mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// StudentUpper gives the value that a t variable with df > 0 degrees of freedom
// exceeds with probability q, 0 < q < 1. A q of 0.025 gives the factor of a
// 95 % interval.
func StudentUpper(q, df float64) float64 {
	switch {
	case !(q > 0 && q < 1):
		return math.NaN()
	case q == 0.5:
		return 0
	case q > 0.5:
		return -StudentUpper(1-q, df)
	case math.IsInf(df, 1):
		return -NormalQuantile(q)
	}
	// The tail is convex on the right side and heavier than the normal's, so
	// Newton's steps from the normal's quantile stay on one side. Where the
	// tail is very heavy they are slow, and doubling overtakes them.
	low := -NormalQuantile(q)
	high := low
	for StudentTail(high, df) > q {
		low, high = high, 2*high
	}
	t := low
	for range 200 {
		tail := StudentTail(t, df)
		if tail > q {
			low = t
		} else {
			high = t
		}
		next := t + (tail-q)/studentDensity(t, df)
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		if math.Abs(next-t) <= 1e-14*t {
			return next
		}
		t = next
	}
	return t
}

func studentDensity(t, df float64) float64 {
	a, _ := math.Lgamma((df + 1) / 2)
	b, _ := math.Lgamma(df / 2)
	return math.Exp(a-b-(df+1)/2*math.Log1p(t*t/df)) / math.Sqrt(df*math.Pi)
}

// FTail gives the probability that an F variable with df1 and df2 degrees of
// freedom exceeds f.
func FTail(f, df1, df2 float64) float64 {
	switch {
	case math.IsNaN(f):
		return math.NaN()
	case f <= 0:
		return 1
	case math.IsInf(f, 1):
		return 0
	}
	return mathext.RegIncBeta(df2/2, df1/2, df2/(df2+df1*f))
}

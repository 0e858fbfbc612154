package stats

import (
	"fmt"
	"math"
)

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

// Correlation is a rank correlation with its p value.
type Correlation struct {
	N   int     `json:"n"`
	Rho float64 `json:"rho"` // from -1 to 1; 0 where either series is constant
	P   float64 `json:"p"`   // two-sided
}

// Spearman is C. Spearman's rank correlation of two series, equal values
// sharing their mean rank, with the p value of its t approximation, which is good
// from about ten values on. One slow run moves it little. It needs three
// values in each; it fails with [ErrLengths], [ErrTooFew] or [ErrNotFinite].
func Spearman(x, y []float64) (Correlation, error) {
	if len(x) != len(y) {
		return Correlation{}, fmt.Errorf("rank correlation: %w: %d and %d", ErrLengths, len(x), len(y))
	}
	for _, s := range [2][]float64{x, y} {
		if err := enough("rank correlation", 3, s); err != nil {
			return Correlation{}, err
		}
	}
	rx, _ := midranks(x)
	ry, _ := midranks(y)
	n := float64(len(x))
	var xx, yy, xy float64
	for i := range rx {
		a, b := float64(rx[i])-(n+1), float64(ry[i])-(n+1)
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	c := Correlation{N: len(x), P: 1}
	if xx == 0 || yy == 0 {
		return c, nil
	}
	c.Rho = max(-1, min(1, xy/math.Sqrt(xx*yy)))
	t := math.Abs(c.Rho) * math.Sqrt((n-2)/(1-c.Rho*c.Rho))
	c.P = min(1, 2*StudentTail(t, n-2))
	return c, nil
}

// Drift is the rank correlation of a series with the order in which it was
// measured.
func Drift(y []float64) (Correlation, error) {
	x := make([]float64, len(y))
	for i := range x {
		x[i] = float64(i)
	}
	return Spearman(x, y)
}

package stats

import (
	"errors"
	"fmt"
	"math"
)

// Conditions that the functions of this package report. They come wrapped,
// with the name of what was asked for.
var (
	// ErrTooFew means that the sample is smaller than the question needs.
	ErrTooFew = errors.New("too few values")
	// ErrNotPositive means that a logarithm was to be taken of zero or less.
	ErrNotPositive = errors.New("a value is zero or negative")
	// ErrNotFinite means that a value is NaN or infinite.
	ErrNotFinite = errors.New("a value is not a finite number")
	// ErrLengths means that two slices that belong together differ in length.
	ErrLengths = errors.New("the lengths differ")
	// ErrConfounded means that the design cannot tell two effects apart.
	ErrConfounded = errors.New("the design cannot separate the effects")
)

// enough checks a sample: at least n values, all finite.
func enough(what string, n int, x []float64) error {
	if len(x) < n {
		return fmt.Errorf("%s: %w: have %d, need %d", what, ErrTooFew, len(x), n)
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: %w: value %d is %v", what, ErrNotFinite, i, v)
		}
	}
	return nil
}

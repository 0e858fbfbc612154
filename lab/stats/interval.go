package stats

import "math"

// Interval is a confidence interval with both ends included. The zero value,
// whose Level is 0, stands for "there is none".
type Interval struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Level float64 `json:"level"` // of confidence, such as 0.95
}

// Absent reports that there is no interval.
func (i Interval) Absent() bool { return i.Level == 0 }

// Excludes reports whether x is outside. An absent interval excludes nothing.
func (i Interval) Excludes(x float64) bool {
	return !i.Absent() && (x < i.Low || x > i.High)
}

// Within reports whether the whole interval lies strictly between low and
// high. An absent interval lies nowhere.
func (i Interval) Within(low, high float64) bool {
	return !i.Absent() && low < i.Low && i.High < high
}

// Exp takes an interval on the log scale to one of ratios. An end beyond the
// range of a float64 becomes the greatest one, so that JSON can hold it.
func (i Interval) Exp() Interval {
	if i.Absent() {
		return i
	}
	finite := func(x float64) float64 { return min(math.MaxFloat64, math.Exp(x)) }
	return Interval{Low: finite(i.Low), High: finite(i.High), Level: i.Level}
}

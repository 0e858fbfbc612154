package report

import (
	"math"
	"slices"

	"weft/lab/analyse"
	"weft/lab/stats"
)

// axis maps ratios or values to the share of the way along a line.
type axis struct {
	low, high float64
	log       bool
}

// at gives the place of v, from 0 to 1 where it is on the axis.
func (a axis) at(v float64) float64 {
	if a.log {
		return math.Log(max(v, 1e-12)/a.low) / math.Log(a.high/a.low)
	}
	return (v - a.low) / (a.high - a.low)
}

// widest bounds what a ratio axis shows; intervals go on beyond it.
const widest = 8

// ratioAxis is one around "no difference" that holds the band of interest and
// the intervals, as far as that is reasonable: symmetrical, so that the eye
// can compare sides.
func ratioAxis(minEffect float64, intervals []stats.Interval, values []float64) axis {
	reach := math.Log1p(1.5 * minEffect)
	for _, v := range values {
		if v > 0 {
			reach = max(reach, math.Abs(math.Log(v)))
		}
	}
	for _, i := range intervals {
		if !i.Absent() {
			reach = max(reach, math.Abs(math.Log(max(i.Low, 1e-12))), math.Abs(math.Log(max(i.High, 1e-12))))
		}
	}
	high := math.Exp(min(1.08*reach, math.Log(widest)))
	return axis{low: 1 / high, high: high, log: true}
}

// shown are the intervals and estimates that a ratio plot of cs has to hold.
func shown(cs []analyse.Comparison) (intervals []stats.Interval, values []float64) {
	for _, c := range cs {
		if c.Scale != analyse.Ratio || c.T == nil {
			continue
		}
		intervals, values = append(intervals, c.T.Adjusted), append(values, c.T.Value)
		if c.HL != nil {
			intervals = append(intervals, c.HL.Adjusted)
		}
	}
	return intervals, values
}

// ratioTicks are places to label on a ratio axis: 1 and round ratios beside it.
func (a axis) ratioTicks() []float64 {
	if a.high > 2 {
		return a.among([]float64{0.125, 0.25, 0.5, 1, 2, 4, 8})
	}
	for _, step := range []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5} {
		if (a.high-a.low)/step > 7 {
			continue
		}
		ticks := []float64{1}
		for i := 1.0; 1+i*step < a.high; i++ {
			ticks = append(ticks, 1+i*step)
		}
		for i := 1.0; 1-i*step > a.low; i++ {
			ticks = append(ticks, 1-i*step)
		}
		slices.Sort(ticks)
		return ticks
	}
	return []float64{1}
}

func (a axis) among(all []float64) []float64 {
	return slices.DeleteFunc(all, func(v float64) bool { return v < a.low*0.999 || v > a.high*1.001 })
}

// valueAxis holds all values with a little room; the ends are never equal.
func valueAxis(values []float64) axis {
	if len(values) == 0 {
		return axis{0, 1, false}
	}
	low, high := slices.Min(values), slices.Max(values)
	room := 0.06 * (high - low)
	if room == 0 {
		room = max(math.Abs(low)*0.05, 1)
	}
	if low >= 0 {
		return axis{max(0, low-room), high + room, false}
	}
	return axis{low - room, high + room, false}
}

// valueTicks are some four round values on the axis.
func (a axis) valueTicks() []float64 {
	size := math.Pow(10, math.Floor(math.Log10((a.high-a.low)/4)))
	step := 10 * size
	for _, times := range []float64{1, 2, 5} {
		if (a.high-a.low)/(times*size) <= 5 {
			step = times * size
			break
		}
	}
	var ticks []float64
	for i := math.Ceil(a.low / step); i*step <= a.high && len(ticks) < 12; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

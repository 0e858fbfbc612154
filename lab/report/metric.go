package report

import (
	"math"
	"strconv"
	"strings"
)

// labels are the lab's own metrics in words.
var labels = map[string]string{
	"wall_ns": "wall time", "user_ns": "user time", "sys_ns": "system time",
	"peak_rss_bytes": "peak memory", "tree_rss_bytes": "peak memory of the tree", "threads_peak": "threads at peak",
	"vol_switches": "voluntary switches", "invol_switches": "involuntary switches",
	"minor_faults": "minor faults", "major_faults": "major faults",
	"block_read_bytes": "block reads", "block_write_bytes": "block writes",
	"net_rx_bytes": "network received", "net_tx_bytes": "network sent",
	"instructions": "instructions", "cycles": "cycles",
	"ns/op": "time per operation", "B/op": "memory per operation", "allocs/op": "allocations per operation",
}

// Label gives a metric's name in words: "wall time" for "wall_ns". A custom
// metric's is its own name without the prefix and the unit that the values show.
func Label(metric string) string {
	if l, ok := labels[metric]; ok {
		return l
	}
	name := strings.TrimPrefix(metric, "m:")
	for _, unit := range []string{"_ns", "_bytes"} {
		if short := strings.TrimSuffix(name, unit); short != "" {
			name = short
		}
	}
	return name
}

// unit is what the values of a metric are shown in.
type unit struct {
	size   float64 // of one unit
	suffix string  // with its space, "" for plain counts
}

// step is a unit that is used from its size on.
type step = unit

var (
	timeSteps = []step{{1, " ns"}, {1e3, " µs"}, {1e6, " ms"}, {1e9, " s"}, {60e9, " min"}, {3600e9, " h"}}
	byteSteps = []step{{1, " B"}, {1 << 10, " KiB"}, {1 << 20, " MiB"}, {1 << 30, " GiB"}, {1 << 40, " TiB"}}
	plain     = []step{{1, ""}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}}
)

// unitOf picks the unit in which a value of the metric is easy to read.
func unitOf(metric string, value float64) unit {
	steps := plain
	switch {
	case strings.HasSuffix(metric, "_ns") || strings.HasPrefix(metric, "ns/"):
		steps = timeSteps
	case strings.HasSuffix(metric, "_bytes") || strings.HasPrefix(metric, "B/"):
		steps = byteSteps
	}
	chosen := steps[0]
	for _, s := range steps {
		if math.Abs(value) >= s.size {
			chosen = s
		}
	}
	return chosen
}

// text shows a value with four significant digits.
func (u unit) text(value float64) string {
	text := digits(value/u.size, 4)
	if v := math.Abs(value / u.size); u.size > 1 && v == math.Trunc(v) && v > 0 && v < 1000 {
		text = strconv.FormatFloat(value/u.size, 'f', 3-int(math.Log10(v)), 64)
	}
	return text + u.suffix
}

// numbers are the values of evenly spaced ticks, without their unit and with as
// many decimals as their step needs.
func (u unit) numbers(ticks []float64) []string {
	decimals := 0
	if len(ticks) > 1 {
		step := (ticks[1] - ticks[0]) / u.size
		decimals = min(6, max(0, int(math.Ceil(-math.Log10(step)-1e-9))))
	}
	var texts []string
	for _, t := range ticks {
		texts = append(texts, strconv.FormatFloat(t/u.size, 'f', decimals, 64))
	}
	return texts
}

// value shows a metric's value in its own best unit.
func value(metric string, v float64) string { return unitOf(metric, v).text(v) }

// signed shows a difference.
func signed(metric string, v float64) string {
	text := value(metric, v)
	if v > 0 {
		return "+" + text
	}
	return strings.Replace(text, "-", "−", 1)
}

// digits writes v with so many significant digits, without an exponent where
// that is readable; whole numbers stay whole.
func digits(v float64, significant int) string {
	size := math.Abs(v)
	switch {
	case size >= 1e7 || size > 0 && size < 1e-4:
		return strconv.FormatFloat(v, 'g', significant, 64)
	case v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	places := significant - 1 - int(math.Floor(math.Log10(size)))
	return strconv.FormatFloat(v, 'f', max(0, places), 64)
}

// places is how many decimals a ratio and its interval need so that its width
// shows.
func places(width float64) int {
	if !(width > 0) || math.IsInf(width, 0) {
		return 3
	}
	return min(5, max(2, 1+int(math.Ceil(-math.Log10(width)))))
}

func ratio(v float64, places int) string {
	if v >= 1e6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// percent writes a share as a number of per cent, without the sign.
func percent(share float64) string {
	p := 100 * math.Abs(share)
	switch {
	case p >= 1000:
		return strconv.FormatFloat(p, 'f', 0, 64)
	case p < 0.005:
		return digits(p, 1)
	}
	return digits(p, 2)
}

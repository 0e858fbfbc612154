package run

import (
	"math"
	"strconv"
	"strings"

	"weft/lab/plan"
	"weft/lab/record"
)

// Limits on custom metrics.
const (
	metricsMax   = 100 // of a run
	metricLength = 100 // bytes of a name
)

// Custom reads custom metrics from what a program printed, by the names that
// the record has for them. A metric that is printed several times has the mean
// of its values. Lines that are nothing of the kind are passed over, and so is
// what is beyond a limit: 100 metrics, names of 100 bytes.
//
// With [plan.SourceLines] a line is
//
//	metric NAME VALUE [UNIT]
//
// With the units ns, us, µs, ms and s the value becomes nanoseconds and the name
// ends in _ns; with B, KB, MB, GB (powers of 1000) and KiB, MiB, GiB it becomes
// bytes and the name ends in _bytes; any other unit follows the name after a
// space.
//
// With [plan.SourceGoBench] the lines are those of `go test -bench`
// (golang.org/design/14313-benchmark-format): "BenchmarkSort-8 100 52 ns/op 3
// B/op" has the metrics Sort/op_ns and Sort/op_bytes; other units follow the
// name after a space.
func Custom(source plan.Source, output []byte) map[string]float64 {
	t := totals{}
	for line := range strings.Lines(string(output)) {
		fields := strings.Fields(line)
		switch source {
		case plan.SourceLines:
			t.line(fields)
		case plan.SourceGoBench:
			t.benchmark(fields)
		}
	}
	values := map[string]float64{}
	for name, total := range t {
		values[record.CustomPrefix+name] = total.sum / total.n
	}
	return values
}

type total struct{ sum, n float64 }

type totals map[string]total

func (t totals) add(name, text string, by float64) {
	v, err := strconv.ParseFloat(text, 64)
	if v *= by; err != nil || math.IsNaN(v) || math.Abs(v) > 1e60 {
		return
	}
	old, known := t[name]
	if !known && len(t) >= metricsMax || len(name) > metricLength || !printable(name) {
		return
	}
	t[name] = total{old.sum + v, old.n + 1}
}

func printable(name string) bool {
	for _, c := range name {
		if !strconv.IsPrint(c) || c == '"' || c == '\uFFFD' {
			return false
		}
	}
	return true
}

// units that have a home in the record: what its names end in, and how much one
// is.
var units = map[string]struct {
	suffix string
	by     float64
}{
	"ns": {"_ns", 1}, "us": {"_ns", 1e3}, "µs": {"_ns", 1e3}, "ms": {"_ns", 1e6}, "s": {"_ns", 1e9},
	"B": {"_bytes", 1}, "KB": {"_bytes", 1e3}, "MB": {"_bytes", 1e6}, "GB": {"_bytes", 1e9},
	"KiB": {"_bytes", 1 << 10}, "MiB": {"_bytes", 1 << 20}, "GiB": {"_bytes", 1 << 30},
	"ns/op": {"/op_ns", 1}, "B/op": {"/op_bytes", 1},
}

func (t totals) line(fields []string) {
	if len(fields) < 3 || len(fields) > 4 || fields[0] != "metric" {
		return
	}
	unit := ""
	if len(fields) == 4 {
		unit = fields[3]
	}
	t.measure(fields[1], fields[2], unit)
}

func (t totals) measure(name, value, unit string) {
	u, known := units[unit]
	switch {
	case known:
		t.add(name+u.suffix, value, u.by)
	case unit == "":
		t.add(name, value, 1)
	default:
		t.add(name+" "+unit, value, 1)
	}
}

func (t totals) benchmark(fields []string) {
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return
	}
	if _, err := strconv.ParseUint(fields[1], 10, 64); err != nil {
		return
	}
	name := strings.TrimPrefix(fields[0], "Benchmark")
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.ParseUint(name[i+1:], 10, 32); err == nil {
			name = name[:i] // the number of CPUs
		}
	}
	for i := 2; i+1 < len(fields); i += 2 {
		t.measure(name, fields[i], fields[i+1])
	}
}

package run

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"weft/lab/plan"
)

func TestCustom(t *testing.T) {
	for _, c := range []struct {
		source plan.Source
		text   string
		want   map[string]float64
	}{
		{plan.SourceNone, "metric a 1\n", map[string]float64{}},
		{plan.SourceLines, "noise\nmetric a 1\nmetric a 3\nmetric b 1.5 ms\nmetric c 2 KiB\nmetric d 7 req/s\nmetric e x\nmetric f NaN\nmetric\nmetric g 1 2 3\nmetric \"h 1\n metric i 4 s",
			map[string]float64{"m:a": 2, "m:b_ns": 1.5e6, "m:c_bytes": 2048, "m:d req/s": 7, "m:i_ns": 4e9}},
		{plan.SourceGoBench, "goos: linux\nBenchmarkSort-8   100  52 ns/op 3 B/op  1 allocs/op\nBenchmarkSort-8 100 54 ns/op 3 B/op 1 allocs/op\nBenchmarkA/b-c-2 1 10 MB/s\nBenchmarkX\nPASS\n",
			map[string]float64{"m:Sort/op_ns": 53, "m:Sort/op_bytes": 3, "m:Sort allocs/op": 1, "m:A/b-c MB/s": 10}},
	} {
		if got := Custom(c.source, []byte(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.source, got, c.want)
		}
	}
	many := ""
	for range 3 {
		for i := range 2 * metricsMax {
			many += "metric " + strings.Repeat("x", i+1) + " 1\n"
		}
	}
	if got := Custom(plan.SourceLines, []byte(many)); len(got) != metricsMax {
		t.Errorf("%d metrics", len(got))
	}
}

func FuzzCustom(f *testing.F) {
	f.Add("metric a 1 ms\nmetric b 2\n", true)
	f.Add("BenchmarkSort-8 100 52 ns/op 3 B/op\n", false)
	f.Fuzz(func(t *testing.T, text string, lines bool) {
		source := plan.SourceGoBench
		if lines {
			source = plan.SourceLines
		}
		got := Custom(source, []byte(text))
		if len(got) > metricsMax {
			t.Errorf("%d metrics", len(got))
		}
		for name, v := range got {
			if !strings.HasPrefix(name, "m:") || len(name) > metricLength+2 || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(name, "\r\n\x00\"") {
				t.Errorf("%q: %v", name, v)
			}
		}
	})
}

package report

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"weft/lab/analyse"
)

// thousand is a plan of 1,000 runs with a dozen metrics.
func thousand() Data {
	r := rand.New(rand.NewPCG(3, 4))
	d := Data{Baseline: "old", Repeat: "old'", Candidates: []string{"new", "newer"}, Blocks: 125}
	metrics := []string{
		"wall_ns", "user_ns", "sys_ns", "peak_rss_bytes", "tree_rss_bytes", "threads_peak", "vol_switches", "invol_switches",
		"minor_faults", "major_faults", "block_read_bytes", "block_write_bytes",
	}
	var csv strings.Builder
	csv.WriteString("series,block,position,arm,workload," + strings.Join(metrics, ",") + "\n")
	for block := range d.Blocks {
		for _, workload := range []string{"small", "large"} {
			for place, arm := range []string{"old", "old'", "new", "newer"} {
				run := analyse.Run{Series: "main", Workload: workload, Arm: arm, Block: block, Position: place, Values: map[string]float64{}}
				fmt.Fprintf(&csv, "main,%d,%d,%s,%s", block, place, arm, workload)
				for _, m := range metrics {
					run.Values[m] = 1e7 * (1 + 0.02*r.NormFloat64())
					fmt.Fprintf(&csv, ",%.0f", run.Values[m])
				}
				csv.WriteString("\n")
				d.Runs = append(d.Runs, run)
			}
		}
	}
	d.CSV = csv.String()
	return d
}

// BenchmarkThousandRuns is the analysis and all forms of the report of a plan
// of 1,000 runs.
func BenchmarkThousandRuns(b *testing.B) {
	d := thousand()
	in := analyse.Input{Baseline: d.Baseline, Repeat: d.Repeat, Candidates: d.Candidates, Runs: d.Runs}
	for m := range d.Runs[0].Values {
		in.Metrics = append(in.Metrics, analyse.Metric{Name: m, Primary: m == "wall_ns", Time: strings.HasSuffix(m, "_ns")})
	}
	b.ReportAllocs()
	for b.Loop() {
		d.Result = analyse.Analyse(in)
		for _, write := range []func(io.Writer, Data) error{Terminal{All: true}.Write, Markdown, JSON, HTML} {
			if err := write(io.Discard, d); err != nil {
				b.Fatal(err)
			}
		}
	}
}

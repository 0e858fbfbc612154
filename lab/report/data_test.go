package report

import (
	"encoding/csv"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"weft/lab/analyse"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs from what is written now (-update accepts it):\n%s", file, firstDifference(string(want), string(got)))
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return "line " + strconv.Itoa(i+1) + "\nwant " + x + "\ngot  " + y
		}
	}
	return "no difference"
}

// readRuns reads a record as lab/record writes it.
func readRuns(t testing.TB, text string) []analyse.Run {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var runs []analyse.Run
	for _, row := range rows[1:] {
		r := analyse.Run{Values: map[string]float64{}}
		for i, cell := range row {
			n, numeric := strconv.ParseFloat(cell, 64)
			switch name := rows[0][i]; name {
			case "series":
				r.Series = cell
			case "block":
				r.Block = int(n)
			case "position":
				r.Position = int(n)
			case "arm":
				r.Arm = cell
			case "workload":
				r.Workload = cell
			case "exit_code":
				r.Failed = n != 0
			case "started_unix_ns", "output_sha256":
			default:
				if numeric == nil {
					r.Values[name] = n
				}
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// sampleOf makes the report data of a committed record. The first arm that
// runs and has a repeat is the baseline.
func sampleOf(t testing.TB, name string, primary ...string) Data {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	d := Data{CSV: string(text), Runs: readRuns(t, string(text)), Seed: "42", Started: time.Unix(1764547200, 0)}
	arms, metrics := map[string]bool{}, map[string]bool{}
	for _, r := range d.Runs {
		arms[r.Arm] = true
		d.Blocks = max(d.Blocks, r.Block+1)
		for m := range r.Values {
			metrics[m] = true
		}
	}
	for _, arm := range slices.Sorted(maps.Keys(arms)) {
		if base, ok := strings.CutSuffix(arm, "'"); ok {
			d.Baseline, d.Repeat = base, arm
		}
	}
	for _, arm := range slices.Sorted(maps.Keys(arms)) {
		if arm != d.Repeat {
			d.Arms = append(d.Arms, Arm{Name: arm, Command: "./" + arm + " --serve", Details: []Entry{{"sha256", "9f86d081884c7d65"}}})
		}
		if arm != d.Repeat && arm != d.Baseline {
			d.Candidates = append(d.Candidates, arm)
		}
	}
	in := analyse.Input{Baseline: d.Baseline, Repeat: d.Repeat, Candidates: d.Candidates, Runs: d.Runs}
	for _, m := range primary {
		in.Metrics = append(in.Metrics, analyse.Metric{Name: m, Primary: true, Time: strings.HasSuffix(m, "_ns")})
	}
	for _, m := range append(slices.Sorted(maps.Keys(metrics)), "cycles") {
		if !slices.Contains(primary, m) {
			direction := analyse.LessIsBetter
			if strings.HasPrefix(m, "m:") {
				direction = analyse.MoreIsBetter
			}
			in.Metrics = append(in.Metrics, analyse.Metric{Name: m, Time: strings.HasSuffix(m, "_ns"), Direction: direction})
		}
	}
	d.Environment = []Entry{{"processor", "Example 3000, 2 cores"}, {"kernel", "Linux 6.12"}, {"load before", "0.08"}}
	d.Result = analyse.Analyse(in)
	return d
}

// samplesAll are the committed records with what is primary in each.
func samplesAll(t testing.TB) map[string]Data {
	all := map[string]Data{
		"faster": sampleOf(t, "faster", "wall_ns"),
		"matrix": sampleOf(t, "matrix", "wall_ns", "peak_rss_bytes"),
		"few":    sampleOf(t, "few", "wall_ns"),
	}
	m := all["matrix"]
	m.Name = `A <script>alert("title")</script> matrix`
	m.Notes = []Note{{"load", "the load average was 3.1 at the start"}, {"binary", `the binary of "tidy" changed while it was measured`}}
	all["matrix"] = m
	f := all["few"]
	f.Interrupted = true
	all["few"] = f
	return all
}

package experiment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weft/lab/analyse"
	"weft/lab/compare"
	"weft/lab/plan"
	"weft/lab/record"
)

// directory writes a run directory of a plan whose candidate takes so many
// times as long as the baseline, with noise of 1 %.
func directory(t testing.TB, blocks, confirmations int, factor float64) string {
	t.Helper()
	p := plan.Default()
	p.Name, p.Seed, p.Blocks, p.Confirmations = "a plan", 7, blocks, confirmations
	p.Arms = []plan.Arm{
		{Name: "old", Command: plan.Command{Args: []string{"./old", "two words"}}, Env: map[string]string{"MODE": "fast"}},
		{Name: "new", Command: plan.Command{Args: []string{"./new"}}},
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	d, err := record.Create(dir, p, record.Env{
		Started: time.Unix(1764547200, 0).UTC(), Blocks: blocks, OS: "linux", Arch: "amd64", CPU: "Example", CPUs: 2,
		LoadBefore: &record.Load{Averages: [3]float64{0.1, 0.2, 0.3}}, Git: &record.Git{Revision: "abc", Changed: true},
		Binaries: []record.Binary{{Arm: "new", Path: "./new", Before: "aa", After: "bb"}},
		Absent:   map[string]string{"cycles": "no permission", "instructions": "no permission"},
		Notes:    []record.Note{{Kind: "binary", Text: "the program of new changed while it was measured"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, step := range plan.Schedule(p, blocks) {
		wall := 1e7 * (1 + 0.01*r.NormFloat64())
		if step.Arm == "new" {
			wall *= factor
		}
		err := d.Append(record.Run{
			Series: step.Series, Block: step.Block, Position: step.Position, Arm: step.Arm, Workload: p.Cells()[step.Cell].Name,
			Started: 1, Values: map[string]float64{"wall_ns": float64(int(wall)), "minor_faults": float64(r.IntN(4))},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func loaded(t testing.TB, dir string) *Experiment {
	t.Helper()
	e, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestLoad(t *testing.T) {
	dir := directory(t, 12, 1, 1.1)
	e := loaded(t, dir)
	series := e.Data.Result.Series
	if len(series) != 2 || series[0].Name != "main" || series[1].Name != "confirm-1" {
		t.Fatalf("series %+v", series)
	}
	if c := series[0].Comparisons[0]; c.Verdict != analyse.Slower || c.N != 12 || c.Metric != "wall_ns" {
		t.Errorf("%+v", c)
	}
	if e.Data.Seed != "7" || e.Data.Name != "a plan" || e.Data.Repeat != "old'" || len(e.Data.Notes) != 1 {
		t.Errorf("%+v", e.Data)
	}
	if got := strings.Count(e.Data.CSV, "\n"); got != 1+len(e.Data.Runs) {
		t.Errorf("%d lines of raw data for %d runs", got, len(e.Data.Runs))
	}
	if got := fmt.Sprint(e.Data.Arms[0]); got != "{old ./old 'two words' [{environment MODE=fast}]}" {
		t.Errorf("arm %s", got)
	}
	var names []string
	for _, entry := range e.Data.Environment {
		names = append(names, entry.Name+": "+entry.Value)
	}
	for _, want := range []string{"system: linux/amd64", "git: abc, with changes", "not measured: instructions, cycles: no permission"} {
		if !strings.Contains(strings.Join(names, "\n"), want) {
			t.Errorf("no %q in %q", want, names)
		}
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("an empty folder is a run directory")
	}
}

func TestVerify(t *testing.T) {
	dir := directory(t, 6, 0, 1)
	if err := loaded(t, dir).Write(); err != nil {
		t.Fatal(err)
	}
	found, err := Verify(dir)
	if err != nil || len(found.Wrong) != 0 || found.Runs != 3*7 || found.Comparisons == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, tt := range []struct {
		name, file string
		change     func(string) string
		want       []string
	}{
		{"a figure of the record", "runs.csv", func(s string) string {
			main := strings.Index(s, "\nmain,")
			return s[:main] + strings.Replace(s[main:], ",default,1,", ",default,1,9", 1)
		}, []string{"runs.csv was changed", "report.json: result.series"}},
		{"a run less", "runs.csv", func(s string) string { return s[:strings.LastIndex(strings.TrimSuffix(s, "\n"), "\n")+1] }, []string{"runs.csv was changed", "report.json: result.series[0].comparisons[0].n: stored 6, recomputed 5"}},
		{"nonsense in the record", "runs.csv", func(string) string { return "a,b\n1,2\n" }, []string{"runs.csv was changed", "record: bad file"}},
		{"a figure of the report", "report.json", func(s string) string { return strings.Replace(s, `"value": 1.`, `"value": 2.`, 1) }, []string{"report.json was changed", "stored 2."}},
		{"the report's end", "report.json", func(s string) string { return s[:len(s)/2] }, []string{"report.json was changed", "the stored document"}},
		{"the plan's threshold", "plan.yaml", func(s string) string { return strings.Replace(s, "min_effect: 0.02", "min_effect: 0.5", 1) }, []string{"plan.yaml was changed", "report.json: result.min_effect: stored 0.02, recomputed 0.5"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(dir, tt.file)
			kept, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			changed := tt.change(string(kept))
			if changed == string(kept) {
				t.Fatal("nothing was changed")
			}
			defer os.WriteFile(file, kept, 0o644)
			if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			found, err := Verify(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(strings.Join(found.Wrong, "\n"), want) {
					t.Errorf("%q does not say %q", found.Wrong, want)
				}
			}
		})
	}
	if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(dir); !errors.Is(err, record.ErrNoManifest) {
		t.Errorf("without a manifest: %v", err)
	}
}

func TestSides(t *testing.T) {
	a, b := loaded(t, directory(t, 10, 0, 1)), loaded(t, directory(t, 10, 0, 2))
	d, err := compare.Sides(a.Side("a"), b.Side("b"), compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Result.Design != analyse.Paired {
		t.Errorf("the same plan is compared %s", d.Result.Design)
	}
	verdicts := map[string]analyse.Verdict{}
	for _, c := range d.Result.Series[0].Comparisons {
		if c.Metric == "wall_ns" {
			verdicts[c.Workload] = c.Verdict
		}
	}
	if verdicts["new"] != analyse.Slower || len(verdicts) != 2 {
		t.Errorf("%v", verdicts)
	}
	if other := loaded(t, directory(t, 8, 0, 1)); other.Side("c").Plan == a.Side("a").Plan {
		t.Error("plans of other lengths count as the same")
	}
}

// BenchmarkDirectory reads, analyses and reports a run directory of 1,000 runs.
func BenchmarkDirectory(b *testing.B) {
	dir := directory(b, 333, 0, 1.01)
	b.ReportAllocs()
	for b.Loop() {
		e, err := Load(dir)
		if err == nil {
			err = e.Write()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

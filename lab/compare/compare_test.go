package compare

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"weft/lab/analyse"
	"weft/lab/foreign"
)

// bench is go test's text with ten runs of each benchmark around its time.
func bench(times map[string]float64) *foreign.File {
	var b strings.Builder
	for _, name := range []string{"Sort-2", "Find-2", "Only-2", "Other-2"} {
		if t, ok := times[name]; ok {
			for i := range 10 {
				fmt.Fprintf(&b, "Benchmark%s 100 %.1f ns/op %.2f MB/s\n", name, t*(1+0.002*float64(i%4)), 1e6/t*(1+0.002*float64(i%3)))
			}
		}
	}
	f, err := foreign.Parse([]byte(b.String()))
	if err != nil {
		panic(err)
	}
	return f
}

func TestFiles(t *testing.T) {
	before := FromFile("old.txt", bench(map[string]float64{"Sort-2": 1000, "Find-2": 50, "Only-2": 1}))
	after := FromFile("new.txt", bench(map[string]float64{"Sort-2": 1500, "Find-2": 50.01, "Other-2": 1}))
	d, err := Sides(before, after, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Result.Design != analyse.Unpaired || len(d.Notes) != 1 {
		t.Errorf("design %s, notes %v", d.Result.Design, d.Notes)
	}
	got := map[string]analyse.Verdict{}
	for _, c := range d.Result.Series[0].Comparisons {
		got[c.Workload+" "+c.Metric] = c.Verdict
		if c.Primary != (c.Metric == "ns/op") {
			t.Errorf("%s: primary %v", c.Metric, c.Primary)
		}
	}
	want := map[string]analyse.Verdict{
		"Sort-2 ns/op": analyse.Slower, "Sort-2 MB/s": analyse.Worse,
		"Find-2 ns/op": analyse.Equivalent, "Find-2 MB/s": analyse.Equivalent,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestOneEach(t *testing.T) {
	before := FromFile("a.json", bench(map[string]float64{"Sort-2": 1000}))
	after := FromFile("a.json", bench(map[string]float64{"Find-2": 500}))
	d, err := Sides(before, after, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := d.Result.Series[0].Comparisons[1]
	if c.Metric != "ns/op" || c.Workload != "Sort-2 -> Find-2" || d.Baseline != "a.json (first)" || c.T == nil || c.T.Value > 0.51 {
		t.Errorf("%q against %q: %+v", d.Baseline, c.Workload, c.T)
	}
}

func TestWithin(t *testing.T) {
	d, err := Within(bench(map[string]float64{"Sort-2": 1000, "Find-2": 500}), Options{MinEffect: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if d.Baseline != "Sort-2" || d.Result.MinEffect != 0.05 || d.Result.Series[0].Comparisons[0].Candidate != "Find-2" {
		t.Errorf("%+v", d.Result.Series[0].Comparisons[0])
	}
	if _, err := Within(bench(map[string]float64{"Sort-2": 1}), Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("one benchmark: %v", err)
	}
}

func TestSamePlanIsPaired(t *testing.T) {
	side := func(name, plan string, factor float64) Side {
		s := Side{Name: name, Plan: plan, Repeat: "A'", Metrics: []analyse.Metric{{Name: "wall_ns", Primary: true, Time: true}}}
		for block := range 12 {
			// Blocks differ by far more than the sides do.
			base := 1000 * float64(1+block)
			for place, arm := range []string{"A", "A'", "B"} {
				v := base * (1 + 0.001*float64((block*7+place)%5))
				s.Runs = append(s.Runs, analyse.Run{Series: "main", Workload: "w", Arm: arm, Block: block, Position: place, Values: map[string]float64{"wall_ns": factor * v}})
			}
			s.Runs = append(s.Runs, analyse.Run{Series: "warmup", Workload: "w", Arm: "A", Block: block, Values: map[string]float64{"wall_ns": 1}})
		}
		return s
	}
	for plan, want := range map[string]analyse.Verdict{"same": analyse.Slower, "other": analyse.Inconclusive} {
		d, err := Sides(side("one", "same", 1), side("two", plan, 1.1), Options{})
		if err != nil {
			t.Fatal(err)
		}
		cs := d.Result.Series[0].Comparisons
		if len(cs) != 2 || cs[0].Verdict != want || cs[0].N != 12 {
			t.Errorf("plan %s: %+v", plan, cs)
		}
	}
	if _, err := Sides(side("one", "", 1), FromFile("f", bench(map[string]float64{"Sort-2": 1, "Find-2": 2})), Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing in common: %v", err)
	}
}

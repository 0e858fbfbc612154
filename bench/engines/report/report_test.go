package report

import (
	"bytes"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/bench/engines/engine"
	"weft/bench/engines/sample"
)

var update = flag.Bool("update", false, "rewrite the expected report")

func TestReport(t *testing.T) {
	file, err := os.Open("testdata/samples.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	facts, samples, err := sample.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := Write(&got, facts, samples); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.md"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the report is not %s (hint: look, then -update):\n%s", golden, got.String())
	}
	// The same samples in another order are the same report.
	slices.Reverse(samples)
	var again bytes.Buffer
	if err := Write(&again, facts, samples); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Bytes(), want) {
		t.Error("the order of the samples changes the report")
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		of   []float64
		want float64
	}{
		{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1}, 5}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 8, 1, 2}, 3},
	} {
		of := slices.Clone(tt.of)
		if got := median(of); got != tt.want || !slices.Equal(of, tt.of) {
			t.Errorf("median of %v: %g", tt.of, got)
		}
	}
}

func TestInterval(t *testing.T) {
	if low, high := interval([]float64{2, 2, 2}); low != 2 || high != 2 {
		t.Errorf("of equal values [%g, %g]", low, high)
	}
	if low, high := interval(nil); low != 0 || high != 0 {
		t.Errorf("of none [%g, %g]", low, high)
	}
	// The median of a resample of 1 to 101 has a standard deviation of half the
	// root of 101; 1.96 of those to either side of 51 are 41 and 61.
	xs := make([]float64, 101)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	low, high := interval(xs)
	if math.Abs(low-41) > 1 || math.Abs(high-61) > 1 {
		t.Errorf("of 1 to 101 [%g, %g]", low, high)
	}
}

// take makes a sample of one operation.
func take(round int, name, workload string, parallelism int, ns int) sample.Sample {
	return sample.Sample{
		Round: round, Engine: name, Workload: workload, Parallelism: parallelism,
		Ops: 1, Wall: time.Duration(ns), CPU: time.Duration(ns), Threads: ns,
	}
}

func TestCompare(t *testing.T) {
	r := collect([]sample.Sample{
		take(1, "weft", "spawn", 1, 10), take(1, "tokio", "spawn", 1, 10),
		take(2, "weft", "spawn", 1, 30), take(2, "tokio", "spawn", 1, 20),
		take(3, "weft", "spawn", 1, 20), take(3, "tokio", "spawn", 1, 80),
		take(4, "tokio", "spawn", 1, 90),
	})
	weft, tokio := key{"spawn", 1, "weft"}, key{"spawn", 1, "tokio"}
	c, ok := r.compare(weft, tokio, wall, divide)
	if !ok || c.subject != 20 || c.peer != 50 || c.ofMedians != 0.4 || c.paired != 1 || c.pairs != 3 || c.low != 0.25 || c.high != 1.5 {
		t.Errorf("ratio: %+v", c)
	}
	c, ok = r.compare(weft, tokio, wall, subtract)
	if !ok || c.ofMedians != -30 || c.paired != 0 || c.low != -60 || c.high != 10 {
		t.Errorf("difference: %+v", c)
	}
	if c, ok := r.compare(weft, key{"spawn", 4, "tokio"}, wall, divide); ok {
		t.Errorf("with nothing: %+v", c)
	}
}

func TestJudge(t *testing.T) {
	samples := func(workload string, parallelism int, weft, peer []int) (all []sample.Sample) {
		for i := range weft {
			all = append(all, take(i, "weft", workload, parallelism, weft[i]))
		}
		for i := range peer {
			all = append(all, take(i, "peer", workload, parallelism, peer[i]))
		}
		return all
	}
	for name, tt := range map[string]struct {
		by         measure
		limit      float64
		weft, peer []int
		want       string
	}{
		"well below":          {ratio, 0.5, []int{10, 11, 12}, []int{100, 100, 100}, pass},
		"equal is a pass":     {ratio, 0.5, []int{50, 50, 50}, []int{100, 100, 100}, passClosely},
		"above, not surely":   {ratio, 0.5, []int{40, 55, 60}, []int{100, 100, 100}, failClosely},
		"above":               {ratio, 0.5, []int{60, 70, 80}, []int{100, 100, 100}, fail},
		"no peer":             {ratio, 0.5, []int{60, 70, 80}, nil, notMeasured},
		"near enough":         {difference, 60, []int{50, 50, 50}, []int{1, 1, 1}, pass},
		"too far":             {difference, 60, []int{70, 70, 70}, []int{1, 1, 1}, fail},
		"few threads":         {threadsMax, 64, []int{10, 63, 10}, nil, pass},
		"once too many":       {threadsMax, 64, []int{10, 64, 10}, nil, fail},
		"threads of nobody":   {threadsMax, 64, nil, nil, notMeasured},
		"difference of none":  {difference, 60, nil, []int{1}, notMeasured},
		"faster is no excess": {difference, 60, []int{1, 1, 1}, []int{90, 90, 90}, pass},
	} {
		b := bar{workload: "w", subject: "weft", peer: "peer", by: tt.by, limit: tt.limit}
		if got := collect(samples("w", 2, tt.weft, tt.peer)).judge(b, 2); got.verdict != tt.want {
			t.Errorf("%s: %s, not %s (%+v)", name, got.verdict, tt.want, got.got)
		}
	}
}

func TestBarsNameWhatExists(t *testing.T) {
	runs := func(name, workload string) bool {
		if name == "tokio" {
			return workload != "panic-trace"
		}
		maker, ok := engine.Find(name)
		return ok && maker.Runs(workload)
	}
	for _, b := range bars {
		if _, ok := engine.FindWorkload(b.workload); !ok {
			t.Errorf("no workload %q", b.workload)
		}
		if !runs(b.subject, b.workload) {
			t.Errorf("%s: %s does not run it", b.text(), b.subject)
		}
		if b.peer != "" && !runs(b.peer, b.workload) {
			t.Errorf("%s: %s does not run it", b.text(), b.peer)
		}
		if !b.covers(b.from) || b.to == 1 && b.covers(4) || b.to == 0 && !b.covers(16) {
			t.Errorf("%s, %s: parallelism %d to %d", b.workload, b.text(), b.from, b.to)
		}
	}
}

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{0: "0.00", 1.234: "1.23", -1.234: "-1.23", 45.67: "45.7", 1234.5: "1234"} {
		if got := figure(x); got != want {
			t.Errorf("%g is %s", x, got)
		}
	}
	if strings.Contains(figure(99999), ".") {
		t.Error("digits that do not matter")
	}
}

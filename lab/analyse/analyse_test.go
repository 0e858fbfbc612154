package analyse

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"weft/lab/stats"
)

var update = flag.Bool("update", false, "rewrite the golden result")

// pairs makes an experiment of A, A' and B with one workload and one metric from
// values by block; NaN stands for absent.
func pairs(a, b []float64) Input {
	in := Input{Baseline: "A", Candidates: []string{"B"}, Metrics: []Metric{{Name: "m", Primary: true, Time: true}}}
	for i := range a {
		for place, v := range []float64{a[i], b[i]} {
			run := Run{Series: "main", Workload: "w", Arm: []string{"A", "B"}[place], Block: i, Position: (place + i) % 2, Values: map[string]float64{}}
			if !math.IsNaN(v) {
				run.Values["m"] = v
			}
			in.Runs = append(in.Runs, run)
		}
	}
	return in
}

func times(x []float64, by float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v * by
	}
	return y
}

// noisy gives n values about 100 with 1 % noise that sums to about nothing.
func noisy(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = 100 * math.Exp(0.01*r.NormFloat64())
	}
	return x
}

// whole is an experiment with everything in it: two workloads, two candidates,
// five metrics, a warm-up, two confirmations, failures and absences.
func whole(seed uint64) Input {
	r := rand.New(rand.NewPCG(seed, 2))
	in := Input{
		Baseline: "A", Repeat: "A'", Candidates: []string{"C", "B"},
		Metrics: []Metric{
			{Name: "wall_ns", Primary: true, Time: true},
			{Name: "peak_rss_bytes", Primary: true},
			{Name: "major_faults", MinDifference: 5},
			{Name: "m:rate", Direction: MoreIsBetter},
			{Name: "threads_peak", Direction: NoDirection},
			{Name: "instructions"},
		},
	}
	slower := map[string]float64{"A": 1, "A'": 1, "B": 0.9, "C": 1.002}
	for _, series := range []string{"confirm-10", "main", "warmup", "confirm-2"} {
		for _, w := range []string{"large", "small"} {
			for block := range 12 {
				for place, k := range r.Perm(4) {
					arm := []string{"A", "A'", "B", "C"}[k]
					values := map[string]float64{
						"wall_ns":        math.Round(1e8 * slower[arm] * math.Exp(0.01*r.NormFloat64())),
						"peak_rss_bytes": 4096 * math.Round(1e4*math.Exp(0.001*r.NormFloat64())),
						"major_faults":   float64(r.IntN(3)),
						"m:rate":         math.Round(1e6 / slower[arm] * math.Exp(0.01*r.NormFloat64())),
						"threads_peak":   4,
					}
					if arm == "C" {
						values["threads_peak"] = 5
					}
					if block == 3 && arm == "B" {
						delete(values, "wall_ns")
					}
					in.Runs = append(in.Runs, Run{
						Series: series, Workload: w, Arm: arm, Block: block, Position: place, Values: values,
						Failed: block == 5 && arm == "C" && w == "small",
					})
				}
			}
		}
	}
	return in
}

func find(t *testing.T, s Series, workload, candidate, metric string) Comparison {
	t.Helper()
	for _, c := range s.Comparisons {
		if c.Workload == workload && c.Candidate == candidate && c.Metric == metric {
			return c
		}
	}
	t.Fatalf("no comparison %s, %s, %s", workload, candidate, metric)
	return Comparison{}
}

func TestGolden(t *testing.T) {
	const golden = "testdata/whole.json"
	got, err := json.MarshalIndent(Analyse(whole(1)), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	// Nine digits: the last few differ between processors.
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Fatal(err)
	}
	got, _ = json.MarshalIndent(rounded(v), "", "\t")
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		lines := strings.Split(string(got), "\n")
		for i, line := range strings.Split(string(want), "\n") {
			if i >= len(lines) || lines[i] != line {
				t.Fatalf("%s differs from line %d on: want %s (-update rewrites it)", golden, i+1, line)
			}
		}
		t.Fatalf("%s differs", golden)
	}
}

func rounded(v any) any {
	switch x := v.(type) {
	case float64:
		if math.Abs(x) < 1e-15 {
			return 0.0 // of rounding alone, as far as it matters here
		}
		unit := math.Pow(10, 9-math.Ceil(math.Log10(math.Abs(x))))
		return math.Round(x*unit) / unit
	case map[string]any:
		for k := range x {
			x[k] = rounded(x[k])
		}
	case []any:
		for i := range x {
			x[i] = rounded(x[i])
		}
	}
	return v
}

func TestWhole(t *testing.T) {
	result := Analyse(whole(1))
	var names []string
	for _, s := range result.Series {
		names = append(names, s.Name)
	}
	if want := []string{"main", "confirm-2", "confirm-10"}; !slices.Equal(names, want) {
		t.Fatalf("series %q", names)
	}
	s := result.Series[0]
	if s.Runs != 96 || s.Failed != 1 || len(s.Comparisons) != 24 || s.Comparisons[0].Workload != "large" || s.Comparisons[0].Candidate != "C" {
		t.Errorf("%d runs, %d failed, %d comparisons", s.Runs, s.Failed, len(s.Comparisons))
	}
	for _, c := range []struct {
		workload, candidate, metric string
		n, missing, family          int
		scale                       Scale
		verdict                     Verdict
	}{
		{"large", "B", "wall_ns", 11, 1, 8, Ratio, Faster},
		{"large", "C", "wall_ns", 12, 0, 8, Ratio, Equivalent},
		{"small", "C", "wall_ns", 11, 1, 8, Ratio, Equivalent},
		{"small", "C", "peak_rss_bytes", 11, 1, 8, Ratio, Equivalent},
		{"large", "B", "major_faults", 12, 0, 12, Difference, Equivalent},
		{"large", "B", "m:rate", 12, 0, 12, Ratio, Better},
		{"large", "B", "threads_peak", 12, 0, 12, Ratio, Equivalent},
		{"large", "C", "threads_peak", 12, 0, 12, Ratio, Higher},
		{"large", "C", "instructions", 0, 12, 0, Ratio, Absent},
	} {
		got := find(t, s, c.workload, c.candidate, c.metric)
		if got.N != c.n || got.Missing != c.missing || got.Family != c.family || got.Scale != c.scale || got.Verdict != c.verdict {
			t.Errorf("%s, %s, %s: %+v", c.workload, c.candidate, c.metric, got)
		}
	}
	b := find(t, s, "large", "B", "wall_ns")
	if !b.Significant || !b.Beyond || b.T.Value < 0.88 || b.T.Value > 0.92 || b.HL == nil || b.TailSensitive || b.AdjustedP < b.P {
		t.Errorf("%+v", b)
	}
	if c := find(t, s, "large", "C", "threads_peak"); !c.Constant || c.P != math.Ldexp(1, -11) || c.T.Value != 1.25 {
		t.Errorf("%+v", c)
	}
	if c := find(t, s, "large", "B", "threads_peak"); c.Words() != "equivalent (equal in every pair)" {
		t.Errorf("%s", c.Words())
	}
	var kinds []string
	for _, w := range s.Warnings {
		kinds = append(kinds, w.Kind)
	}
	if !slices.Contains(kinds, "failed") || !slices.Contains(kinds, "missing") {
		t.Errorf("warnings %q", kinds)
	}
	if len(s.Noise) != 10 || len(s.Summaries) != 8 {
		t.Errorf("%d noise floors, %d summaries", len(s.Noise), len(s.Summaries))
	}
}

// TestOrderOfRuns: the order of the runs in the input changes nothing.
func TestOrderOfRuns(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	in := whole(seed)
	in.Runs = append(in.Runs, in.Runs[7]) // one of them twice
	in.Runs[len(in.Runs)-1].Position++
	want := Analyse(in)
	for range 5 {
		r.Shuffle(len(in.Runs), func(i, j int) { in.Runs[i], in.Runs[j] = in.Runs[j], in.Runs[i] })
		if got := Analyse(in); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: not the same in another order", seed)
		}
	}
}

// TestNothingIsPooled: the main series' result does not depend on confirmations,
// nor on warm-ups.
func TestNothingIsPooled(t *testing.T) {
	in := whole(2)
	want := Analyse(in).Series
	for i, name := range []string{"main", "confirm-2", "confirm-10"} {
		alone := in
		alone.Runs = nil
		for _, r := range in.Runs {
			if r.Series == name {
				alone.Runs = append(alone.Runs, r)
			}
		}
		if got := Analyse(alone).Series; len(got) != 1 || !reflect.DeepEqual(got[0], want[i]) {
			t.Errorf("%s alone is another", name)
		}
	}
}

func TestVerdicts(t *testing.T) {
	a, b := noisy(20, 1), noisy(20, 2)
	for _, c := range []struct {
		name   string
		by     float64
		metric Metric
		want   Verdict
		words  string
		beyond bool
	}{
		{"faster", 0.9, Metric{Time: true}, Faster, "faster", true},
		{"slower", 1.1, Metric{Time: true}, Slower, "slower", true},
		{"better", 0.9, Metric{}, Better, "better", true},
		{"worse", 1.1, Metric{}, Worse, "worse", true},
		{"more", 1.1, Metric{Direction: MoreIsBetter}, Better, "better", true},
		{"less", 0.9, Metric{Direction: MoreIsBetter}, Worse, "worse", true},
		{"lower", 0.9, Metric{Direction: NoDirection}, Lower, "lower", true},
		{"higher", 1.1, Metric{Direction: NoDirection}, Higher, "higher", true},
		{"slower, perhaps by little", 1.025, Metric{Time: true}, Slower, "slower", false},
		{"equivalent", 1, Metric{Time: true}, Equivalent, "equivalent within 2 %", false},
		{"own minimum", 1, Metric{Time: true, MinEffect: 0.001}, Inconclusive, "inconclusive", false},
		{"significant but small", 1.03, Metric{Time: true, MinEffect: 0.05}, Equivalent, "equivalent (significant, but smaller than 5 %)", false},
		{"as difference", 1.1, Metric{Time: true, Scale: Difference, MinDifference: 2}, Slower, "slower", true},
		{"same as difference", 1, Metric{Time: true, Scale: Difference, MinDifference: 2}, Equivalent, "equivalent within 2", false},
		{"no minimum difference", 1, Metric{Time: true, Scale: Difference}, Inconclusive, "inconclusive", false},
	} {
		in := pairs(a, times(b, c.by))
		c.metric.Name, c.metric.Primary = "m", true
		in.Metrics[0] = c.metric
		got := only(in)
		if got.Verdict != c.want || got.Words() != c.words || got.Beyond != c.beyond {
			t.Errorf("%s: %s, %q, beyond %v; %+v", c.name, got.Verdict, got.Words(), got.Beyond, got.T)
		}
		if got.Verdict.Regression() != (c.want == Slower || c.want == Worse) || got.Verdict.Improvement() != (c.want == Faster || c.want == Better) {
			t.Errorf("%s: regression %v", c.name, got.Verdict.Regression())
		}
	}
}

// TestTailSensitive: two slow runs of B widen the t interval over 1 and leave
// that of the middle below it.
func TestTailSensitive(t *testing.T) {
	a, b := noisy(20, 1), times(noisy(20, 2), 0.97)
	b[4], b[11] = 260, 230
	got := only(pairs(a, b))
	if !got.TailSensitive || got.Verdict != Inconclusive || got.Words() != "inconclusive, tail-sensitive" {
		t.Errorf("%s: t %+v, Hodges-Lehmann %+v", got.Words(), got.T, got.HL)
	}
}

func TestFewPairs(t *testing.T) {
	for n := range 8 {
		got := Analyse(pairs(noisy(n, 1), times(noisy(n, 2), 1.5))).Series
		if n == 0 {
			if len(got) != 0 {
				t.Errorf("none: %+v", got)
			}
			continue
		}
		c := got[0].Comparisons[0]
		if (c.T != nil) != (n >= 2) || (c.HL != nil) != (n >= 6) || c.N != n {
			t.Errorf("%d pairs: t %v, Hodges-Lehmann %v", n, c.T, c.HL)
		}
	}
	// With 20 primary metrics Holm's smallest level needs ten.
	for n, want := range map[int]bool{9: false, 10: true} {
		in := quiet.experiment(rand.New(rand.NewPCG(1, 1)), n, 20, 0)
		for _, c := range Analyse(in).Series[0].Comparisons {
			if (c.HL != nil) != want {
				t.Errorf("%d pairs, 20 metrics: %v", n, c.HL)
			}
		}
	}
}

// TestConstant: where nothing varies, signs are counted.
func TestConstant(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1}
	for _, c := range []struct {
		n    int
		by   float64
		want Verdict
	}{
		{3, 1, Inconclusive}, {5, 1, Equivalent}, {5, 1.5, Inconclusive}, {6, 1.5, Slower}, {6, 0.5, Faster},
		{5, 1.01, Equivalent}, {4, 1.01, Inconclusive},
	} {
		got := only(pairs(ones[:c.n], times(ones[:c.n], c.by)))
		if got.Verdict != c.want || !got.Constant || got.SD != 0 {
			t.Errorf("%d pairs, %v: %s, p %v, equivalence %v", c.n, c.by, got.Words(), got.P, got.EquivalenceP)
		}
		if got.T.Adjusted.Excludes(1) != got.Significant {
			t.Errorf("%d pairs, %v: %+v, significant %v", c.n, c.by, got.T, got.Significant)
		}
	}
}

// TestMatchingIntervals: the Adjusted interval excludes no difference exactly
// where Holm rejects, and lies between the other two.
func TestMatchingIntervals(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 4))
	for _, design := range []Design{Paired, Sequential, Unpaired} {
		for range 40 {
			in := quiet.experiment(r, 4+r.IntN(20), 1+r.IntN(6), 0.02*r.Float64())
			in.Design = design
			for _, c := range Analyse(in).Series[0].Comparisons {
				if c.T.Adjusted.Excludes(1) != c.Significant || c.Significant != (c.AdjustedP <= 0.05) {
					t.Fatalf("seed %d, %s: %+v, adjusted p %v, significant %v", seed, design, c.T, c.AdjustedP, c.Significant)
				}
				i, a, s := c.T.Interval, c.T.Adjusted, c.T.Simultaneous
				if !s.Absent() && (a.Low > i.Low || s.Low > a.Low || a.High < i.High || s.High < a.High) {
					t.Fatalf("seed %d, %s: %+v", seed, design, c.T)
				}
				if equivalent := c.AdjustedEquivalenceP <= 0.05; equivalent != (c.Verdict == Equivalent) {
					t.Fatalf("seed %d, %s: %s, equivalence %v", seed, design, c.Verdict, c.AdjustedEquivalenceP)
				}
			}
		}
	}
}

// TestAgainstStats: a lone comparison is what lab/stats says of its log ratios.
func TestAgainstStats(t *testing.T) {
	a, b := noisy(15, 5), times(noisy(15, 6), 1.01)
	got := only(pairs(a, b))
	d, _ := stats.LogRatios(b, a)
	e, _ := stats.Paired(d)
	h, _ := stats.HodgesLehmann(d)
	w, _ := stats.SignedRank(d)
	if got.T.Value != math.Exp(e.Mean) || got.T.Interval != e.Interval(0.95).Exp() || got.P != e.P(0) || got.AdjustedP != e.P(0) || got.RankP != w.P {
		t.Errorf("%+v", got)
	}
	if got.HL.Value != math.Exp(h.Estimate()) || got.HL.Interval != h.Interval(0.95).Exp() || got.T.Adjusted != got.T.Interval {
		t.Errorf("%+v", got)
	}
	in := pairs(a[:12], b[:12])
	for i := range 3 { // and three runs of A without partner
		in.Runs = append(in.Runs, Run{Series: "main", Workload: "w", Arm: "A", Block: 20 + i, Values: map[string]float64{"m": 100}})
	}
	in.Design = Unpaired
	got = only(in)
	a = append(slices.Clone(a[:12]), 100, 100, 100)
	s, _ := stats.HodgesShift(logs(b[:12]), logs(a))
	e, _ = stats.Welch(logs(b[:12]), logs(a))
	if got.N != 12 || got.BaselineValues.N != 15 || got.P != e.P(0) || got.HL.Value != math.Exp(s.Estimate()) {
		t.Errorf("unpaired: %+v", got)
	}
}

func logs(x []float64) []float64 { return sample{scale: Ratio}.logs(x) }

func TestSummaryOfWorkloads(t *testing.T) {
	if one := Analyse(pairs(noisy(8, 1), noisy(8, 2))).Series[0].Summaries; one != nil {
		t.Errorf("of one workload: %+v", one)
	}
	in := whole(1)
	s := Analyse(in).Series[0]
	for _, got := range s.Summaries {
		if got.Candidate != "B" || got.Metric != "wall_ns" {
			continue
		}
		large, small := find(t, s, "large", "B", "wall_ns"), find(t, s, "small", "B", "wall_ns")
		want := math.Sqrt(large.T.Value * small.T.Value)
		if math.Abs(got.Ratio-want) > 1e-12 || got.Workloads != 2 || !got.Interval.Excludes(1) || got.Interval.Excludes(want) {
			t.Errorf("%+v, want %v", got, want)
		}
		return
	}
	t.Error("no summary")
}

// TestBrokenSetup: a repeat that is slower than the baseline is warned of.
func TestBrokenSetup(t *testing.T) {
	in := quiet.experiment(rand.New(rand.NewPCG(1, 1)), 20, 1, 0)
	for _, r := range in.Runs {
		if r.Arm == "A'" {
			r.Values["ma"] *= 1.05
		}
	}
	s := Analyse(in).Series[0]
	if n := s.Noise[0]; !n.Differs || n.Value < 1.03 || n.Floor < 0.008 || n.Floor > 0.02 {
		t.Errorf("%+v", n)
	}
	if len(s.Warnings) == 0 || s.Warnings[0].Kind != "noise" {
		t.Errorf("%+v", s.Warnings)
	}
}

func TestStrangeRuns(t *testing.T) {
	in := pairs(noisy(8, 1), noisy(8, 2))
	in.Runs = append(in.Runs, Run{Series: "main", Workload: "w", Arm: "Z", Values: map[string]float64{"m": 1}}, in.Runs[0])
	s := Analyse(in).Series[0]
	if len(s.Warnings) != 2 || s.Warnings[0].Kind != "unknown-arm" || s.Warnings[1].Kind != "duplicate" || s.Runs != 17 {
		t.Errorf("%+v", s)
	}
	in.Workloads = []string{"other", "w"}
	if got := Analyse(in).Series[0].Comparisons; len(got) != 2 || got[0].Verdict != Absent || got[1].Verdict == Absent {
		t.Errorf("%+v", got)
	}
}

func TestAdvice(t *testing.T) {
	in := pairs(noisy(8, 1), noisy(8, 2))
	in.MinEffect = 0.004
	got := only(in)
	a := got.Advice
	if got.Verdict != Inconclusive || a == nil || a.Blocks%2 != 0 || a.Blocks < max(a.Difference, a.Equivalence, 16) || a.PowerNow <= 0.05 || a.PowerNow > 0.5 {
		t.Errorf("%s: %+v", got.Words(), a)
	}
	in.MinEffect = 1e-6
	if a := only(in).Advice; a == nil || a.Blocks != 0 || a.Difference != 0 || a.Equivalence != 0 {
		t.Errorf("hopeless: %+v", a)
	}
}

func TestValidate(t *testing.T) {
	good := func() Input { return pairs(nil, nil) }
	for name, spoil := range map[string]func(*Input){
		"alpha":           func(in *Input) { in.Alpha = 0.5 },
		"negative alpha":  func(in *Input) { in.Alpha = -1 },
		"NaN":             func(in *Input) { in.MinEffect = math.NaN() },
		"minimum":         func(in *Input) { in.MinEffect = -0.1 },
		"power":           func(in *Input) { in.Power = 1 },
		"design":          func(in *Input) { in.Design = "clever" },
		"arm twice":       func(in *Input) { in.Candidates = []string{"B", "B"} },
		"baseline twice":  func(in *Input) { in.Candidates = []string{"A"} },
		"metric twice":    func(in *Input) { in.Metrics = append(in.Metrics, in.Metrics[0]) },
		"metric minimum":  func(in *Input) { in.Metrics[0].MinEffect = math.Inf(1) },
		"minimum differs": func(in *Input) { in.Metrics[0].MinDifference = math.NaN() },
		"scale":           func(in *Input) { in.Metrics[0].Scale = "log" },
	} {
		in := good()
		if err := in.Validate(); err != nil {
			t.Fatal(err)
		}
		spoil(&in)
		if err := in.Validate(); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: analysed", name)
				}
			}()
			Analyse(in)
		}()
	}
}

package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	second := func(_ any, err error) error { return err }
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"paired one", second(Paired([]float64{1})), ErrTooFew},
		{"paired NaN", second(Paired([]float64{1, nan})), ErrNotFinite},
		{"welch one", second(Welch([]float64{1, 2}, []float64{1})), ErrTooFew},
		{"ratios lengths", second(LogRatios([]float64{1}, []float64{1, 2})), ErrLengths},
		{"ratios zero", second(LogRatios([]float64{0}, []float64{1})), ErrNotPositive},
		{"ratios negative", second(LogRatios([]float64{1}, []float64{-1})), ErrNotPositive},
		{"ratios NaN", second(LogRatios([]float64{nan}, []float64{1})), ErrNotFinite},
		{"ratios infinite", second(LogRatios([]float64{inf}, []float64{1})), ErrNotFinite},
		{"differences lengths", second(Differences([]float64{1}, nil)), ErrLengths},
		{"differences overflow", second(Differences([]float64{1e308}, []float64{-1e308})), ErrNotFinite},
		{"mean of none", second(MeanOf(nil)), ErrTooFew},
		{"hodges none", second(HodgesLehmann(nil)), ErrTooFew},
		{"hodges infinite", second(HodgesLehmann([]float64{inf})), ErrNotFinite},
		{"shift none", second(HodgesShift([]float64{1}, nil)), ErrTooFew},
		{"signed NaN", second(SignedRank([]float64{nan})), ErrNotFinite},
		{"rank sum none", second(RankSum(nil, []float64{1})), ErrTooFew},
		{"summary none", second(Summarise(nil)), ErrTooFew},
		{"trend two", second(Trend([]float64{1, 2})), ErrTooFew},
		{"drift two", second(Drift([]float64{1, 2})), ErrTooFew},
		{"position NaN", second(PositionEffect([]Cell{{Value: nan}})), ErrNotFinite},
		{"position fixed", second(PositionEffect([]Cell{{0, 0, 0, 1}, {0, 1, 1, 2}, {1, 0, 0, 1}, {1, 1, 1, 2}})), ErrConfounded},
		{"position few", second(PositionEffect([]Cell{{0, 0, 0, 1}, {0, 1, 1, 2}, {1, 0, 1, 1}, {1, 1, 0, 2}})), ErrTooFew},
		{"position none", second(PositionEffect(nil)), ErrConfounded},
	}
	for _, c := range tests {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
}

// TestRatiosBeyondRange: a ratio too large for a float64 has a logarithm all the
// same.
func TestRatiosBeyondRange(t *testing.T) {
	d, err := LogRatios([]float64{1e300, 3}, []float64{1e-300, 3})
	if err != nil || math.Abs(d[0]-600*math.Ln10) > 1e-9 || d[1] != 0 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestConstantSample(t *testing.T) {
	x := math.Log(1.1)
	e := must[Estimate](t)(Paired([]float64{x, x, x}))
	if e.SD != 0 || e.Mean != x || e.P(0) != 0 || e.P(x) != 1 || e.Interval(0.95) != (Interval{x, x, 0.95}) {
		t.Errorf("%+v, p %v", e, e.P(0))
	}
	if p := e.Equivalence(-1, 1); p != 0 {
		t.Errorf("equivalence %v", p)
	}
	if r := must[RankTest](t)(SignedRank([]float64{0, 0})); r.P != 1 || r.N != 0 {
		t.Errorf("zeros: %+v", r)
	}
	if c := must[Correlation](t)(Drift([]float64{2, 2, 2})); c.Tau != 0 || c.P != 1 {
		t.Errorf("constant: %+v", c)
	}
	if c := must[Correlation](t)(Drift([]float64{1, 2, 3, 4})); c.Tau != 1 || math.Abs(c.P-2.0/24) > 1e-15 {
		t.Errorf("rising: %+v", c)
	}
	if e := must[Estimate](t)(Trend([]float64{2, 2, 2})); e.Mean != 0 || e.P(0) != 1 {
		t.Errorf("level: %+v", e)
	}
}

func TestInterval(t *testing.T) {
	var none Interval
	if !none.Absent() || none.Excludes(0) || none.Within(-1, 1) || none.Exp() != none {
		t.Error("an absent interval says something")
	}
	i := Interval{-0.1, 0.2, 0.9}
	if i.Excludes(-0.1) || i.Excludes(0) || !i.Excludes(0.3) || !i.Excludes(-0.2) || i.Within(-0.1, 1) || !i.Within(-0.2, 0.3) {
		t.Error("ends")
	}
	if e := i.Exp(); e.Low != math.Exp(-0.1) || e.High != math.Exp(0.2) || e.Level != 0.9 {
		t.Error(e)
	}
}

// TestHolmOrder: the family's order changes nothing, adjusted p values are never
// below the raw ones, and matching levels run from alpha/m to alpha.
func TestHolmOrder(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for range 200 {
		p := make([]float64, 1+r.IntN(9))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 4)
		}
		c := Holm(p, 0.05)
		turn := r.Perm(len(p))
		q := make([]float64, len(p))
		for i, j := range turn {
			q[i] = p[j]
		}
		d := Holm(q, 0.05)
		for i, j := range turn {
			if d.Adjusted[i] != c.Adjusted[j] || d.Alpha[i] != c.Alpha[j] || d.Rejected[i] != c.Rejected[j] {
				t.Fatalf("%v: order matters", p)
			}
			if c.Rejected[j] != (c.Adjusted[j] <= 0.05) || c.Rejected[j] != (p[j] <= c.Alpha[j]) {
				t.Fatalf("%v: %+v", p, c)
			}
			if c.Adjusted[j] < p[j] || c.Alpha[j] < Bonferroni(len(p), 0.05) || c.Alpha[j] > 0.05 {
				t.Fatalf("%v: %+v", p, c)
			}
		}
	}
	c := Holm([]float64{math.NaN(), 0.01}, 0.05)
	if c.Adjusted[0] != 1 || c.Rejected[0] || !c.Rejected[1] || c.Alpha[1] != 0.025 {
		t.Errorf("NaN: %+v", c)
	}
	if c := Holm(nil, 0.05); len(c.Adjusted) != 0 {
		t.Errorf("empty: %+v", c)
	}
}

func TestFewestAgainstCounting(t *testing.T) {
	for least := 2; least < 60; least++ {
		for _, guess := range []float64{-3, 0, 1, 7.5, 30, 59, 1e9, math.NaN(), math.Inf(1)} {
			got, ok := fewest(guess, 50, func(n int) bool {
				if n < 2 || n > 50 {
					t.Fatalf("asked for %d", n)
				}
				return n >= least
			})
			if want := least <= 50; ok != want || (ok && got != least) {
				t.Errorf("least %d, guess %v: %d, %v", least, guess, got, ok)
			}
		}
	}
}

func TestPairsReachThePower(t *testing.T) {
	for _, ratio := range []float64{0.1, 0.5, 1, 3} {
		for _, alpha := range []float64{0.05, 0.001} {
			n, ok := DifferencePairs(ratio, 1, alpha, 0.8, 100000)
			if !ok || DifferencePower(n, ratio, 1, alpha) < 0.8 || (n > 2 && DifferencePower(n-1, ratio, 1, alpha) >= 0.8) {
				t.Errorf("difference %v, alpha %v: %d, %v", ratio, alpha, n, ok)
			}
			n, ok = EquivalencePairs(ratio, 1, alpha, 0.8, 100000)
			if !ok || EquivalencePower(n, ratio, 0, 1, alpha) < 0.8 || (n > 2 && EquivalencePower(n-1, ratio, 0, 1, alpha) >= 0.8) {
				t.Errorf("equivalence %v, alpha %v: %d, %v", ratio, alpha, n, ok)
			}
		}
	}
	if n, ok := DifferencePairs(1e-9, 1, 0.05, 0.8, 1000); ok {
		t.Errorf("a hopeless case: %d", n)
	}
	if n, ok := DifferencePairs(0, 1, 0.05, 0.8, 1000); ok {
		t.Errorf("no effect: %d", n)
	}
}

func TestSequentialIsConsistent(t *testing.T) {
	r := seeded(t, rand.Uint64())
	var s Sequential
	if s.P(0) != 1 || !s.Interval(0.95).Absent() || s.Settled(0.95, 1) {
		t.Error("the zero value knows something")
	}
	var d []float64
	for n := 1; n <= 200; n++ {
		x := r.NormFloat64() + 0.3
		d = append(d, x)
		s.Add(x)
		if i := s.Interval(0.95); !i.Absent() {
			e := must[Estimate](t)(Paired(d))
			near(t, "mean", s.Mean(), e.Mean, 1e-9)
			near(t, "p at the low end", s.P(i.Low), 0.05, 1e-6)
			near(t, "p at the high end", s.P(i.High), 0.05, 1e-6)
			if student := e.Interval(0.95); student.Low < i.Low || student.High > i.High {
				t.Fatalf("n %d: narrower than Student's: %v, %v", n, i, student)
			}
			if i.Excludes(0) != (s.P(0) < 0.05) {
				t.Fatalf("n %d: %v, p %v", n, i, s.P(0))
			}
		}
	}
	if s.N() != 200 || s.Interval(0.95).Absent() {
		t.Error("no interval after 200")
	}
}

// TestSequentialIsAlwaysValid looks after every pair for 300 pairs: the share
// of series in which the rule is ever wrong stays within alpha, where
// Student's interval, looked at like that, is wrong in about a third.
func TestSequentialIsAlwaysValid(t *testing.T) {
	const series, pairs = 1000, 300
	r := seeded(t, 20240301)
	ever, fooled := 0, 0
	upper := make([]float64, pairs+1)
	for n := 2; n <= pairs; n++ {
		upper[n] = StudentUpper(0.025, float64(n-1))
	}
	for range series {
		var s Sequential
		wrong, student := false, false
		for n := 1; n <= pairs; n++ {
			s.Add(0.02 * r.NormFloat64())
			wrong = wrong || s.P(0) < 0.05
			if n > 1 {
				se := math.Sqrt(s.squares / float64(n*(n-1)))
				student = student || math.Abs(s.Mean()) > upper[n]*se
			}
		}
		if wrong {
			ever++
		}
		if student {
			fooled++
		}
	}
	if share := float64(ever) / series; share > 0.05 {
		t.Errorf("ever wrong in %v of the series", share)
	}
	if share := float64(fooled) / series; share < 0.25 {
		t.Errorf("Student's interval was ever wrong in %v of the series only: does this test look?", share)
	}
}

// TestPositionWithoutNoise: rounding is not taken for an effect.
func TestPositionWithoutNoise(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for range 50 {
		var cells []Cell
		scale := math.Exp(20 * r.Float64())
		for block := range 10 {
			for place, arm := range r.Perm(3) {
				cells = append(cells, Cell{Block: block, Arm: arm, Position: place, Value: scale * (1 + float64(arm)/7)})
			}
		}
		if p := must[PositionTest](t)(PositionEffect(cells)); p.P != 1 {
			t.Fatalf("scale %v: %+v", scale, p)
		}
	}
}

// TestPositionShift: a place that costs shows in its own figure.
func TestPositionShift(t *testing.T) {
	r := seeded(t, 3)
	var cells []Cell
	for block := range 12 {
		for place, arm := range r.Perm(3) {
			v := 5 + float64(block) + 2*float64(arm) + 0.01*r.NormFloat64()
			if place == 0 {
				v += 0.3
			}
			cells = append(cells, Cell{Block: block, Arm: arm, Position: place, Value: v})
		}
	}
	p := must[PositionTest](t)(PositionEffect(cells))
	if p.P > 1e-6 || p.Shift[0] < 0.1 || p.Shift[1] > 0 || p.Shift[2] > 0 {
		t.Errorf("%+v", p)
	}
	before := slices.Clone(cells)
	again := must[PositionTest](t)(PositionEffect(cells))
	if !slices.Equal(before, cells) || again.F != p.F {
		t.Error("not the same twice")
	}
}

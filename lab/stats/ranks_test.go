package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// seeded gives a generator and names its seed where the test fails.
func seeded(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0x5eed))
}

// coarse gives n values with many ties among them.
func coarse(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Round(r.NormFloat64()*4) / 4
	}
	return x
}

func fine(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// TestSumsAgainstSorting compares every order statistic with all sums sorted.
func TestSumsAgainstSorting(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for range 60 {
		draw := fine
		if r.IntN(2) == 0 {
			draw = coarse
		}
		u, v := draw(r, 1+r.IntN(40)), draw(r, 1+r.IntN(40))
		slices.Sort(u)
		slices.Sort(v)
		for _, s := range []sums{{u: u, v: v}, {u: u, v: u, half: true}} {
			var all []float64
			for i, x := range s.u {
				for j, y := range s.v {
					if !s.half || i <= j {
						all = append(all, x+y)
					}
				}
			}
			slices.Sort(all)
			if s.total() != len(all) {
				t.Fatalf("%d sums of %d", s.total(), len(all))
			}
			for k, want := range all {
				if got := s.kth(k); got != want {
					t.Fatalf("%d and %d values, half %v: sum %d is %v, not %v", len(s.u), len(s.v), s.half, k, got, want)
				}
			}
			if got, want := s.median(), Quantile(all, 0.5); math.Abs(got-want) > 1e-15 {
				t.Fatalf("median %v, not %v", got, want)
			}
		}
	}
}

// TestSignedRankAgainstAllSigns counts all 2^n choices of signs.
func TestSignedRankAgainstAllSigns(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for n := 1; n <= 11; n++ {
		for _, d := range [][]float64{fine(r, n), coarse(r, n)} {
			got := must[RankTest](t)(SignedRank(d))
			var sizes []float64
			for _, v := range d {
				if v != 0 {
					sizes = append(sizes, math.Abs(v))
				}
			}
			if len(sizes) == 0 {
				continue
			}
			low, high := 0, 0
			for signs := range 1 << len(sizes) {
				sum := 0.0
				for i, a := range sizes {
					if signs>>i&1 == 0 {
						continue
					}
					below, equal := 0, 0
					for _, b := range sizes {
						if b < a {
							below++
						} else if b == a {
							equal++
						}
					}
					sum += float64(below) + float64(equal+1)/2
				}
				if sum <= got.Statistic {
					low++
				}
				if sum >= got.Statistic {
					high++
				}
			}
			want := min(1, 2*float64(min(low, high))/float64(int(1)<<len(sizes)))
			if !got.Exact || got.N != len(sizes) || math.Abs(got.P-want) > 1e-12 {
				t.Errorf("%v: %+v, counting gives %v", d, got, want)
			}
		}
	}
}

// TestRankSumsAgainstAllChoices counts every way to choose which values are b's.
func TestRankSumsAgainstAllChoices(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for m := 1; m <= 6; m++ {
			count := make([]float64, n*m+1)
			ways := 0.0
			for mask := range uint(1) << (n + m) {
				if bits.OnesCount(mask) != n {
					continue
				}
				u, below := 0, 0
				for i := range n + m {
					if mask>>i&1 == 0 {
						below++
					} else {
						u += below
					}
				}
				count[u]++
				ways++
			}
			for u, p := range rankSums(n, m) {
				if math.Abs(p-count[u]/ways) > 1e-14 {
					t.Fatalf("%d and %d values: U %d has probability %v, counting gives %v", n, m, u, p, count[u]/ways)
				}
			}
		}
	}
}

// TestInversionsAgainstAllOrders counts every order of n values, and compares the
// approximation with the exact at the limit.
func TestInversionsAgainstAllOrders(t *testing.T) {
	for n := 2; n <= 8; n++ {
		count := make([]float64, n*(n-1)/2+1)
		orders := 0.0
		var place func(left []int, falling int)
		place = func(left []int, falling int) {
			if len(left) == 0 {
				count[falling]++
				orders++
				return
			}
			for i := range left { // the i smaller ones come later
				place(slices.Delete(slices.Clone(left), i, i+1), falling+i)
			}
		}
		place(make([]int, n), 0)
		for i, p := range inversions(n) {
			if math.Abs(p-count[i]/orders) > 1e-15 {
				t.Fatalf("n %d: %d falling pairs have probability %v, counting gives %v", n, i, p, count[i]/orders)
			}
		}
	}
	y := fine(seeded(t, 11), ExactTau)
	for i := range y {
		y[i] += 0.02 * float64(i)
	}
	exact := must[Correlation](t)(Drift(y))
	y = append(y, y[ExactTau-1]) // a tie, and one more than the limit
	if near := must[Correlation](t)(Drift(y)); !exact.Exact || near.Exact || math.Abs(exact.P-near.P) > 0.01 {
		t.Errorf("exactly %+v, approximately %+v", exact, near)
	}
}

func TestRankApproximationsMeetTheExact(t *testing.T) {
	r := seeded(t, 7)
	d := fine(r, ExactPairs)
	for i := range d {
		d[i] += 0.2
	}
	exact := must[RankTest](t)(SignedRank(d))
	n := float64(ExactPairs)
	if p := normalTwoSided(exact.Statistic-n*(n+1)/4, math.Sqrt(n*(n+1)*(2*n+1)/24)); math.Abs(p-exact.P) > 0.002 {
		t.Errorf("signed rank: approximately %v, exactly %v", p, exact.P)
	}
	sum := must[RankTest](t)(RankSum(d[:50], d[50:]))
	if p := normalTwoSided(sum.Statistic-1250, rankSumSigma(50, 50, 0)); math.Abs(p-sum.P) > 0.002 {
		t.Errorf("rank sum: approximately %v, exactly %v", p, sum.P)
	}
}

func TestHodgesNeedsEnough(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		n     int
	}{{0.05, 6}, {1 - 0.95, 6}, {0.05 / 20, 10}, {0.01, 8}, {0.5, 2}, {0.0625, 5}, {2, 1}} {
		if got := PairsNeeded(c.alpha); got != c.n {
			t.Errorf("alpha %v needs %d pairs, not %d", c.alpha, c.n, got)
		}
		d := make([]float64, c.n)
		for i := range d {
			d[i] = float64(i * i)
		}
		if c.alpha >= 1 {
			continue
		}
		if i := must[Hodges](t)(HodgesLehmann(d)).Interval(1 - c.alpha); i.Absent() || i.Low != d[0] || i.High < d[c.n-1]-1e-9 {
			t.Errorf("%d pairs, alpha %v: %v", c.n, c.alpha, i)
		}
		if i := must[Hodges](t)(HodgesLehmann(d[1:])).Interval(1 - c.alpha); !i.Absent() {
			t.Errorf("%d pairs, alpha %v: %v", c.n-1, c.alpha, i)
		}
	}
	if i := must[Hodges](t)(HodgesShift([]float64{1, 2}, []float64{3, 4})).Interval(0.95); !i.Absent() {
		t.Errorf("two and two: %v", i)
	}
}

// TestHodgesMovesWithTheData: shifting and scaling the differences does the
// same to estimate and interval, and swapping the arms turns them round.
func TestHodgesMovesWithTheData(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for _, n := range []int{6, 17, 40, 130} {
		d := coarse(r, n)
		moved, turned := make([]float64, n), make([]float64, n)
		for i, v := range d {
			moved[i], turned[i] = 2*v+8, -v
		}
		h, hm, ht := must[Hodges](t)(HodgesLehmann(d)), must[Hodges](t)(HodgesLehmann(moved)), must[Hodges](t)(HodgesLehmann(turned))
		i, im, it := h.Interval(0.95), hm.Interval(0.95), ht.Interval(0.95)
		if hm.Estimate() != 2*h.Estimate()+8 || im.Low != 2*i.Low+8 || im.High != 2*i.High+8 {
			t.Errorf("n %d moved: %v %v, %v %v", n, h.Estimate(), i, hm.Estimate(), im)
		}
		if ht.Estimate() != -h.Estimate() || it.Low != -i.High || it.High != -i.Low {
			t.Errorf("n %d turned: %v %v, %v %v", n, h.Estimate(), i, ht.Estimate(), it)
		}
	}
}

// TestRankIntervalMatchesTest: the interval excludes zero where the test of the
// same level rejects, both ways.
func TestRankIntervalMatchesTest(t *testing.T) {
	r := seeded(t, rand.Uint64())
	for range 300 {
		d := fine(r, 6+r.IntN(30))
		shift := r.NormFloat64() * 0.4
		for i := range d {
			d[i] += shift
		}
		p := must[RankTest](t)(SignedRank(d)).P
		if i := must[Hodges](t)(HodgesLehmann(d)).Interval(0.95); i.Excludes(0) != (p <= 0.05) {
			t.Errorf("n %d: p %v, interval %v", len(d), p, i)
		}
		half := len(d) / 2
		p = must[RankTest](t)(RankSum(d[:half], d[half:])).P
		if i := must[Hodges](t)(HodgesShift(d[:half], d[half:])).Interval(0.95); i.Excludes(0) != (p <= 0.05) {
			t.Errorf("%d and %d: p %v, interval %v", half, len(d)-half, p, i)
		}
	}
}

func BenchmarkHodgesLehmann(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{20, 100, 1000} {
		d := fine(r, n)
		b.Run("n="+itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h, _ := HodgesLehmann(d)
				h.Estimate()
				h.Interval(0.95)
			}
		})
	}
}

func BenchmarkRankSum(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := fine(r, 50), fine(r, 50)
	for b.Loop() {
		RankSum(x, y)
	}
}

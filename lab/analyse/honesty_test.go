package analyse

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"weft/lab/stats"
)

// The suite's simulations have a fixed seed, so that they give the same figures
// every time. To look whether the seed was a lucky one:
//
//	go test ./lab/analyse -run Honest -v -honesty.seed 0 -honesty.times 5
var (
	honestySeed  = flag.Uint64("honesty.seed", 1, "seed of the simulations; 0 draws a fresh one")
	honestyTimes = flag.Float64("honesty.times", 1, "how many times as many simulations")
)

// simulate runs n simulations, fewer under the race detector, and gives how many
// it ran.
func simulate(t *testing.T, n int, once func(r *rand.Rand)) int {
	t.Helper()
	seed := *honestySeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("-honesty.seed %d", seed)
		}
	})
	n = max(50, int(float64(n)**honestyTimes)/thin)
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		once(r)
	}
	return n
}

// share holds a share of n simulations against bounds. With fewer than full, the
// bounds give way by three standard errors of what fewer can tell.
func share(t *testing.T, what string, hits, n int, low, high float64, full int) {
	t.Helper()
	slack := 0.0
	if n < full {
		slack = 3 * math.Sqrt(0.05*0.95/float64(n))
	}
	got := float64(hits) / float64(n)
	t.Logf("%s: %.2f %% of %d", what, 100*got, n)
	if got < low-slack || got > high+slack {
		t.Errorf("%s: %.2f %%, not within %.1f and %.1f %%", what, 100*got, 100*low, 100*high)
	}
}

// atMost holds an error rate against its bound, three standard errors on top: the
// true rate is often the bound itself.
func atMost(t *testing.T, what string, hits, n int, bound float64) {
	t.Helper()
	got := float64(hits) / float64(n)
	t.Logf("%s: %.2f %% of %d", what, 100*got, n)
	if got > bound+3*math.Sqrt(bound*(1-bound)/float64(n)) {
		t.Errorf("%s: %.2f %%, over %.1f %%", what, 100*got, 100*bound)
	}
}

// atLeast holds a rate of right answers against its bound.
func atLeast(t *testing.T, what string, hits, n int, bound float64) {
	t.Helper()
	got := float64(hits) / float64(n)
	t.Logf("%s: %.2f %% of %d", what, 100*got, n)
	if got < bound {
		t.Errorf("%s: %.2f %%, under %.1f %%", what, 100*got, 100*bound)
	}
}

func only(in Input) Comparison { return Analyse(in).Series[0].Comparisons[0] }

// TestHonestCoverage counts how often each of the two intervals, both of level 95
// %, holds the true ratio, with 20 pairs and B slower by 3 %.
func TestHonestCoverage(t *testing.T) {
	t.Parallel()
	const blocks, effect, full = 20, 0.03, 2000
	for _, c := range []struct {
		name      string
		machine   machine
		low, high float64
	}{
		{"Gaussian", quiet, 0.935, 0.965},
		{"tail", tailed, 0.94, 1},
		{"drift", drifted, 0.935, 0.97},
		{"order", ordered, 0.935, 1}, // the order cancels in the mean and stays in the noise
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mean, middle := 0, 0
			n := simulate(t, full, func(r *rand.Rand) {
				got := only(c.machine.experiment(r, blocks, 1, effect))
				if !got.T.Interval.Excludes(1 + effect) {
					mean++
				}
				if !got.HL.Interval.Excludes(1 + effect) {
					middle++
				}
			})
			share(t, "t interval", mean, n, c.low, c.high, full)
			share(t, "Hodges-Lehmann interval", middle, n, c.low, c.high, full)
		})
	}
}

// TestHonestFamily counts experiments of two equal programs with 20 primary
// metrics in which anything is called different, and those in which a warning is
// given for nothing.
func TestHonestFamily(t *testing.T) {
	t.Parallel()
	alike := quiet
	alike.shared = 0.8
	for _, c := range []struct {
		name    string
		machine machine
		times   int
	}{
		{"independent", quiet, 300},
		{"alike", alike, 100},
		{"tail", tailed, 200},
		{"drift", drifted, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wrong := 0
			warned := map[string]int{}
			n := simulate(t, c.times, func(r *rand.Rand) {
				series := Analyse(c.machine.experiment(r, 20, 20, 0)).Series[0]
				any := false
				for _, got := range series.Comparisons {
					any = any || got.Verdict != Equivalent && got.Verdict != Inconclusive
				}
				if any {
					wrong++
				}
				kinds := map[string]bool{}
				for _, w := range series.Warnings {
					kinds[w.Kind] = true
				}
				for kind := range kinds {
					warned[kind]++
				}
			})
			atMost(t, "experiments with a false verdict", wrong, n, 0.05)
			atMost(t, "experiments with a false warning of noise", warned["noise"], n, 0.05)
			atMost(t, "experiments with a false warning of a drifting ratio", warned[string(RatioDrift)], n, 0.05)
			if c.machine.drift == 0 {
				atMost(t, "experiments with a false warning of drift", warned[string(BaselineDrift)], n, 0.05)
				atMost(t, "experiments with a false warning of order", warned[string(OrderEffect)], n, 0.05)
			} else {
				atLeast(t, "experiments with a true warning of drift", warned[string(BaselineDrift)], n, 0.95)
			}
		})
	}
}

// TestHonestPower compares how often a difference is found with theory, where
// noise is Gaussian, and with R's simulation (testdata/power.R), where there is a
// tail.
func TestHonestPower(t *testing.T) {
	t.Parallel()
	const times = 1000
	found := func(t *testing.T, m machine, blocks int, effect float64) (hits, n int) {
		n = simulate(t, times, func(r *rand.Rand) {
			if only(m.experiment(r, blocks, 1, effect)).Significant {
				hits++
			}
		})
		return hits, n
	}
	for _, c := range []struct {
		blocks int
		effect float64
	}{{10, 0.02}, {10, 0.03}, {20, 0.01}, {20, 0.02}, {30, 0.015}} {
		hits, n := found(t, quiet, c.blocks, c.effect)
		theory := stats.DifferencePower(c.blocks, math.Log1p(c.effect), 0.02*math.Sqrt2, 0.05)
		share(t, fmt.Sprintf("Gaussian, %d blocks, %v, theory %.3f", c.blocks, c.effect, theory), hits, n, theory-0.05, theory+0.05, times)
	}
	file, err := os.Open("testdata/power.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := 0
	for in := bufio.NewScanner(file); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		var blocks int
		var effect, power float64
		if _, err := fmt.Sscan(in.Text(), &blocks, &effect, &power); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		lines++
		hits, n := found(t, tailed, blocks, effect)
		share(t, fmt.Sprintf("tail, %d blocks, %v, R %.3f", blocks, effect, power), hits, n, power-0.05, power+0.05, times)
	}
	if lines != 6 {
		t.Errorf("%d lines of R", lines)
	}
}

// TestHonestSlowdowns: programs slower by 1, 3 and 10 % are called rightly where
// theory gives a power of 99 % or more.
func TestHonestSlowdowns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		effect, minimum float64
		verdict         Verdict
	}{
		{0.01, 0.005, Slower},
		{0.01, 0.02, Equivalent}, // and significant: real, and shown to be smaller than 2 %
		{0.03, 0.02, Slower},
		{0.10, 0.02, Slower},
	} {
		effect, sd := math.Log1p(c.effect), 0.02*math.Sqrt2
		blocks, _ := stats.DifferencePairs(effect, sd, 0.05, 0.99, 1000)
		blocks = max(10, blocks+blocks%2)
		hits := 0
		n := simulate(t, 300, func(r *rand.Rand) {
			in := quiet.experiment(r, blocks, 1, c.effect)
			in.MinEffect = c.minimum
			if got := only(in); got.Verdict == c.verdict && got.Significant {
				hits++
			}
		})
		atLeast(t, fmt.Sprintf("%v %% with a minimum of %v %%, %d blocks: %s", 100*c.effect, 100*c.minimum, blocks, c.verdict), hits, n, 0.95)
	}
}

// TestHonestEquivalence: a program that is slower by exactly the minimum effect
// is hardly ever called equivalent, and one that is equal is as often as theory
// says.
func TestHonestEquivalence(t *testing.T) {
	t.Parallel()
	const blocks, full = 30, 1000
	called := func(effect float64) (hits, n int) {
		n = simulate(t, full, func(r *rand.Rand) {
			if only(quiet.experiment(r, blocks, 1, effect)).Verdict == Equivalent {
				hits++
			}
		})
		return hits, n
	}
	hits, n := called(0.02)
	atMost(t, "called equivalent with a difference of 2 %", hits, n, 0.05)
	hits, n = called(0)
	power := stats.EquivalencePower(blocks, math.Log1p(0.02), 0, 0.02*math.Sqrt2, 0.05)
	share(t, fmt.Sprintf("called equivalent when equal, theory %.3f", power), hits, n, power-0.05, power+0.05, full)
}

// TestHonestAdvice: an experiment of as many blocks as the advice says settles
// the question as often as was asked, whether there is a difference of the
// minimum effect or none.
func TestHonestAdvice(t *testing.T) {
	t.Parallel()
	in := quiet.experiment(rand.New(rand.NewPCG(5, 5)), 10, 1, 0.01)
	first := only(in)
	if first.Verdict != Inconclusive || first.Advice == nil {
		t.Fatalf("%s, %+v", first.Words(), first.Advice)
	}
	for _, effect := range []float64{0, 0.02} {
		hits := 0
		n := simulate(t, 400, func(r *rand.Rand) {
			if only(quiet.experiment(r, first.Advice.Blocks, 1, effect)).Verdict != Inconclusive {
				hits++
			}
		})
		atLeast(t, fmt.Sprintf("settled by %d blocks, difference %v", first.Advice.Blocks, effect), hits, n, 0.75)
	}
}

// TestHonestCounts: page faults that are often zero are compared by differences,
// and the intervals hold the true one; programs with equally many are hardly ever
// called different.
func TestHonestCounts(t *testing.T) {
	t.Parallel()
	const blocks, full = 20, 1000
	for _, extra := range []float64{0, 1} {
		mean, middle, wrong := 0, 0, 0
		n := simulate(t, full, func(r *rand.Rand) {
			in := quiet.experiment(r, blocks, 1, 0)
			for _, run := range in.Runs {
				rate := 1.5
				if run.Arm == "B" {
					rate += extra
				}
				run.Values["ma"] = poisson(r, rate)
			}
			got := only(in)
			if got.Scale != Difference {
				t.Fatal("by ratios")
			}
			if !got.T.Interval.Excludes(extra) {
				mean++
			}
			if !got.HL.Interval.Excludes(extra) {
				middle++
			}
			if got.Significant {
				wrong++
			}
		})
		share(t, fmt.Sprintf("t interval, difference %v", extra), mean, n, 0.935, 0.975, full)
		share(t, fmt.Sprintf("Hodges-Lehmann interval, difference %v", extra), middle, n, 0.935, 1, full)
		if extra == 0 {
			atMost(t, "false verdicts", wrong, n, 0.05)
		}
	}
}

// poisson draws a count by multiplying until the product is small.
func poisson(r *rand.Rand, rate float64) float64 {
	count, product := 0.0, r.Float64()
	for product > math.Exp(-rate) {
		count++
		product *= r.Float64()
	}
	return count
}

// TestHonestUnpaired: without pairs the intervals hold as well, also where the
// arms differ in number.
func TestHonestUnpaired(t *testing.T) {
	t.Parallel()
	const effect, full = 0.03, 1000
	for _, m := range []machine{quiet, tailed} {
		mean, middle := 0, 0
		n := simulate(t, full, func(r *rand.Rand) {
			in := m.experiment(r, 20, 1, effect)
			in.Design = Unpaired
			for i := range in.Runs {
				in.Runs[i].Failed = in.Runs[i].Arm == "B" && in.Runs[i].Block%3 == 0
			}
			got := only(in)
			if got.N != 13 || got.BaselineValues.N != 20 {
				t.Fatalf("%d and %d", got.N, got.BaselineValues.N)
			}
			if !got.T.Interval.Excludes(1 + effect) {
				mean++
			}
			if !got.HL.Interval.Excludes(1 + effect) {
				middle++
			}
		})
		high := 0.965
		if m.tail > 0 {
			high = 1
		}
		share(t, fmt.Sprintf("t interval, %v slow", m.tail), mean, n, 0.93, high, full)
		share(t, fmt.Sprintf("Hodges-Lehmann interval, %v slow", m.tail), middle, n, 0.935, 0.975, full)
	}
}

// TestHonestStopping: stopping as soon as the rule allows, with the look after
// every block from the fourth on, is wrong about equal programs in at most 5 %.
func TestHonestStopping(t *testing.T) {
	t.Parallel()
	const most = 60
	wrong, soon := 0, 0
	stop := func(r *rand.Rand, effect float64) (Comparison, int) {
		in := quiet.experiment(r, most, 1, effect)
		in.Design = Sequential
		all := in.Runs
		for blocks := 4; ; blocks++ {
			in.Runs = all[:blocks*len(arms)]
			if got := only(in); got.Verdict != Inconclusive || blocks == most {
				return got, blocks
			}
		}
	}
	n := simulate(t, 150, func(r *rand.Rand) {
		if got, _ := stop(r, 0); got.Verdict == Faster || got.Verdict == Slower {
			wrong++
		}
		if got, blocks := stop(r, 0.10); got.Verdict == Slower && blocks < 15 {
			soon++
		}
	})
	atMost(t, "false verdicts", wrong, n, 0.05)
	atLeast(t, "10 % found within 15 blocks", soon, n, 0.95)
}

// TestHonestOrder: an effect of the first place is noticed.
func TestHonestOrder(t *testing.T) {
	t.Parallel()
	hits := 0
	n := simulate(t, 200, func(r *rand.Rand) {
		for _, w := range Analyse(ordered.experiment(r, 30, 1, 0)).Series[0].Warnings {
			if w.Kind == string(OrderEffect) {
				hits++
			}
		}
	})
	atLeast(t, "2 % in the first place noticed", hits, n, 0.9)
}

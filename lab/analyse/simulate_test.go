package analyse

import (
	"math"
	"math/rand/v2"
)

// machine is a simulated computer that runs programs.
type machine struct {
	noise    float64 // standard deviation of the log of a run's time
	tail     float64 // share of slow runs
	slowness float64 // mean of the exponential factor by which they are slower
	drift    float64 // log change from the first run to the last
	first    float64 // log cost of the first place in a block
	shared   float64 // share of the noise's variance that all metrics have in common
}

// Machines of the honesty tests: 2 % noise throughout.
var (
	quiet   = machine{noise: 0.02}
	tailed  = machine{noise: 0.02, tail: 0.05, slowness: 0.3}
	drifted = machine{noise: 0.02, drift: math.Log(1.10)}
	ordered = machine{noise: 0.02, first: math.Log(1.02)}
)

// arms of every simulated experiment.
var arms = []string{"A", "A'", "B"}

// experiment runs so many blocks of A, A' and B on a machine, where B takes
// (1+effect) times as long, and gives the input for their analysis. Within three
// blocks every arm has every place once.
func (m machine) experiment(r *rand.Rand, blocks, metrics int, effect float64) Input {
	in := Input{Baseline: "A", Repeat: "A'", Candidates: []string{"B"}}
	for k := range metrics {
		in.Metrics = append(in.Metrics, Metric{Name: metricName(k), Primary: true, Time: true})
	}
	in.Runs = make([]Run, 0, blocks*len(arms))
	var square [][]int
	for block := range blocks {
		if block%len(arms) == 0 {
			square = latin(r)
		}
		for place, arm := range square[block%len(arms)] {
			run := Run{Series: MainSeries, Workload: "w", Arm: arms[arm], Block: block, Position: place, Values: make(map[string]float64, metrics)}
			at := float64(len(in.Runs)) / float64(blocks*len(arms))
			common := r.NormFloat64()
			for k := range metrics {
				v := m.value(r, common, at, place)
				if arms[arm] == "B" {
					v *= 1 + effect
				}
				run.Values[metricName(k)] = v
			}
			in.Runs = append(in.Runs, run)
		}
	}
	return in
}

func metricName(k int) string { return "m" + string(rune('a'+k)) }

// value gives the time in nanoseconds of a run of a program of 0.1 s.
func (m machine) value(r *rand.Rand, common, at float64, place int) float64 {
	z := math.Sqrt(m.shared)*common + math.Sqrt(1-m.shared)*r.NormFloat64()
	v := m.noise*z + m.drift*at
	if place == 0 {
		v += m.first
	}
	v = 1e8 * math.Exp(v)
	if r.Float64() < m.tail {
		v *= 1 + m.slowness*r.ExpFloat64()
	}
	return v
}

// latin gives three orders of the arms in random order, each arm once in each
// place.
func latin(r *rand.Rand) [][]int {
	first, turn := r.Perm(len(arms)), 1+r.IntN(2)
	square := make([][]int, len(arms))
	for i, row := range r.Perm(len(arms)) {
		square[i] = make([]int, len(arms))
		for place := range arms {
			square[i][place] = first[(place+row*turn)%len(arms)]
		}
	}
	return square
}

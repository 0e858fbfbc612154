// Package report makes a page of Markdown from samples: medians of every engine,
// weft against each, and the bars that weft is held to.
package report

import (
	"slices"

	"weft/bench/engines/sample"
)

// key is one engine on one workload at one parallelism.
type key struct {
	workload    string
	parallelism int
	engine      string
}

// results are samples by key and round.
type results struct {
	byKey map[key]map[int]sample.Sample
}

func collect(samples []sample.Sample) results {
	r := results{map[key]map[int]sample.Sample{}}
	for _, s := range samples {
		k := key{s.Workload, s.Parallelism, s.Engine}
		if r.byKey[k] == nil {
			r.byKey[k] = map[int]sample.Sample{}
		}
		r.byKey[k][s.Round] = s
	}
	return r
}

// rounds in which k was measured, in order.
func (r results) rounds(k key) []int {
	var rounds []int
	for round := range r.byKey[k] {
		rounds = append(rounds, round)
	}
	slices.Sort(rounds)
	return rounds
}

func (r results) values(k key, of func(sample.Sample) float64) []float64 {
	var xs []float64
	for _, round := range r.rounds(k) {
		xs = append(xs, of(r.byKey[k][round]))
	}
	return xs
}

func wall(s sample.Sample) float64    { return s.WallPerOp() }
func cpu(s sample.Sample) float64     { return s.CPUPerOp() }
func rss(s sample.Sample) float64     { return float64(s.MaxRSS) / (1 << 20) }
func threads(s sample.Sample) float64 { return float64(s.Threads) }

// comparison of one engine with a peer, by what is taken of their samples.
type comparison struct {
	subject, peer float64 // medians
	ofMedians     float64 // by combine
	paired        float64 // median over the rounds that both have
	low, high     float64 // its bootstrap interval
	pairs         int
}

func divide(a, b float64) float64   { return a / b }
func subtract(a, b float64) float64 { return a - b }

// compare gives ok false where no round has both.
func (r results) compare(subject, peer key, of func(sample.Sample) float64, combine func(a, b float64) float64) (c comparison, ok bool) {
	var pairs []float64
	for _, round := range r.rounds(subject) {
		if other, both := r.byKey[peer][round]; both {
			pairs = append(pairs, combine(of(r.byKey[subject][round]), of(other)))
		}
	}
	if len(pairs) == 0 {
		return c, false
	}
	c.subject, c.peer = median(r.values(subject, of)), median(r.values(peer, of))
	c.ofMedians, c.paired, c.pairs = combine(c.subject, c.peer), median(pairs), len(pairs)
	c.low, c.high = interval(pairs)
	return c, true
}

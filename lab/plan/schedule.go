package plan

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Padding is by how much a series changes where things lie in memory. Measured
// times depend on the size of the environment and of paths (Mytkowicz et al.,
// "Producing wrong data without doing anything obviously wrong", ASPLOS 2009);
// an effect that changes from one series to the next is not the program's.
type Padding struct {
	EnvBytes int // length of an added environment variable; 0 adds none
	PathDots int // how often "./" is put into the program's path
}

// Step is one run.
type Step struct {
	Series   string
	Block    int // from 0
	Position int // place within the block, among the runs of its cell, from 0
	Arm      string
	Cell     int // index into [Plan.Cells]
	Padding  Padding
	// Memory asks for a run whose memory is polled and whose time does not count.
	Memory bool
}

// Schedule lists the runs of a plan in order: warm-ups, the main series of so
// many blocks, each confirmation, memory runs. It depends on the plan and its
// seed alone. The warm-ups do not depend on blocks, so that the number of
// blocks may be decided when they are done.
//
// In each block every cell comes once, in random order, and in it every arm
// runs once. Over the blocks of a series each arm stands equally often in each
// place, as far as the number of blocks is divisible.
func Schedule(p *Plan, blocks int) []Step {
	cells := len(p.Cells())
	steps := p.series(SeriesWarmup, cells, p.Warmups, false)
	steps = append(steps, p.series(SeriesMain, cells, blocks, false)...)
	for i := 1; i <= p.Confirmations; i++ {
		steps = append(steps, p.series(ConfirmationName(i), cells, blocks, false)...)
	}
	return append(steps, p.series(SeriesMemory, cells, p.MemoryRuns, true)...)
}

// ConfirmationName is the series of the i-th confirmation, from 1.
func ConfirmationName(i int) string { return fmt.Sprintf("confirm-%d", i) }

// series gives the runs of one. The seed of its choices is the plan's together
// with its name.
func (p *Plan) series(name string, cells, blocks int, memory bool) []Step {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(p.Seed, h.Sum64()))
	arms := p.ArmNames()
	padding := Padding{}
	if bytes, dots := 16*r.IntN(256), r.IntN(32); p.Padding {
		padding = Padding{EnvBytes: bytes, PathDots: dots}
	}
	orders := make([][][]int, cells)
	for c := range orders {
		orders[c] = balanced(r, len(arms), blocks)
	}
	var steps []Step
	for b := range blocks {
		for _, c := range r.Perm(cells) {
			for place, arm := range orders[c][b] {
				steps = append(steps, Step{Series: name, Block: b, Position: place, Arm: arms[arm], Cell: c, Padding: padding, Memory: memory})
			}
		}
	}
	if p.Order == Shuffled {
		r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		renumber(steps)
	}
	return steps
}

// renumber makes the block the number of the repetition, in the order of the
// runs, and the place the same for all.
func renumber(steps []Step) {
	type key struct {
		arm  string
		cell int
	}
	seen := map[key]int{}
	for i := range steps {
		k := key{steps[i].Arm, steps[i].Cell}
		steps[i].Block, steps[i].Position = seen[k], 0
		seen[k]++
	}
}

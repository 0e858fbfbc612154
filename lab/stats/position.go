package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Cell is one run as [PositionEffect] sees it: the block it was in, the arm
// that ran, the place within the block (numbers of any kind; equal means the
// same), and what was measured, on the log scale as a rule.
type Cell struct {
	Block, Arm, Position int
	Value                float64
}

// PositionTest says whether the place within a block mattered.
type PositionTest struct {
	F   float64 `json:"f"`
	DF1 float64 `json:"df1"` // of the places
	DF2 float64 `json:"df2"` // of the noise
	P   float64 `json:"p"`
	// Shift is, for each place in rising order, how far its runs lie on average
	// from what block and arm lead one to expect.
	Shift []float64 `json:"shift"`
}

// PositionEffect tests "the place within the block does not matter" by the F
// test of the linear model value = block + arm + place + noise against the one
// without places. The design may be unbalanced and incomplete. It fails with
// [ErrConfounded] where every arm keeps its place, [ErrTooFew] where nothing is
// left to tell the noise from, and [ErrNotFinite].
func PositionEffect(cells []Cell) (PositionTest, error) {
	for i, c := range cells {
		if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
			return PositionTest{}, fmt.Errorf("position effect: %w: run %d is %v", ErrNotFinite, i, c.Value)
		}
	}
	blocks := levels(cells, func(c Cell) int { return c.Block })
	arms := levels(cells, func(c Cell) int { return c.Arm })
	places := levels(cells, func(c Cell) int { return c.Position })

	y := make([]float64, len(cells))
	for i, c := range cells {
		y[i] = c.Value
	}
	rounding := 1e-22 * dot(y, y) // less than this is no noise but arithmetic
	within := centring(cells, len(blocks), blocks)
	within(y)
	var span basis
	for _, arm := range slices.Sorted(maps.Keys(arms)) {
		span.add(indicator(cells, func(c Cell) bool { return c.Arm == arm }), within)
	}
	span.remove(y)
	before, armCount := dot(y, y), len(span)
	test := PositionTest{Shift: make([]float64, len(places))}
	counts := make([]float64, len(places))
	for i, c := range cells {
		place := places[c.Position]
		test.Shift[place] += y[i]
		counts[place]++
	}
	for place := range counts {
		test.Shift[place] /= counts[place]
	}
	for _, place := range slices.Sorted(maps.Keys(places)) {
		span.add(indicator(cells, func(c Cell) bool { return c.Position == place }), within)
	}
	span.remove(y)
	after := dot(y, y)
	test.DF1 = float64(len(span) - armCount)
	test.DF2 = float64(len(cells) - len(blocks) - len(span))
	if test.DF1 == 0 {
		return PositionTest{}, fmt.Errorf("position effect: %w: place and arm", ErrConfounded)
	}
	if test.DF2 < 1 {
		return PositionTest{}, fmt.Errorf("position effect: %w: %d runs", ErrTooFew, len(cells))
	}
	test.P = 1
	if gained := before - after; gained > rounding {
		test.F = gained / test.DF1 / (after / test.DF2)
		test.P = FTail(test.F, test.DF1, test.DF2)
	}
	return test, nil
}

// levels numbers the values of a factor in rising order.
func levels(cells []Cell, of func(Cell) int) map[int]int {
	seen := map[int]int{}
	for _, c := range cells {
		seen[of(c)] = 0
	}
	for rank, v := range slices.Sorted(maps.Keys(seen)) {
		seen[v] = rank
	}
	return seen
}

// centring gives the function that subtracts from each value the mean of its
// block, so that blocks are out of the model.
func centring(cells []Cell, n int, blocks map[int]int) func([]float64) {
	block := make([]int, len(cells))
	size := make([]float64, n)
	for i, c := range cells {
		block[i] = blocks[c.Block]
		size[block[i]]++
	}
	return func(x []float64) {
		sum := make([]float64, n)
		for i, v := range x {
			sum[block[i]] += v
		}
		for i := range x {
			x[i] -= sum[block[i]] / size[block[i]]
		}
	}
}

func indicator(cells []Cell, is func(Cell) bool) []float64 {
	x := make([]float64, len(cells))
	for i, c := range cells {
		if is(c) {
			x[i] = 1
		}
	}
	return x
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// basis is a set of orthonormal columns.
type basis [][]float64

// add takes in what is new in a column, if anything is.
func (b *basis) add(x []float64, within func([]float64)) {
	whole := math.Sqrt(dot(x, x))
	within(x)
	b.remove(x)
	b.remove(x) // twice, against rounding
	length := math.Sqrt(dot(x, x))
	if length <= 1e-8*whole {
		return
	}
	for i := range x {
		x[i] /= length
	}
	*b = append(*b, x)
}

// remove subtracts from a column what the basis can express.
func (b basis) remove(x []float64) {
	for _, q := range b {
		by := dot(q, x)
		for i := range x {
			x[i] -= by * q[i]
		}
	}
}

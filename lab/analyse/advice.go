package analyse

import "weft/lab/stats"

// MostBlocks is the number of blocks beyond which an [Advice] gives up.
const MostBlocks = 100_000

// advise plans an experiment that would settle what this one left open, at the
// error of Holm's first step, since nobody knows which step it will be. It
// gives nil where there is no minimum effect to plan for, or no noise.
func advise(x *trial, in Input, alpha float64) *Advice {
	if x.margin == 0 || x.SD == 0 {
		return nil
	}
	a := &Advice{PowerNow: stats.DifferencePower(x.N, x.margin, x.SD, alpha)}
	difference, okD := stats.DifferencePairs(x.margin, x.SD, alpha, in.Power, MostBlocks)
	equivalence, okE := stats.EquivalencePairs(x.margin, x.SD, alpha, in.Power, MostBlocks)
	if okD {
		a.Difference = difference
	}
	if okE {
		a.Equivalence = equivalence
	}
	if blocks := max(difference, equivalence, 2*x.N); okD && okE && blocks <= MostBlocks {
		a.Blocks = blocks + blocks%2
	}
	return a
}

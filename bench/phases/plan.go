package main

import (
	"math/rand/v2"

	"weft/bench/internal/peer"
)

// cell is one thing to measure.
type cell struct {
	tool  peer.Tool
	phase peer.Phase
}

// plan lays out the rounds: every cell once in each, in an order drawn anew
// for each round. One seed always gives one plan.
func plan(tools []peer.Tool, phases []peer.Phase, rounds int, seed uint64) [][]cell {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([][]cell, rounds)
	for i := range out {
		for _, p := range phases {
			for _, t := range tools {
				out[i] = append(out[i], cell{t, p})
			}
		}
		rng.Shuffle(len(out[i]), func(a, b int) { out[i][a], out[i][b] = out[i][b], out[i][a] })
	}
	return out
}

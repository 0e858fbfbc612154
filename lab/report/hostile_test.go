package report

import (
	"math/rand/v2"

	"weft/lab/analyse"
)

// analyseInput is a small experiment of d's arms, whatever they are called.
func analyseInput(d Data) analyse.Input {
	in := analyse.Input{
		Baseline: d.Baseline, Repeat: d.Repeat, Candidates: d.Candidates,
		Metrics: []analyse.Metric{{Name: "wall_ns", Primary: true, Time: true}, {Name: "m:" + hostile}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for block := range 8 {
		for place, arm := range append([]string{d.Baseline}, d.Candidates...) {
			in.Runs = append(in.Runs, analyse.Run{
				Series: "main", Workload: "w" + hostile, Arm: arm, Block: block, Position: place,
				Values: map[string]float64{"wall_ns": 1e6 + 1e4*r.Float64(), "m:" + hostile: 5 + r.Float64()},
			})
		}
	}
	return in
}

func analyseOf(in analyse.Input) analyse.Result { return analyse.Analyse(in) }

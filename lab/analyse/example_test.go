package analyse_test

import (
	"fmt"

	"weft/lab/analyse"
)

// Ten blocks of an old program and a new one.
func ExampleAnalyse() {
	old := []float64{101, 103, 99, 100, 104, 102, 98, 101, 100, 102}
	new := []float64{96, 95, 94, 97, 98, 95, 94, 95, 96, 97}
	in := analyse.Input{
		Baseline:   "old",
		Candidates: []string{"new"},
		Metrics:    []analyse.Metric{{Name: "wall_ms", Primary: true, Time: true}},
	}
	for block := range old {
		for place, arm := range []string{"old", "new"} {
			in.Runs = append(in.Runs, analyse.Run{
				Series: "main", Workload: "start", Arm: arm, Block: block, Position: (block + place) % 2,
				Values: map[string]float64{"wall_ms": [][]float64{old, new}[place][block]},
			})
		}
	}
	c := analyse.Analyse(in).Series[0].Comparisons[0]
	fmt.Printf("%s: %.3f, %.0f %% interval %.3f to %.3f, n = %d\n",
		c.Words(), c.T.Value, 100*c.T.Adjusted.Level, c.T.Adjusted.Low, c.T.Adjusted.High, c.N)
	// Output: faster: 0.948, 95 % interval 0.938 to 0.958, n = 10
}

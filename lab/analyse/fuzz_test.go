package analyse

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// FuzzAnalyse gives whatever values a file may hold: there is a result, and JSON
// can hold it.
func FuzzAnalyse(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add(words(1, 2, 3, 4, 5, 6, 7, 8), uint8(1))
	f.Add(words(0, 0, 0, 0, math.Inf(1), math.NaN(), -1, 1e300), uint8(2))
	f.Add(words(1e60, -1e60, 1e-300, 5e-324, 1e60, 1e-60, 1e59, 1), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		in := Input{
			Baseline: "A", Repeat: "A'", Candidates: []string{"B"},
			Metrics: []Metric{{Name: "m", Primary: true}, {Name: "k", Scale: Difference, MinDifference: 1}},
			Design:  []Design{Paired, Sequential, Unpaired}[kind%3],
		}
		for i := 0; len(data) >= 8 && i < 300; i++ {
			v := math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
			in.Runs = append(in.Runs, Run{
				Series: "main", Workload: []string{"v", "w"}[i/12%2], Arm: arms[i%3], Block: i / 3, Position: (i + i/3) % 3,
				Values: map[string]float64{"m": v, "k": v},
			})
		}
		if _, err := json.Marshal(Analyse(in)); err != nil {
			t.Fatal(err)
		}
	})
}

func words(x ...float64) []byte {
	var b []byte
	for range 9 {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// BenchmarkAnalyse analyses a thousand runs with twenty metrics.
func BenchmarkAnalyse(b *testing.B) {
	in := quiet.experiment(rand.New(rand.NewPCG(1, 1)), 333, 20, 0.001)
	b.ReportAllocs()
	for b.Loop() {
		Analyse(in)
	}
}

package experiment

import (
	"errors"
	"slices"
	"testing"

	"weft/lab/analyse"
	"weft/lab/plan"
)

func TestGate(t *testing.T) {
	result := analyse.Result{Series: []analyse.Series{
		{Name: "main", Comparisons: []analyse.Comparison{
			{Workload: "w", Candidate: "new", Metric: "wall_ns", Primary: true, Verdict: analyse.Slower, TailSensitive: true},
			{Workload: "w", Candidate: "new", Metric: "m:rate", Primary: true, Verdict: analyse.Worse},
			{Workload: "w", Candidate: "new", Metric: "user_ns", Verdict: analyse.Inconclusive},
		}},
		{Name: "confirm-1", Comparisons: []analyse.Comparison{{Metric: "wall_ns", Primary: true, Verdict: analyse.Faster}}},
	}}
	for _, tt := range []struct {
		words  []string
		caught int
	}{
		{nil, 0},
		{[]string{"slower"}, 1},
		{[]string{"slower", "worse"}, 2},
		{[]string{"regression"}, 2},
		{[]string{"tail-sensitive"}, 1},
		{[]string{"inconclusive"}, 0}, // not primary
		{[]string{"faster"}, 0},       // not the main series
	} {
		if got := Caught(tt.words, result); len(got) != tt.caught {
			t.Errorf("%v: %q, want %d", tt.words, got, tt.caught)
		}
		if err := CheckGate(tt.words); err != nil {
			t.Errorf("%v: %v", tt.words, err)
		}
	}
	for _, bad := range []string{"", "slow", "Slower", "slower "} {
		if err := CheckGate([]string{"slower", bad}); !errors.Is(err, ErrGate) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestGateWords: a gate, in a plan or on a command line, may name every verdict
// that there is.
func TestGateWords(t *testing.T) {
	words := []string{regression, tailSensitive}
	for _, v := range []analyse.Verdict{
		analyse.Slower, analyse.Faster, analyse.Worse, analyse.Better, analyse.Lower, analyse.Higher,
		analyse.Equivalent, analyse.Inconclusive, analyse.Absent,
	} {
		words = append(words, string(v))
	}
	slices.Sort(words)
	if got := slices.Sorted(slices.Values(plan.GateWords)); !slices.Equal(got, words) {
		t.Errorf("%v, want %v", got, words)
	}
}

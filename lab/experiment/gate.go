package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weft/lab/analyse"
	"weft/lab/plan"
)

// ErrGate means that a word is none of plan.GateWords.
var ErrGate = errors.New("experiment: no verdict")

// Words of a gate that are no verdict.
const (
	regression    = "regression"
	tailSensitive = "tail-sensitive"
)

// CheckGate fails with ErrGate at the first word that is none.
func CheckGate(words []string) error {
	for _, w := range words {
		if !slices.Contains(plan.GateWords, w) {
			return fmt.Errorf("%w %q; there are %s", ErrGate, w, strings.Join(plan.GateWords, ", "))
		}
	}
	return nil
}

// Caught lists the primary comparisons of the main series that a gate names,
// each in a few words. None means that the gate lets it pass.
func Caught(words []string, r analyse.Result) []string {
	var caught []string
	for _, s := range r.Series {
		if s.Name != analyse.MainSeries {
			continue
		}
		for _, c := range s.Comparisons {
			if c.Primary && names(words, c) {
				caught = append(caught, fmt.Sprintf("%s, %s, %s: %s", c.Workload, c.Candidate, c.Metric, c.Words()))
			}
		}
	}
	return caught
}

func names(words []string, c analyse.Comparison) bool {
	return slices.Contains(words, string(c.Verdict)) ||
		c.Verdict.Regression() && slices.Contains(words, regression) ||
		c.TailSensitive && slices.Contains(words, tailSensitive)
}

// Package difference counts what sets two installs apart, kind by kind.
package difference

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Difference is one thing that is not as it should be.
type Difference struct {
	// Kind groups differences that have one cause, such as "file mode".
	Kind string `json:"kind"`
	// Where is a path, a lockfile location, or a command.
	Where string `json:"where"`
	Want  string `json:"want,omitempty"`
	Got   string `json:"got,omitempty"`
}

// String says where, what was wanted and what was found.
func (d Difference) String() string {
	switch {
	case d.Want == "" && d.Got == "":
		return d.Where
	case d.Got == "":
		return fmt.Sprintf("%s: wanted %s", d.Where, brief(d.Want))
	case d.Want == "":
		return fmt.Sprintf("%s: found %s", d.Where, brief(d.Got))
	}
	return fmt.Sprintf("%s: wanted %s, found %s", d.Where, brief(d.Want), brief(d.Got))
}

func brief(s string) string {
	if len(s) > 160 {
		return s[:160] + "…"
	}
	return s
}

// Count gives the number of differences of each kind.
func Count(list []Difference) map[string]int {
	counts := map[string]int{}
	for _, d := range list {
		counts[d.Kind]++
	}
	return counts
}

// Print writes the kinds with their counts and the first examples of each; a
// negative number of examples prints all.
func Print(w io.Writer, list []Difference, examples int) {
	counts := Count(list)
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "%6d  %s\n", counts[kind], kind)
		shown := 0
		for _, d := range list {
			if d.Kind == kind && (examples < 0 || shown < examples) {
				fmt.Fprintf(w, "          %v\n", d)
				shown++
			}
		}
	}
}

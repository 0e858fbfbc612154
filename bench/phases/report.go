package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"weft/bench/internal/peer"
)

// spread is a median with its extremes.
type spread struct{ median, low, high float64 }

func newSpread(values []float64) spread {
	v := slices.Clone(values)
	slices.Sort(v)
	mid := v[len(v)/2]
	if len(v)%2 == 0 {
		mid = (v[len(v)/2-1] + v[len(v)/2]) / 2
	}
	return spread{mid, v[0], v[len(v)-1]}
}

func (s spread) String() string { return fmt.Sprintf("%.3f (%.3f-%.3f)", s.median, s.low, s.high) }

// report prints one table a phase: medians over the runs that succeeded, and
// the wall time's ratio to bun's and to npm's, paired by round.
func report(w io.Writer, samples []sample, tools []peer.Tool, phases []peer.Phase) error {
	for _, phase := range phases {
		fmt.Fprintf(w, "\n%s\n", phase)
		tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(tw, "tool\tn\twall s\tuser s\tsys s\tRSS MB\tswitches\tfaults\trequests\tto bun\tto npm\t")
		for _, t := range tools {
			rows := pick(samples, t.Name, phase)
			if len(rows) == 0 {
				fmt.Fprintf(tw, "%s\t0\tfailed\t\t\t\t\t\t\t\t\t\n", t.Name)
				continue
			}
			mid := func(of func(sample) float64) float64 { return newSpread(column(rows, of)).median }
			fmt.Fprintf(tw, "%s\t%d\t%v\t%.2f\t%.2f\t%.0f\t%.0f/%.0f\t%.0f\t%.0f\t%s\t%s\t\n",
				t.Name, len(rows), newSpread(column(rows, wall)),
				mid(func(s sample) float64 { return s.UserSec }),
				mid(func(s sample) float64 { return s.SysSec }),
				mid(func(s sample) float64 { return float64(s.MaxRSSKiB) / 1024 }),
				mid(func(s sample) float64 { return float64(s.Voluntary) }),
				mid(func(s sample) float64 { return float64(s.Involuntary) }),
				mid(func(s sample) float64 { return float64(s.MinorFaults) }),
				mid(func(s sample) float64 { return float64(s.Requests) }),
				ratio(samples, t.Name, "bun", phase), ratio(samples, t.Name, "npm", phase))
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func wall(s sample) float64 { return s.WallSec }

func column(rows []sample, of func(sample) float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = of(r)
	}
	return out
}

func pick(samples []sample, tool string, phase peer.Phase) []sample {
	var out []sample
	for _, s := range samples {
		if s.Tool == tool && s.Phase == phase && s.Failure == "" {
			out = append(out, s)
		}
	}
	return out
}

// ratio is the wall time of a tool over that of another in the same round, as
// a median over the rounds in which both succeeded.
func ratio(samples []sample, tool, base string, phase peer.Phase) string {
	other := map[int]float64{}
	for _, s := range pick(samples, base, phase) {
		other[s.Round] = s.WallSec
	}
	var ratios []float64
	for _, s := range pick(samples, tool, phase) {
		if b, ok := other[s.Round]; ok && tool != base {
			ratios = append(ratios, s.WallSec/b)
		}
	}
	if len(ratios) == 0 {
		return "-"
	}
	return newSpread(ratios).String()
}

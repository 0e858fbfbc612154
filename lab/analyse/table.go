package analyse

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"weft/lab/stats"
)

// warmup is the series that nobody analyses.
const warmup = "warmup"

// MainSeries is the series that conclusions are drawn from. It comes first in a
// result.
const MainSeries = "main"

// largest is the size from which on a value counts as absent: beyond it squares
// of squares would leave the range of a float64.
const largest = 1e60

// cell is where a run belongs.
type cell struct {
	workload string
	block    int
	arm      string
}

// table is one series with its runs in their places.
type table struct {
	in        Input
	name      string
	runs      map[cell]*Run
	blocks    map[string][]int // of a workload, ascending
	workloads []string
	scales    map[[2]string]Scale // by workload and metric
	total     int
	failed    int
	warnings  []Warning
}

// seriesNames gives the series of an experiment, main first, then by number.
func seriesNames(runs []Run) []string {
	names := map[string]bool{}
	for i := range runs {
		names[runs[i].Series] = true
	}
	delete(names, warmup)
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		if (a == MainSeries) != (b == MainSeries) {
			if a == MainSeries {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

func newTable(in Input, name string) *table {
	t := &table{
		in: in, name: name, runs: map[cell]*Run{}, blocks: map[string][]int{}, workloads: in.Workloads,
		scales: map[[2]string]Scale{},
	}
	arms := t.arms()
	occurs := map[string]bool{}
	strange := map[string]bool{}
	doubled := 0
	for i := range in.Runs {
		r := &in.Runs[i]
		if r.Series != name {
			continue
		}
		if !slices.Contains(arms, r.Arm) {
			strange[r.Arm] = true
			continue
		}
		t.total++
		if r.Failed {
			t.failed++
		}
		occurs[r.Workload] = true
		at := cell{r.Workload, r.Block, r.Arm}
		if before := t.runs[at]; before != nil {
			doubled++
			if !earlier(r, before) {
				continue
			}
		}
		t.runs[at] = r
	}
	if t.workloads == nil {
		t.workloads = slices.Sorted(maps.Keys(occurs))
	}
	for at := range t.runs {
		t.blocks[at.workload] = append(t.blocks[at.workload], at.block)
	}
	for w, b := range t.blocks {
		slices.Sort(b)
		t.blocks[w] = slices.Compact(b)
	}
	t.warnRuns(strange, doubled)
	return t
}

// earlier decides which of two runs of one cell counts, whatever their order in
// the input: the one in the earlier place, or that with the smaller values.
func earlier(a, b *Run) bool {
	if a.Position != b.Position {
		return a.Position < b.Position
	}
	for _, name := range slices.Sorted(maps.Keys(a.Values)) {
		if c := cmp.Compare(a.Values[name], b.Values[name]); c != 0 {
			return c < 0
		}
	}
	return false
}

func (t *table) warnRuns(strange map[string]bool, doubled int) {
	for _, arm := range slices.Sorted(maps.Keys(strange)) {
		t.warn(Warning{Kind: "unknown-arm", Text: fmt.Sprintf("runs of %q are left out: the experiment has no such arm", arm)})
	}
	if doubled > 0 {
		t.warn(Warning{Kind: "duplicate", Text: fmt.Sprintf("%d runs are left out: their arm had already run in that block", doubled)})
	}
	if t.failed > 0 {
		t.warn(Warning{Kind: "failed", Text: fmt.Sprintf("%d of %d runs failed; they and the runs paired with them are left out", t.failed, t.total)})
	}
}

func (t *table) warn(w Warning) { t.warnings = append(t.warnings, w) }

// arms gives all arms, the baseline first, then its repeat.
func (t *table) arms() []string {
	arms := []string{t.in.Baseline}
	if t.in.Repeat != "" {
		arms = append(arms, t.in.Repeat)
	}
	return append(arms, t.in.Candidates...)
}

// value gives what a run measured, if it did.
func (t *table) value(workload string, block int, arm, metric string) (float64, bool) {
	r := t.runs[cell{workload, block, arm}]
	if r == nil || r.Failed {
		return 0, false
	}
	v, ok := r.Values[metric]
	return v, ok && math.Abs(v) <= largest // NaN is not
}

// scale decides between ratios and differences for all arms of a workload alike.
func (t *table) scale(workload string, m Metric) Scale {
	key := [2]string{workload, m.Name}
	if s, known := t.scales[key]; known {
		return s
	}
	scale := m.Scale
	if scale != Difference {
		scale = Ratio
		for _, block := range t.blocks[workload] {
			for _, arm := range t.arms() {
				if v, ok := t.value(workload, block, arm, m.Name); ok && v <= 0 {
					scale = Difference
				}
			}
		}
	}
	t.scales[key] = scale
	return scale
}

// sample is what two arms gave for one metric of one workload: where paired,
// value by value from the same blocks.
type sample struct {
	scale   Scale
	a, b    []float64 // baseline and the other, as measured
	blocks  []int     // of the pairs
	missing int
}

func (t *table) sample(workload, arm string, m Metric) sample {
	s := sample{scale: t.scale(workload, m)}
	for _, block := range t.blocks[workload] {
		a, okA := t.value(workload, block, t.in.Baseline, m.Name)
		b, okB := t.value(workload, block, arm, m.Name)
		if t.in.Design == Unpaired {
			if okA {
				s.a = append(s.a, a)
			}
			if okB {
				s.b = append(s.b, b)
			}
			s.missing += t.lost(workload, block, t.in.Baseline, okA) + t.lost(workload, block, arm, okB)
			continue
		}
		if !okA || !okB {
			s.missing++
			continue
		}
		s.a, s.b, s.blocks = append(s.a, a), append(s.b, b), append(s.blocks, block)
	}
	return s
}

// lost counts a run that took place and has no value.
func (t *table) lost(workload string, block int, arm string, ok bool) int {
	if ok || t.runs[cell{workload, block, arm}] == nil {
		return 0
	}
	return 1
}

// n gives the pairs, or the values of the smaller arm.
func (s sample) n() int { return min(len(s.a), len(s.b)) }

// observations gives what is studied where paired: log ratios or differences.
func (s sample) observations() []float64 {
	d, err := stats.LogRatios(s.b, s.a)
	if s.scale == Difference {
		d, err = stats.Differences(s.b, s.a)
	}
	if err != nil {
		return nil // differences beyond the range of a float64
	}
	return d
}

// logs takes values to the scale on which they are studied.
func (s sample) logs(x []float64) []float64 {
	if s.scale == Difference {
		return x
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Log(v)
	}
	return y
}

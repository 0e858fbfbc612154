package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"weft/bench/engines/engine"
	"weft/bench/engines/sample"
)

// Write makes the page.
func Write(w io.Writer, facts []sample.Fact, samples []sample.Sample) error {
	p := &page{results: collect(samples)}
	p.line("# Engines")
	p.line("")
	for _, fact := range facts {
		p.line("- %s: %s", fact.Key, fact.Value)
	}
	p.line("")
	p.line("Times are nanoseconds an operation; medians of the rounds. A ratio below 1 says that weft is faster. The")
	p.line("paired ratio is the median of the ratios within each round, with its 95 %% bootstrap interval.")
	p.bars()
	for _, workload := range engine.Workloads() {
		p.workload(workload)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

type page struct {
	results results
	text    strings.Builder
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// figure has three digits that matter.
func figure(x float64) string {
	switch {
	case x < 0:
		return "-" + figure(-x)
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.0f", x)
	}
}

// parallelisms of a workload, in order.
func (r results) parallelisms(workload string) []int {
	var found []int
	for k := range r.byKey {
		if k.workload == workload && !slices.Contains(found, k.parallelism) {
			found = append(found, k.parallelism)
		}
	}
	slices.Sort(found)
	return found
}

// engines of a workload at one parallelism, in the order of their speed.
func (r results) engines(workload string, parallelism int) []string {
	var found []string
	for k := range r.byKey {
		if k.workload == workload && k.parallelism == parallelism {
			found = append(found, k.engine)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		x := median(r.values(key{workload, parallelism, a}, wall))
		y := median(r.values(key{workload, parallelism, b}, wall))
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	return found
}

func (p *page) bars() {
	p.line("")
	p.line("## Bars")
	p.line("")
	p.line("| workload | bar | parallelism | got | paired | of CPU time | verdict |")
	p.line("|---|---|---|---|---|---|---|")
	for _, b := range bars {
		measured := false
		for _, parallelism := range p.results.parallelisms(b.workload) {
			if !b.covers(parallelism) {
				continue
			}
			j := p.results.judge(b, parallelism)
			if j.verdict == notMeasured {
				continue
			}
			measured = true
			paired, ofCPU := "-", "-"
			if j.got.pairs > 0 {
				paired, ofCPU = spread(j.got), figure(j.cpu.ofMedians)
			}
			p.line("| %s | %s | %d | %s | %s | %s | %s |",
				b.workload, b.text(), parallelism, figure(j.got.ofMedians), paired, ofCPU, j.verdict)
		}
		if !measured {
			p.line("| %s | %s | - | - | - | - | %s |", b.workload, b.text(), notMeasured)
		}
	}
}

func spread(c comparison) string {
	return fmt.Sprintf("%s [%s, %s]", figure(c.paired), figure(c.low), figure(c.high))
}

func (p *page) workload(w engine.Workload) {
	parallelisms := p.results.parallelisms(w.Name)
	if len(parallelisms) == 0 {
		return
	}
	p.line("")
	p.line("## %s", w.Name)
	p.line("")
	p.line("An operation: %s.", w.What)
	p.line("")
	p.line("| parallelism | engine | n | median | least | most | CPU | weft's ratio | paired | weft's CPU ratio | MB | threads |")
	p.line("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, parallelism := range parallelisms {
		for _, name := range p.results.engines(w.Name, parallelism) {
			p.row(key{w.Name, parallelism, name})
		}
	}
}

func (p *page) row(k key) {
	r := p.results
	times := r.values(k, wall)
	ofMedians, paired, ofCPU := "-", "-", "-"
	weft := key{k.workload, k.parallelism, "weft"}
	if c, ok := r.compare(weft, k, wall, divide); ok && k != weft {
		ofMedians, paired = figure(c.ofMedians), spread(c)
		if c, _ := r.compare(weft, k, cpu, divide); c.peer > 0 {
			ofCPU = figure(c.ofMedians)
		}
	}
	p.line("| %d | %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %.0f |",
		k.parallelism, k.engine, len(times), figure(median(times)), figure(slices.Min(times)), figure(slices.Max(times)),
		figure(median(r.values(k, cpu))), ofMedians, paired, ofCPU, figure(median(r.values(k, rss))), slices.Max(r.values(k, threads)))
}

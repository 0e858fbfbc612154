package report

import (
	"fmt"
	"slices"

	"weft/lab/analyse"
	"weft/lab/stats"
)

// titledMax is how many dots of a plot tell their figures when pointed at; more
// are drawn as one path, or a page of thousands of runs would not scroll.
const titledMax = 400

// samples are the values of a metric of one series and workload, by arm.
type samples struct {
	metric  string
	dresses []dress
	runs    map[string][]analyse.Run // by arm, in the order they ran
	values  []float64                // all of them
	total   int
}

// sample collects what the two plots of a metric show.
func (d Data) sample(runs []analyse.Run, metric string) samples {
	s := samples{metric: metric, dresses: d.dresses(), runs: map[string][]analyse.Run{}}
	for _, r := range runs {
		if v, ok := r.Values[metric]; ok && !r.Failed {
			s.runs[r.Arm] = append(s.runs[r.Arm], r)
			s.values = append(s.values, v)
			s.total++
		}
	}
	return s
}

// runsOf are the runs of a section in the order of blocks and places.
func (d Data) runsOf(series, workload string) []analyse.Run {
	var all []analyse.Run
	for _, r := range d.Runs {
		if r.Series == series && r.Workload == workload {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b analyse.Run) int {
		if a.Block != b.Block {
			return a.Block - b.Block
		}
		return a.Position - b.Position
	})
	return all
}

// orderPlot shows the values in the order in which they were measured: drift,
// warming up and trouble of the machine are seen here and nowhere else.
func orderPlot(s samples) *plot {
	const height, top, bottom, left, right = 210, 10, 34, 52, 8
	p := newPlot(height, fmt.Sprintf("%s in the order of runs: %d runs", Label(s.metric), s.total))
	first, last := 0, 0
	for _, runs := range s.runs {
		for _, r := range runs {
			first, last = min(first, r.Block), max(last, r.Block)
		}
	}
	y := valueGround(p, s, left, plotWidth-right, top, height-bottom)
	across := axis{float64(first), float64(last + 1), false}
	blocks := last - first + 1
	for _, t := range across.valueTicks() {
		if t != float64(int(t)) || int(t) > last {
			continue
		}
		p.text("label", "middle", left+across.at(t+0.5)*(plotWidth-left-right), height-bottom+14, fmt.Sprintf("%d", int(t)+1))
	}
	p.text("label faint", "middle", (left+plotWidth-right)/2, height-4, "block")
	for _, dress := range s.dresses {
		runs := s.runs[dress.Name]
		var points [][2]float64
		for _, r := range runs {
			at := float64(r.Block) + 0.5
			if blocks <= 60 {
				// Within a block the places follow each other.
				at = float64(r.Block) + (float64(r.Position)+0.5)/float64(max(len(s.dresses), r.Position+1))
			}
			points = append(points, [2]float64{left + across.at(at)*(plotWidth-left-right), y(r.Values[s.metric])})
		}
		if s.total > titledMax {
			p.cloud(dress.shape, dress.Class, points, 1.6)
			continue
		}
		for i, r := range runs {
			p.dot(dress.shape, dress.Class, points[i][0], points[i][1], 2.8,
				fmt.Sprintf("%s, block %d, place %d: %s", dress.Name, r.Block+1, r.Position+1, value(s.metric, r.Values[s.metric])))
		}
	}
	return p
}

// valueGround draws the axis of values at the left and gives the map from
// values to the plane.
func valueGround(p *plot, s samples, left, right, top, foot float64) func(float64) float64 {
	up := valueAxis(s.values)
	y := func(v float64) float64 { return foot - up.at(v)*(foot-top) }
	u := unitOf(s.metric, up.high)
	ticks := up.unitTicks(u)
	for i, text := range u.numbers(ticks) {
		p.line("tick", left, y(ticks[i]), right, y(ticks[i]))
		p.text("label", "end", left-6, y(ticks[i])+4, text)
	}
	p.text("label faint", "start", 2, foot+28, unitName(u))
	return y
}

// unitTicks are round in the unit that is shown.
func (a axis) unitTicks(u unit) []float64 {
	ticks := axis{a.low / u.size, a.high / u.size, false}.valueTicks()
	for i := range ticks {
		ticks[i] *= u.size
	}
	return ticks
}

func unitName(u unit) string {
	if len(u.suffix) > 1 {
		return "in" + u.suffix
	}
	return ""
}

// stripPlot shows the distribution of each arm: every value as a dot, with the
// quartiles as a box and the median as a line.
func stripPlot(s samples) *plot {
	const row, top, bottom, left, right = 46, 6, 34, 8, 8
	var arms []dress
	for _, dress := range s.dresses {
		if len(s.runs[dress.Name]) > 0 {
			arms = append(arms, dress)
		}
	}
	height := top + row*len(arms) + bottom
	p := newPlot(height, fmt.Sprintf("Distribution of %s: %d runs", Label(s.metric), s.total))
	f := frame{axis: valueAxis(s.values), left: left, right: plotWidth - right}
	foot := float64(height - bottom)
	u := unitOf(s.metric, f.high)
	ticks := f.unitTicks(u)
	for i, text := range u.numbers(ticks) {
		p.line("tick", f.x(ticks[i]), top, f.x(ticks[i]), foot)
		p.text("label", "middle", f.x(ticks[i]), foot+14, text)
	}
	p.text("label faint", "middle", plotWidth/2, foot+28, unitName(u))
	for i, dress := range arms {
		f.strip(p, s, dress, float64(top+row*i))
	}
	return p
}

func (f frame) strip(p *plot, s samples, d dress, top float64) {
	var values []float64
	for _, r := range s.runs[d.Name] {
		values = append(values, r.Values[s.metric])
	}
	sum, err := stats.Summarise(values)
	if err != nil {
		return
	}
	p.text("row", "start", f.left, top+12, short(d.Name, 44))
	p.text("row faint", "end", f.right, top+12, "median "+value(s.metric, sum.Median))
	y := top + 29
	p.rect(d.Class+" box", f.x(sum.Q1), y-9, f.x(sum.Q3)-f.x(sum.Q1), 18)
	var points [][2]float64
	for i, v := range values {
		// A fixed scatter, so that equal data make equal pages.
		lift := float64((i*7)%13)/12 - 0.5
		points = append(points, [2]float64{f.x(v), y + 12*lift})
	}
	p.cloud(d.shape, d.Class+" soft", points, 2.2)
	p.line(d.Class+" median", f.x(sum.Median), y-11, f.x(sum.Median), y+11)
}

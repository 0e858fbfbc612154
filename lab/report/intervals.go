package report

import (
	"fmt"
	"slices"

	"weft/lab/analyse"
	"weft/lab/stats"
)

// intervalPlot shows the ratios of some comparisons of a section with both their
// intervals on one axis, the band of interest behind them, and the noise floor
// of primary metrics below. Without ratios there is none.
func intervalPlot(d Data, s section, of []analyse.Comparison) *plot {
	var cs []analyse.Comparison
	for _, c := range of {
		if c.Scale == analyse.Ratio && c.T != nil {
			cs = append(cs, c)
		}
	}
	if len(cs) == 0 {
		return nil
	}
	intervals, values := shown(cs)
	var floors []analyse.Noise
	for _, c := range cs {
		if n, ok := s.noiseOf(c.Metric); ok && c.Primary && n.Scale == analyse.Ratio && !slices.Contains(floors, n) {
			floors = append(floors, n)
			intervals = append(intervals, n.Interval)
		}
	}
	const row, top, bottom = 36, 8, 34
	height := top + row*(len(cs)+len(floors)) + bottom
	p := newPlot(height, fmt.Sprintf("Ratios to %s with their intervals: %d comparisons", d.Baseline, len(cs)))
	f := frame{axis: ratioAxis(d.Result.MinEffect, intervals, values), left: 10, right: plotWidth - 10}
	foot := float64(height - bottom)
	f.ratioGround(p, d.Result.MinEffect, top, foot)
	y := float64(top)
	for _, c := range cs {
		class := "tone-" + tone(c.Verdict)
		p.text("row", "start", 10, y+12, short(Label(c.Metric)+", "+c.Candidate, 46))
		p.text("row strong", "end", plotWidth-10, y+12, glyph(c.Verdict)+" "+string(c.Verdict))
		f.interval(p, class, y+22, circle, c.T.Value, c.T.Adjusted, c.Candidate+", "+Label(c.Metric)+": "+figure(c, c.T))
		if c.HL != nil {
			f.interval(p, "tone-rank", y+29, diamond, c.HL.Value, c.HL.Adjusted, "Hodges-Lehmann: "+figure(c, c.HL))
		}
		y += row
	}
	for _, n := range floors {
		p.text("row faint", "start", 10, y+12, short(Label(n.Metric)+", "+d.Baseline+" against itself", 60))
		f.interval(p, "tone-noise", y+22, cross, n.Value, n.Interval, "noise floor: "+measure(n.Metric, n.Scale, n.Value, n.Interval))
		y += row
	}
	return p
}

// frame maps an axis to the plane.
type frame struct {
	axis
	left, right float64
}

func (f frame) x(v float64) float64 { return f.left + f.at(v)*(f.right-f.left) }

// ratioGround draws the band of interest, ticks and the line of no difference.
func (f frame) ratioGround(p *plot, minEffect, top, foot float64) {
	low, high := f.x(1/(1+minEffect)), f.x(1+minEffect)
	p.rect("band", low, top, high-low, foot-top)
	ticks := f.ratioTicks()
	n := 2
	if len(ticks) > 1 {
		n = places((ticks[1] - ticks[0]) * 10)
	}
	for _, t := range ticks {
		if t != 1 {
			p.line("tick", f.x(t), top, f.x(t), foot)
		}
		text := ratio(t, n)
		if t == 1 {
			text = "1"
		}
		p.text("label", "middle", f.x(t), foot+14, text)
	}
	p.line("one", f.x(1), top, f.x(1), foot)
	p.text("label faint", "start", f.left, foot+28, "◂ less than the baseline")
	p.text("label faint", "end", f.right, foot+28, "more than the baseline ▸")
}

// interval draws an estimate with its interval; what is beyond the axis is cut
// off with an arrow.
func (f frame) interval(p *plot, class string, y float64, s shape, v float64, i stats.Interval, title string) {
	if !i.Absent() {
		low, high := f.x(i.Low), f.x(i.High)
		if low < f.left {
			low = f.left
			p.Marks = append(p.Marks, svgMark{Tag: "path", Class: class + " arrow", D: "M" + xy(low+6) + " " + xy(y-4) + "l-6 4l6 4"})
		}
		if high > f.right {
			high = f.right
			p.Marks = append(p.Marks, svgMark{Tag: "path", Class: class + " arrow", D: "M" + xy(high-6) + " " + xy(y-4) + "l6 4l-6 4"})
		}
		p.line(class+" span", low, y, high, y)
	}
	if x := f.x(v); x >= f.left && x <= f.right {
		p.dot(s, class, x, y, 3.4, title)
	}
}

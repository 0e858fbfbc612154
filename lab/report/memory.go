package report

import (
	"fmt"
	"strings"
	"time"
)

// curvePointsMax is how many points of a curve are drawn; of more, the highest
// of each stretch.
const curvePointsMax = 300

// memoryPlot shows the memory of a workload's polled runs over their time, a
// line a run that ends in the arm's mark; nil where none was polled.
func memoryPlot(d Data, workload string) *plot {
	var curves []Curve
	var ends, sizes []float64
	for _, c := range d.Curves {
		if c.Workload != workload || len(c.Points) == 0 {
			continue
		}
		c.Points = thinned(c.Points)
		curves = append(curves, c)
		ends = append(ends, float64(c.Points[len(c.Points)-1].At))
		for _, p := range c.Points {
			sizes = append(sizes, p.Bytes)
		}
	}
	if len(curves) == 0 {
		return nil
	}
	const height, top, foot, left, right = 220, 10, 186, 52, plotWidth - 10
	p := newPlot(height, fmt.Sprintf("Memory over time: %d runs", len(curves)))
	y := valueGround(p, samples{metric: "tree_rss_bytes", values: append(sizes, 0)}, left, right, top, foot)
	across := valueAxis(append(ends, 0))
	f := frame{axis: axis{0, across.high, false}, left: left, right: right}
	u := unitOf("wall_ns", f.high)
	ticks := f.unitTicks(u)
	for i, text := range u.numbers(ticks) {
		p.text("label", "middle", f.x(ticks[i]), foot+14, text)
	}
	p.text("label faint", "middle", (left+right)/2, foot+28, strings.TrimSpace(u.suffix)+" since the start")
	for _, c := range curves {
		p.curve(f, y, c, d.dresses())
	}
	return p
}

func (p *plot) curve(f frame, y func(float64) float64, c Curve, dresses []dress) {
	look := dress{Name: c.Arm, Class: "arm-a"}
	for _, d := range dresses {
		if d.Name == c.Arm {
			look = d
		}
	}
	var path strings.Builder
	highest := c.Points[0]
	for i, at := range c.Points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		path.WriteString(command + xy(f.x(float64(at.At))) + " " + xy(y(at.Bytes)))
		if at.Bytes > highest.Bytes {
			highest = at
		}
	}
	p.Marks = append(p.Marks, svgMark{Tag: "path", Class: look.Class + " curve", D: path.String()})
	last := c.Points[len(c.Points)-1]
	p.dot(look.shape, look.Class, f.x(float64(last.At)), y(last.Bytes), 3,
		fmt.Sprintf("%s: at most %s, after %s", c.Arm, value("tree_rss_bytes", highest.Bytes), highest.At.Round(time.Millisecond)))
}

func thinned(points []CurvePoint) []CurvePoint {
	if len(points) <= curvePointsMax {
		return points
	}
	var kept []CurvePoint
	for i := range curvePointsMax {
		stretch := points[i*len(points)/curvePointsMax : (i+1)*len(points)/curvePointsMax]
		highest := stretch[0]
		for _, p := range stretch {
			if p.Bytes > highest.Bytes {
				highest = p
			}
		}
		kept = append(kept, highest)
	}
	return kept
}

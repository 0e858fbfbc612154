package report

import (
	"strings"
	"testing"
	"time"
)

func curveOf(arm string, n int, peak float64) Curve {
	c := Curve{Arm: arm, Workload: "default"}
	for i := range n {
		c.Points = append(c.Points, CurvePoint{At: time.Duration(i) * time.Millisecond, Bytes: 1 << 20})
	}
	c.Points[n*2/3].Bytes = peak
	return c
}

func TestMemoryPlot(t *testing.T) {
	d := Data{Baseline: "old", Candidates: []string{"new"}, Curves: []Curve{curveOf("old", 5, 5<<20), curveOf("new", 5000, 9<<20), {Arm: "new", Workload: "other"}}}
	p := memoryPlot(d, "default")
	if p == nil || p.Dots != 2 {
		t.Fatalf("%+v", p)
	}
	curves := 0
	for _, m := range p.Marks {
		if strings.HasSuffix(m.Class, " curve") {
			curves++
			if n := strings.Count(m.D, "L"); n > curvePointsMax {
				t.Errorf("%d points are drawn", n)
			}
		}
		if m.Counts && strings.HasPrefix(m.Title, "new") && !strings.Contains(m.Title, "at most 9.000 MiB, after 3.333s") {
			t.Errorf("the peak is lost: %s", m.Title)
		}
	}
	if curves != 2 {
		t.Errorf("%d curves", curves)
	}
	if memoryPlot(d, "other") != nil || memoryPlot(d, "none") != nil {
		t.Error("a plot of nothing")
	}
}

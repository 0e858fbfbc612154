package report

import (
	"fmt"
	"strconv"
	"strings"
)

// plot is a picture made of marks, 420 units wide whatever it shows: on a
// telephone that is about one unit a pixel, so that its text stays legible.
type plot struct {
	Width, Height int
	Label         string // for those who do not see it
	Marks         []svgMark
	Dots          int // marks that stand for data
}

// svgMark is one element: a line, a rectangle, a path or a text.
type svgMark struct {
	Tag            string
	Class          string
	X, Y, X2, Y2   string // of a rectangle X2 and Y2 are its size
	D              string
	Anchor         string
	Text           string
	Title          string // shown when pointed at
	Counts, Filled bool
}

const plotWidth = 420

func newPlot(height int, label string) *plot {
	return &plot{Width: plotWidth, Height: height, Label: label}
}

// xy writes a coordinate with a tenth of a unit.
func xy(v float64) string {
	v = min(max(v, -9999), 9999)
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

func (p *plot) line(class string, x, y, x2, y2 float64) {
	p.Marks = append(p.Marks, svgMark{Tag: "line", Class: class, X: xy(x), Y: xy(y), X2: xy(x2), Y2: xy(y2)})
}

func (p *plot) rect(class string, x, y, w, h float64) {
	p.Marks = append(p.Marks, svgMark{Tag: "rect", Class: class, X: xy(x), Y: xy(y), X2: xy(max(0, w)), Y2: xy(max(0, h))})
}

func (p *plot) text(class, anchor string, x, y float64, text string) {
	p.Marks = append(p.Marks, svgMark{Tag: "text", Class: class, Anchor: anchor, X: xy(x), Y: xy(y), Text: text})
}

// short cuts a label that would run over its neighbour.
func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// dot is a mark that stands for data.
func (p *plot) dot(s shape, class string, x, y, size float64, title string) {
	p.Dots++
	p.Marks = append(p.Marks, svgMark{Tag: "path", Class: class + " dot", D: s.path(x, y, size), Title: title, Counts: true})
}

// cloud is many dots in one element, without titles.
func (p *plot) cloud(s shape, class string, points [][2]float64, size float64) {
	var b strings.Builder
	for _, at := range points {
		b.WriteString(s.path(at[0], at[1], size))
	}
	p.Dots += len(points)
	p.Marks = append(p.Marks, svgMark{Tag: "path", Class: class + " dot", D: b.String(), Counts: true})
}

// shape tells arms apart where colours do not.
type shape int

const (
	circle shape = iota
	cross
	square
	triangle
	diamond
)

// path draws the shape around a point.
func (s shape) path(x, y, r float64) string {
	switch s {
	case cross:
		return fmt.Sprintf("M%s %sl%s %sm0 %sl%s %s", xy(x-r), xy(y-r), xy(2*r), xy(2*r), xy(-2*r), xy(-2*r), xy(2*r))
	case square:
		return fmt.Sprintf("M%s %sh%sv%sh%sz", xy(x-r), xy(y-r), xy(2*r), xy(2*r), xy(-2*r))
	case triangle:
		return fmt.Sprintf("M%s %sl%s %sh%sz", xy(x), xy(y-1.2*r), xy(1.2*r), xy(2.1*r), xy(-2.4*r))
	case diamond:
		return fmt.Sprintf("M%s %sl%s %sl%s %sl%s %sz", xy(x), xy(y-1.4*r), xy(1.4*r), xy(1.4*r), xy(-1.4*r), xy(1.4*r), xy(-1.4*r), xy(-1.4*r))
	}
	return fmt.Sprintf("M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 %s 0z", xy(x-r), xy(y), xy(r), xy(r), xy(2*r), xy(r), xy(r), xy(-2*r))
}

// dress is how an arm looks in all plots.
type dress struct {
	Name  string
	Class string
	shape shape
}

// Key is a picture of the arm's mark for a legend.
func (d dress) Key() *plot {
	p := &plot{Width: 12, Height: 12}
	p.Marks = append(p.Marks, svgMark{Tag: "path", Class: d.Class + " dot", D: d.shape.path(6, 6, 3.6)})
	return p
}

// dresses gives each arm its look: the baseline circles, its repeat crosses,
// candidates filled shapes.
func (d Data) dresses() []dress {
	all := []dress{{d.Baseline, "arm-a", circle}}
	if d.Repeat != "" {
		all = append(all, dress{d.Repeat, "arm-r", cross})
	}
	for i, c := range d.Candidates {
		all = append(all, dress{c, "arm-" + strconv.Itoa(1+i%5), []shape{square, triangle, diamond, circle, square}[i%5]})
	}
	return all
}

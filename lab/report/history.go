package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"weft/lab/analyse"
)

// Point is one experiment of a history.
type Point struct {
	Name     string    `json:"name"` // of its run directory
	Started  time.Time `json:"started"`
	Baseline string    `json:"baseline"`
	Result   analyse.Result
}

// track is one comparison through the experiments that made it.
type track struct {
	Workload, Candidate, Metric string
	Primary                     bool
	Entries                     []trackEntry
}

type trackEntry struct {
	Point      Point
	Comparison analyse.Comparison
}

// Heading names a track.
func (t track) Heading() string {
	text := Label(t.Metric) + ", " + t.Candidate
	if analyse.Named(t.Workload) {
		text += ", " + t.Workload
	}
	return text
}

// tracks follows the comparisons of the main series, oldest experiment first.
// Those with nothing measured are left out, and unless all are asked for those
// that are primary nowhere.
func tracks(points []Point, all bool) []track {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b Point) int { return a.Started.Compare(b.Started) })
	var found []track
	at := map[[3]string]int{}
	for _, p := range points {
		if len(p.Result.Series) == 0 {
			continue
		}
		for _, c := range p.Result.Series[0].Comparisons {
			if c.T == nil {
				continue
			}
			key := [3]string{c.Workload, c.Candidate, c.Metric}
			i, known := at[key]
			if !known {
				i = len(found)
				at[key] = i
				found = append(found, track{Workload: c.Workload, Candidate: c.Candidate, Metric: c.Metric})
			}
			found[i].Primary = found[i].Primary || c.Primary
			found[i].Entries = append(found[i].Entries, trackEntry{p, c})
		}
	}
	if all {
		return found
	}
	return slices.DeleteFunc(found, func(t track) bool { return !t.Primary })
}

func (e trackEntry) when() string {
	if e.Point.Started.IsZero() {
		return "–"
	}
	return e.Point.Started.UTC().Format("2006-01-02 15:04")
}

// History writes, for each comparison, a line an experiment with a small plot,
// oldest first. It fails only where w does.
func (t Terminal) History(w io.Writer, points []Point) error {
	if t.Columns <= 0 {
		t.Columns = 100
	}
	var b strings.Builder
	p := page{Terminal: t, b: &b}
	for _, track := range tracks(points, t.All) {
		p.line("%s", p.color(bold, clean(track.Heading())))
		p.track(track)
		p.line("")
	}
	text := b.String()
	if t.ASCII {
		text = toASCII(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

func (p page) track(t track) {
	var cs []analyse.Comparison
	for _, e := range t.Entries {
		cs = append(cs, e.Comparison)
	}
	intervals, values := shown(cs)
	a := ratioAxis(t.Entries[0].Point.Result.MinEffect, intervals, values)
	for _, full := range []bool{true, false} {
		g := &grid{left: map[int]bool{0: true, 1: true}}
		header := gridRow{"  experiment", "started (UTC)", "baseline", "candidate", "ratio"}
		if full {
			header = append(header, scaleLine(a, plotCells))
		}
		g.add(header...)
		var verdicts []string
		for _, e := range t.Entries {
			baseline, candidate := medians(e.Comparison)
			row := gridRow{"  " + clean(e.Point.Name), e.when(), baseline, candidate, figure(e.Comparison, e.Comparison.T)}
			if full {
				row = append(row, p.plot(a, e.Comparison))
			}
			g.add(row...)
			verdicts = append(verdicts, glyph(e.Comparison.Verdict)+" "+string(e.Comparison.Verdict))
		}
		lines := g.lines()
		most := widestOf(lines)
		if full && most+len(gap)+widestOf(verdicts) > p.Columns {
			continue
		}
		p.line("%s", lines[0])
		for i, e := range t.Entries {
			p.line("%s%s%s%s", lines[i+1], strings.Repeat(" ", most-columns(lines[i+1])), gap, p.toned(e.Comparison.Verdict, verdicts[i]))
		}
		return
	}
}

// HistorySchema is the version of the document that HistoryJSON writes.
const HistorySchema = "weft.bench.history/v1"

// HistoryJSON writes the comparisons of all experiments as one document. It
// fails only where w does.
func HistoryJSON(w io.Writer, points []Point) error {
	type entry struct {
		Experiment string             `json:"experiment"`
		Started    string             `json:"started,omitempty"`
		Baseline   string             `json:"baseline"`
		Comparison analyse.Comparison `json:"comparison"`
	}
	type line struct {
		Workload  string  `json:"workload"`
		Candidate string  `json:"candidate"`
		Metric    string  `json:"metric"`
		Entries   []entry `json:"entries"`
	}
	doc := struct {
		Schema string `json:"schema"`
		Tracks []line `json:"tracks"`
	}{HistorySchema, []line{}}
	for _, t := range tracks(points, true) {
		l := line{t.Workload, t.Candidate, t.Metric, nil}
		for _, e := range t.Entries {
			started := ""
			if !e.Point.Started.IsZero() {
				started = e.Point.Started.UTC().Format(time.RFC3339)
			}
			l.Entries = append(l.Entries, entry{e.Point.Name, started, e.Point.Baseline, e.Comparison})
		}
		doc.Tracks = append(doc.Tracks, l)
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(doc)
}

//go:embed history.html
var historyText string

var historyTemplate = template.Must(template.Must(pageTemplate.Clone()).Parse(historyText))

type historyPage struct {
	htmlFrame
	Experiments int
	Tracks      []historyTrack
}

type historyTrack struct {
	Heading     string
	Ratio, Size *plot
	Rows        []historyRow
}

type historyRow struct {
	When string
	trackEntry
	Baseline, Candidate, Tone, Glyph string
}

// HistoryHTML writes the history as one page that needs nothing else: for each
// comparison the ratios, the arms' medians and a table. It fails only where w
// does.
func HistoryHTML(w io.Writer, points []Point) error {
	p := historyPage{htmlFrame: newFrame("History"), Experiments: len(points)}
	for _, t := range tracks(points, true) {
		h := historyTrack{Heading: t.Heading(), Ratio: trackPlot(t), Size: sizePlot(t)}
		for _, e := range t.Entries {
			baseline, candidate := medians(e.Comparison)
			h.Rows = append(h.Rows, historyRow{e.when(), e, baseline, candidate, tone(e.Comparison.Verdict), glyph(e.Comparison.Verdict)})
		}
		p.Tracks = append(p.Tracks, h)
	}
	return historyTemplate.ExecuteTemplate(w, "history", p)
}

// trackPlot shows one interval an experiment on an upright axis of ratios.
func trackPlot(t track) *plot {
	var cs []analyse.Comparison
	for _, e := range t.Entries {
		if e.Comparison.Scale == analyse.Ratio {
			cs = append(cs, e.Comparison)
		}
	}
	if len(cs) == 0 {
		return nil
	}
	const height, top, foot, left, right = 210, 10, 180, 52, plotWidth - 8
	p := newPlot(height, fmt.Sprintf("Ratios of %s over %d experiments", t.Heading(), len(cs)))
	minEffect := t.Entries[0].Point.Result.MinEffect
	intervals, values := shown(cs)
	a := ratioAxis(minEffect, intervals, values)
	y := func(v float64) float64 { return foot - min(1, max(0, a.at(v)))*(foot-top) }
	p.rect("band", left, y(1+minEffect), right-left, y(1/(1+minEffect))-y(1+minEffect))
	ticks := a.ratioTicks()
	n := 2
	if len(ticks) > 1 {
		n = places((ticks[1] - ticks[0]) * 10)
	}
	for _, v := range ticks {
		class := "tick"
		if v == 1 {
			class = "one"
		}
		p.line(class, left, y(v), right, y(v))
		p.text("label", "end", left-6, y(v)+4, ratio(v, n))
	}
	for i, e := range t.Entries {
		c := e.Comparison
		if c.Scale != analyse.Ratio {
			continue
		}
		x := left + (float64(i)+0.5)/float64(len(t.Entries))*(right-left)
		class := "tone-" + tone(c.Verdict)
		if !c.T.Adjusted.Absent() {
			p.line(class+" span", x, y(c.T.Adjusted.Low), x, y(c.T.Adjusted.High))
		}
		p.dot(circle, class, x, y(c.T.Value), 3.4, e.Point.Name+": "+figure(c, c.T)+", "+string(c.Verdict))
	}
	p.text("label faint", "middle", (left+right)/2, height-8, "experiments, oldest first")
	return p
}

// sizePlot shows the medians of both arms: whether a ratio changed because of
// the candidate or of the baseline.
func sizePlot(t track) *plot {
	const height, top, foot, left, right = 210, 10, 180, 52, plotWidth - 8
	p := newPlot(height, fmt.Sprintf("Medians of %s over %d experiments", t.Heading(), len(t.Entries)))
	s := samples{metric: t.Metric}
	for _, e := range t.Entries {
		s.values = append(s.values, e.Comparison.BaselineValues.Median, e.Comparison.CandidateValues.Median)
	}
	y := valueGround(p, s, left, right, top, foot)
	for i, e := range t.Entries {
		x := left + (float64(i)+0.5)/float64(len(t.Entries))*(right-left)
		baseline, candidate := medians(e.Comparison)
		p.dot(circle, "arm-a", x, y(e.Comparison.BaselineValues.Median), 3.2, e.Point.Name+", "+e.Point.Baseline+": "+baseline)
		p.dot(square, "arm-1", x, y(e.Comparison.CandidateValues.Median), 2.8, e.Point.Name+", "+t.Candidate+": "+candidate)
	}
	return p
}

package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"weft/lab/analyse"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"label": Label, "glyph": glyph, "tone": tone, "figure": figure,
}).Parse(pageText))

// HTML writes the report of d as one page that needs nothing else: no network,
// no fonts, and no script but for the download of the raw data. It fails only
// where w does.
func HTML(w io.Writer, d Data) error {
	return pageTemplate.ExecuteTemplate(w, "page", newHTMLPage(d))
}

// htmlFrame is what every page of ours has: a policy that lets nothing in from
// outside, the style and the one script.
type htmlFrame struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
}

func newFrame(title string) htmlFrame {
	sum := sha256.Sum256([]byte(pageScript))
	return htmlFrame{
		Title:  title,
		Policy: "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		Style:  template.CSS(pageStyle), Script: template.JS(pageScript),
	}
}

// htmlPage is the report as the template reads it.
type htmlPage struct {
	htmlFrame
	Data        Data
	Arms        []Arm
	Started     string
	Design      string
	Meaning     string
	Family      string
	Conclusions []conclusion
	Warnings    []string
	Legend      []dress
	Series      []htmlSeries
	Lines       []string // of the raw data
}

// conclusion is a primary comparison in a sentence.
type conclusion struct {
	Tone, Glyph, Word, Label, Text string
}

type htmlSeries struct {
	Heading  string
	Warnings []string
	Sections []htmlSection
	Means    []htmlMean
}

type htmlMean struct{ Name, Figure string }

type htmlSection struct {
	Heading                   string
	Primary                   []htmlRow
	Secondary                 []htmlRow
	Levels                    string
	Absent                    string
	Noise                     string
	Advice                    []string
	Intervals, OtherIntervals *plot
	Memory                    *plot
	Metrics, Others           []htmlMetric
}

type htmlRow struct {
	analyse.Comparison
	Label, BaselineMedian, CandidateMedian, Range, Tone, Glyph string
}

type htmlMetric struct {
	Name         string
	Order, Strip *plot
}

func newHTMLPage(d Data) htmlPage {
	p := htmlPage{
		htmlFrame: newFrame(d.title()), Data: d, Arms: d.arms(), Design: d.design(), Meaning: meaning(d.Result), Legend: d.dresses(),
	}
	if !d.Started.IsZero() {
		p.Started = d.Started.UTC().Format("2006-01-02 15:04 UTC")
	}
	if d.CSV != "" {
		p.Lines = strings.Split(strings.TrimSuffix(d.CSV, "\n"), "\n")
	}
	for i, s := range d.Result.Series {
		hs := htmlSeries{Heading: heading(s.Name), Warnings: warnings(d, s, i == 0)}
		all := sections(s)
		for _, part := range all {
			hs.Sections = append(hs.Sections, newHTMLSection(d, s, part, len(all) > 1))
		}
		for _, sum := range s.Summaries {
			if sum.Primary {
				hs.Means = append(hs.Means, htmlMean{sum.Candidate + ", " + Label(sum.Metric), measure(sum.Metric, analyse.Ratio, sum.Ratio, sum.Interval)})
			}
		}
		p.Series = append(p.Series, hs)
		if i > 0 {
			continue
		}
		p.Family = family(primary(s))
		for _, c := range primary(s) {
			p.Conclusions = append(p.Conclusions, conclude(d, c, len(all) > 1))
		}
	}
	return p
}

func conclude(d Data, c analyse.Comparison, several bool) conclusion {
	label := c.Candidate + ", " + Label(c.Metric)
	if several {
		label += ", " + c.Workload
	}
	text := "nothing to compare"
	switch {
	case c.T == nil:
	case c.Constant && c.P == 1:
		text = "no pair differs"
	default:
		text = span(c) + " than " + d.Baseline
	}
	if c.Verdict == analyse.Inconclusive {
		text = "the data allow for " + text
	}
	return conclusion{tone(c.Verdict), glyph(c.Verdict), c.Words(), label, text}
}

func newHTMLSection(d Data, s analyse.Series, part section, several bool) htmlSection {
	h := htmlSection{
		Levels: levels(part.Primary), Absent: strings.Join(part.Absent, ", "), Noise: noiseLine(d, part),
		Intervals: intervalPlot(d, part, part.Primary), OtherIntervals: intervalPlot(d, part, part.Secondary),
	}
	if several {
		h.Heading = part.Workload
	}
	if s.Name == "memory" {
		h.Memory = memoryPlot(d, part.Workload)
	}
	runs := d.runsOf(s.Name, part.Workload)
	seen := map[string]bool{}
	add := func(to *[]htmlMetric, c analyse.Comparison) {
		if sample := d.sample(runs, c.Metric); !seen[c.Metric] && sample.total > 0 {
			seen[c.Metric] = true
			*to = append(*to, htmlMetric{Label(c.Metric), orderPlot(sample), stripPlot(sample)})
		}
	}
	for _, c := range part.Primary {
		h.Primary = append(h.Primary, newHTMLRow(c))
		if text := advice(c); text != "" {
			h.Advice = append(h.Advice, text)
		}
		add(&h.Metrics, c)
	}
	for _, c := range part.Secondary {
		h.Secondary = append(h.Secondary, newHTMLRow(c))
		add(&h.Others, c)
	}
	return h
}

func newHTMLRow(c analyse.Comparison) htmlRow {
	baseline, candidate := medians(c)
	u := unitOf(c.Metric, c.CandidateValues.Median)
	r := htmlRow{Comparison: c, Label: Label(c.Metric), BaselineMedian: baseline, CandidateMedian: candidate, Tone: tone(c.Verdict), Glyph: glyph(c.Verdict)}
	if c.CandidateValues.N > 0 {
		r.Range = u.text(c.CandidateValues.Min) + " to " + u.text(c.CandidateValues.Max)
	}
	return r
}

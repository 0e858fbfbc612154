package report

import (
	"fmt"
	"io"
	"strings"

	"weft/lab/analyse"
)

// Terminal says how a report for people's terminals is to look. The zero value
// is 100 columns of plain text without colours.
type Terminal struct {
	// Columns is the width to keep to; 0 stands for 100. What does not fit side
	// by side is written below each other.
	Columns int
	Color   bool // a colour repeats what a word beside it says
	ASCII   bool // draw with ASCII characters alone
	// All shows every metric in full; otherwise those that are not primary are
	// shown only where something was found.
	All bool
}

// plotCells is the width of an interval plot in characters.
const plotCells = 25

// Write writes the report of d. It fails only where w does.
func (t Terminal) Write(w io.Writer, d Data) error {
	if t.Columns <= 0 {
		t.Columns = 100
	}
	var b strings.Builder
	p := page{t, d, &b}
	p.head()
	for i, s := range d.Result.Series {
		p.series(s, i == 0)
	}
	p.foot()
	text := b.String()
	if t.ASCII {
		text = toASCII(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// toASCII replaces the few signs outside ASCII that the report itself writes.
// Foreign text goes through as escapes.
func toASCII(text string) string {
	text = strings.NewReplacer("–", "-", "−", "-", "±", "+-", "µ", "u", "▲", "+", "▼", "-", "≠", "!", "·", "*").Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// page writes one report.
type page struct {
	Terminal
	Data
	b *strings.Builder
}

func (p page) line(format string, args ...any) { fmt.Fprintf(p.b, format+"\n", args...) }

// para writes a wrapped paragraph behind a prefix.
func (p page) para(prefix, text string) {
	indent := strings.Repeat(" ", columns(prefix))
	p.line("%s%s", p.paint(prefix), wrap(clean(text), p.Columns-columns(prefix), indent))
}

const (
	bold   = "\x1b[1m"
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

func (p page) color(code, text string) string {
	if !p.Color || text == "" {
		return text
	}
	return code + text + reset
}

// paint colours the word "warning".
func (p page) paint(prefix string) string {
	if strings.HasPrefix(prefix, "warning") {
		return p.color(yellow, prefix)
	}
	return prefix
}

func (p page) toned(v analyse.Verdict, text string) string {
	return p.color(map[string]string{"good": green, "bad": red, "same": cyan, "open": yellow}[tone(v)], text)
}

func (p page) head() {
	p.line("%s", p.color(bold, clean(p.title())))
	var arms grid
	arms.left = map[int]bool{0: true, 1: true, 2: true}
	for _, a := range p.arms() {
		role := "candidate"
		if a.Name == p.Baseline {
			role = "baseline"
		}
		command := clean(a.Command)
		if command == clean(a.Name) {
			command = ""
		}
		arms.add("  "+role, clean(a.Name), command)
	}
	for _, l := range arms.lines() {
		if columns(l) > p.Columns {
			l = wrap(l, p.Columns-6, "      ")
			l = "  " + l
		}
		p.line("%s", l)
	}
	p.para("  ", p.design())
}

// design says in one line how it was measured.
func (d Data) design() string {
	var parts []string
	runs := 0
	for i, s := range d.Result.Series {
		runs += s.Runs
		if i == 0 && d.Blocks > 0 {
			parts = append(parts, fmt.Sprintf("%d blocks", d.Blocks))
		}
	}
	parts = append(parts, fmt.Sprintf("%d runs", runs))
	if d.Result.Design != "" {
		parts = append(parts, string(d.Result.Design))
	}
	if d.Seed != "" {
		parts = append(parts, "seed "+d.Seed)
	}
	if d.Result.MinEffect > 0 {
		parts = append(parts, "minimum effect of interest "+percent(d.Result.MinEffect)+" %")
	}
	return strings.Join(parts, ", ")
}

func (p page) series(s analyse.Series, first bool) {
	if h := heading(s.Name); h != "" {
		p.line("\n%s", p.color(bold, clean(h)))
	}
	all := sections(s)
	for _, part := range all {
		p.line("")
		if len(all) > 1 || analyse.Named(part.Workload) {
			p.line("%s", p.color(bold, "workload "+clean(part.Workload)))
		}
		p.section(part)
	}
	p.summaries(s)
	warned := warnings(p.Data, s, first)
	if len(warned) > 0 {
		p.line("")
	}
	for _, w := range warned {
		p.para("warning: ", w)
	}
}

func (p page) section(s section) {
	others := s.Secondary
	if !p.All {
		others = nil
		for _, c := range s.Secondary {
			if c.Significant {
				others = append(others, c)
			}
		}
	}
	p.table(s.Primary)
	if len(others) > 0 {
		p.line("\n  not primary, to find out why:")
		p.table(others)
	}
	if rest := len(s.Secondary) - len(others); rest > 0 {
		p.line("  %d more comparisons without a finding (--all shows them)", rest)
	}
	if len(s.Absent) > 0 {
		p.para("  not measured here: ", strings.Join(s.Absent, ", "))
	}
	if text := noiseLine(p.Data, s); text != "" {
		p.para("  noise floor: ", text)
	}
	for _, c := range s.Primary {
		if text := advice(c); text != "" {
			p.para("  to settle it: ", text)
		}
	}
}

// table writes comparisons in the widest form that fits.
func (p page) table(cs []analyse.Comparison) {
	if len(cs) == 0 {
		return
	}
	for _, plots := range []bool{true, false} {
		g, verdicts := p.grid(cs, plots)
		lines := g.lines()
		most := widestOf(lines)
		if most+len(gap)+widestOf(verdicts) > p.Columns {
			continue
		}
		p.line("%s", lines[0])
		for i, c := range cs {
			p.line("%s%s%s%s", lines[i+1], strings.Repeat(" ", most-columns(lines[i+1])), gap, p.toned(c.Verdict, verdicts[i]))
		}
		return
	}
	p.stacked(cs)
}

// grid lays comparisons out, without their verdicts: those get colours.
func (p page) grid(cs []analyse.Comparison, plots bool) (*grid, []string) {
	g := &grid{left: map[int]bool{0: true, 1: true}}
	several := len(p.Candidates) > 1
	header := gridRow{"  metric"}
	if several {
		header = append(header, "candidate")
	} else {
		g.left = map[int]bool{0: true}
	}
	header = append(header, clean(p.Baseline), "candidate", "ratio", "Hodges-Lehmann")
	if !several && len(p.Candidates) == 1 {
		header[2] = clean(p.Candidates[0])
	}
	if l := levels(cs); l != "" {
		header[len(header)-2] = "ratio (" + l + " interval)"
	}
	a := ratioAxis(p.Result.MinEffect, nil, nil)
	if plots {
		intervals, values := shown(cs)
		a = ratioAxis(p.Result.MinEffect, intervals, values)
		header = append(header, scaleLine(a, plotCells))
	}
	g.add(header...)
	var verdicts []string
	for _, c := range cs {
		row := gridRow{"  " + clean(Label(c.Metric))}
		if several {
			row = append(row, clean(c.Candidate))
		}
		baseline, candidate := medians(c)
		row = append(row, baseline, candidate, figure(c, c.T), figure(c, c.HL))
		if plots {
			row = append(row, p.plot(a, c))
		}
		g.add(row...)
		verdicts = append(verdicts, glyph(c.Verdict)+" "+c.Words())
	}
	return g, verdicts
}

func (p page) plot(a axis, c analyse.Comparison) string {
	if c.Scale != analyse.Ratio || c.T == nil {
		return strings.Repeat(" ", plotCells)
	}
	s := boxes
	if p.ASCII {
		s = ascii
	}
	return s.draw(a, plotCells, c.Minimum, c.T.Value, c.T.Adjusted)
}

// stacked writes one comparison below the other, for narrow terminals.
func (p page) stacked(cs []analyse.Comparison) {
	intervals, values := shown(cs)
	a := ratioAxis(p.Result.MinEffect, intervals, values)
	for _, c := range cs {
		baseline, candidate := medians(c)
		name, words := c.Candidate+", "+Label(c.Metric)+":", glyph(c.Verdict)+" "+c.Words()
		if columns(name)+columns(words)+3 <= p.Columns {
			p.line("  %s %s", clean(name), p.toned(c.Verdict, words))
		} else {
			p.para("  ", name)
			p.line("    %s", p.toned(c.Verdict, wrap(words, p.Columns-6, "      ")))
		}
		p.line("    %s -> %s", baseline, candidate)
		p.line("    %s %s", c.Scale, figure(c, c.T))
		if c.HL != nil {
			p.line("    Hodges-Lehmann %s", figure(c, c.HL))
		}
		if c.Scale == analyse.Ratio && c.T != nil {
			p.line("    %s", scaleLine(a, plotCells))
			p.line("    %s", strings.TrimRight(p.plot(a, c), " "))
		}
	}
	if l := levels(cs); l != "" {
		p.line("  (%s intervals)", l)
	}
}

func (p page) summaries(s analyse.Series) {
	shown := false
	for _, sum := range s.Summaries {
		if !sum.Primary && !p.All {
			continue
		}
		if !shown {
			p.line("\n%s", p.color(bold, "geometric means over workloads"))
			shown = true
		}
		p.para("  ", fmt.Sprintf("%s: %s over %d workloads", sum.Candidate+", "+Label(sum.Metric),
			measure(sum.Metric, analyse.Ratio, sum.Ratio, sum.Interval), sum.Workloads))
	}
}

func (p page) foot() {
	p.line("")
	for i, s := range p.Result.Series {
		for _, c := range s.Comparisons {
			if c.Primary && i == 0 {
				label := ""
				if len(workloads(s)) > 1 {
					label = c.Workload + ": "
				}
				p.para("  ", label+sentence(p.Baseline, c))
			}
		}
		if i == 0 {
			if text := family(primary(s)); text != "" {
				p.para("  ", text)
			}
		}
	}
	p.line("")
	p.para("  ", meaning(p.Result))
}

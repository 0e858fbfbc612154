package report

import (
	"fmt"
	"io"
	"strings"

	"weft/lab/analyse"
)

// Markdown writes the report of d as GitHub's Markdown, short enough for a pull
// request: primary metrics in full, the others folded away. It fails only where
// w does.
func Markdown(w io.Writer, d Data) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n", mark(d.title()))
	for i, s := range d.Result.Series {
		markdownSeries(&b, d, s, i == 0)
	}
	markdownAbout(&b, d)
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownSeries(b *strings.Builder, d Data, s analyse.Series, first bool) {
	if h := heading(s.Name); h != "" {
		fmt.Fprintf(b, "\n#### %s\n", mark(h))
	}
	all := sections(s)
	if first {
		b.WriteString("\n")
		for _, c := range primary(s) {
			label := ""
			if len(all) > 1 {
				label = c.Workload + ": "
			}
			fmt.Fprintf(b, "- %s %s\n", glyph(c.Verdict), mark(label+sentence(d.Baseline, c)))
		}
	}
	for _, part := range all {
		if len(all) > 1 {
			fmt.Fprintf(b, "\n**%s**\n", mark(part.Workload))
		}
		markdownTable(b, part.Primary)
		if text := noiseLine(d, part); text != "" {
			fmt.Fprintf(b, "\nNoise floor, %s.\n", mark(text))
		}
		for _, c := range part.Primary {
			if text := advice(c); text != "" {
				fmt.Fprintf(b, "\nTo settle it: %s.\n", mark(text))
			}
		}
		if len(part.Secondary) > 0 {
			fmt.Fprintf(b, "\n<details><summary>%d other comparisons</summary>\n", len(part.Secondary))
			markdownTable(b, part.Secondary)
			b.WriteString("\n</details>\n")
		}
	}
	for _, sum := range s.Summaries {
		if sum.Primary {
			fmt.Fprintf(b, "\nGeometric mean over %d workloads, %s: %s.\n", sum.Workloads,
				mark(sum.Candidate+", "+Label(sum.Metric)), measure(sum.Metric, analyse.Ratio, sum.Ratio, sum.Interval))
		}
	}
	for i, text := range warnings(d, s, first) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "> ⚠ %s  \n", mark(text))
	}
}

func markdownTable(b *strings.Builder, cs []analyse.Comparison) {
	if len(cs) == 0 {
		return
	}
	ratioHead := "ratio"
	if l := levels(cs); l != "" {
		ratioHead += " (" + l + " interval)"
	}
	fmt.Fprintf(b, "\n| metric | candidate | baseline median | its median | %s | Hodges-Lehmann | verdict |\n|---|---|--:|--:|--:|--:|---|\n", ratioHead)
	for _, c := range cs {
		baseline, candidate := medians(c)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s %s |\n", mark(Label(c.Metric)), mark(c.Candidate),
			baseline, candidate, figure(c, c.T), figure(c, c.HL), glyph(c.Verdict), mark(c.Words()))
	}
}

func markdownAbout(b *strings.Builder, d Data) {
	fmt.Fprintf(b, "\n<details><summary>How it was measured, and what the intervals mean</summary>\n\n%s.\n\n%s\n", mark(d.design()), mark(meaning(d.Result)))
	var rows []Entry
	for _, a := range d.Arms {
		rows = append(rows, Entry{a.Name, a.Command})
	}
	rows = append(rows, d.Environment...)
	if len(rows) > 0 {
		b.WriteString("\n| | |\n|---|---|\n")
		for _, e := range rows {
			fmt.Fprintf(b, "| %s | %s |\n", mark(e.Name), mark(e.Value))
		}
	}
	b.WriteString("\n</details>\n")
}

// mark makes foreign text plain in Markdown, within a table's cell too: what
// could begin markup, a link, a mention or HTML is escaped.
func mark(text string) string {
	var b strings.Builder
	for _, r := range clean(text) {
		switch {
		case r == '@':
			b.WriteString("&#64;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]>|~#", r):
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "://", ":&#47;&#47;")
}

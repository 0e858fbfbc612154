package report

import (
	"fmt"
	"slices"
	"strings"

	"weft/lab/analyse"
)

// sentence says in words what a comparison found.
func sentence(baseline string, c analyse.Comparison) string {
	where := Label(c.Metric)
	if c.T == nil {
		return fmt.Sprintf("%s, %s: nothing to compare", c.Candidate, where)
	}
	text := fmt.Sprintf("%s, %s: %s", c.Candidate, where, c.Words())
	if c.Constant && c.P == 1 {
		return text
	}
	switch c.Verdict {
	case analyse.Inconclusive:
		return text + "; the data allow for " + span(c) + " than " + baseline
	case analyse.Equivalent:
		return text + "; " + span(c) + " than " + baseline
	}
	return text + "; " + span(c) + " than " + baseline
}

// span says an interval in words: "3.3 % to 4.9 % less", "0.4 % less to 2 % more".
func span(c analyse.Comparison) string {
	i := c.T.Adjusted
	if i.Absent() {
		return change(c, c.T.Value)
	}
	low, lowSide := amount(c, i.Low)
	high, highSide := amount(c, i.High)
	switch {
	case lowSide == highSide && lowSide == "less":
		return high + " to " + low + " less"
	case lowSide == highSide:
		return low + " to " + high + " more"
	}
	return low + " " + lowSide + " to " + high + " " + highSide
}

func change(c analyse.Comparison, v float64) string {
	size, side := amount(c, v)
	return size + " " + side
}

func amount(c analyse.Comparison, v float64) (size, side string) {
	if c.Scale == analyse.Ratio {
		v--
		size = percent(v) + " %"
	} else {
		size = value(c.Metric, max(v, -v))
	}
	if v < 0 {
		return size, "less"
	}
	return size, "more"
}

// meaning explains, to somebody who has had no statistics, what is behind the
// figures of a result.
func meaning(r analyse.Result) string {
	conf := level(1 - r.Alpha)
	text := "The ratio is candidate/baseline: below 1 the candidate has less. The interval holds the ratios that fit the data: " +
		"of many experiments like this one, " + conf + " % have the true ratio inside theirs. Only an interval that leaves out 1 shows a difference."
	if r.Design == analyse.Sequential {
		text += " It was allowed to stop early, and the intervals are wide enough to allow for that."
	}
	return text + " Hodges-Lehmann asks the same of the middle of the data, where rare slow runs hardly count. " +
		"Inconclusive does not mean equal: equal within " + percent(r.MinEffect) + " % is called equivalent, and has to be shown as well."
}

// family explains the correction, where there is one.
func family(cs []analyse.Comparison) string {
	if len(cs) == 0 || cs[0].Family < 2 {
		return ""
	}
	return fmt.Sprintf("%d primary comparisons were decided together (Holm's correction): the intervals are those that decide.", cs[0].Family)
}

// noiseWords says what the baseline's repeat showed.
func noiseWords(n analyse.Noise) string {
	size := value(n.Metric, n.Floor)
	if n.Scale == analyse.Ratio {
		size = percent(n.Floor) + " %"
	}
	text := fmt.Sprintf("%s ±%s", Label(n.Metric), size)
	if n.Differs {
		text += " (differs beyond chance!)"
	}
	return text
}

// noiseLine is the noise floor of a section's primary metrics in one line.
func noiseLine(d Data, s section) string {
	var parts []string
	for _, c := range s.Primary {
		if n, ok := s.noiseOf(c.Metric); ok && n.N > 1 {
			if words := noiseWords(n); !slices.Contains(parts, words) {
				parts = append(parts, words)
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "two runs of " + d.Baseline + " itself: " + strings.Join(parts, ", ")
}

// advice says what would settle an inconclusive comparison, or "".
func advice(c analyse.Comparison) string {
	a := c.Advice
	if a == nil {
		return ""
	}
	effect := value(c.Metric, c.Minimum)
	if c.Scale == analyse.Ratio {
		effect = percent(c.Minimum) + " %"
	}
	what := fmt.Sprintf("%s, %s", c.Candidate, Label(c.Metric))
	switch {
	case c.Minimum == 0:
		return ""
	case a.Blocks == 0:
		return fmt.Sprintf("%s: more than %d blocks would be needed to settle a difference of %s; quieten the machine instead", what, analyse.MostBlocks, effect)
	}
	return fmt.Sprintf("%s: %d blocks, run anew, would settle a difference of %s (%d blocks find one %.0f times in 100)",
		what, a.Blocks, effect, c.N, 100*a.PowerNow)
}

// glyph marks a verdict with a sign, for those who scan; the word stands beside it.
func glyph(v analyse.Verdict) string {
	switch {
	case v.Improvement():
		return "▲"
	case v.Regression():
		return "▼"
	case v == analyse.Equivalent:
		return "="
	case v == analyse.Lower || v == analyse.Higher:
		return "≠"
	}
	return "?"
}

// tone groups verdicts for colours.
func tone(v analyse.Verdict) string {
	switch {
	case v.Improvement():
		return "good"
	case v.Regression():
		return "bad"
	case v == analyse.Equivalent:
		return "same"
	}
	return "open"
}

// heading names a series.
func heading(series string) string {
	switch series {
	case analyse.MainSeries:
		return ""
	case "memory":
		return "memory runs, polled and so not timed"
	}
	return "series " + series + ", by itself"
}

// warnings are what a reader of a series must know: notes of the whole
// experiment come with the first series.
func warnings(d Data, s analyse.Series, first bool) []string {
	var all []string
	if first {
		if d.Interrupted {
			all = append(all, "interrupted: fewer blocks than planned were measured")
		}
		for _, n := range d.Notes {
			all = append(all, n.Text)
		}
	}
	for _, w := range s.Warnings {
		text := w.Text
		if w.Metric != "" {
			text = strings.Replace(text, w.Metric, Label(w.Metric), 1)
		}
		all = append(all, text)
	}
	return all
}

package report

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func pageOf(t testing.TB, d Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	svgPattern = regexp.MustCompile(`(?s)<svg ([^>]*)>(.*?)</svg>`)
	dotPattern = regexp.MustCompile(`<path class="[^"]*\bdot" d="([^"]*)"`)
)

// checkPlots wants every picture of a page to have a mark for each value that
// it says it shows, and gives how many pictures and marks there are.
func checkPlots(t *testing.T, page string) (plots, dots int) {
	t.Helper()
	for _, m := range svgPattern.FindAllStringSubmatch(page, -1) {
		_, after, _ := strings.Cut(m[1], `data-dots="`)
		want, err := strconv.Atoi(after[:strings.Index(after, `"`)])
		if err != nil {
			t.Fatal(err)
		}
		if want == 0 {
			continue // a key of a legend
		}
		got := 0
		for _, d := range dotPattern.FindAllStringSubmatch(m[2], -1) {
			got += strings.Count(d[1], "M")
		}
		if got != want {
			t.Errorf("a plot shows %d values with %d marks: %s", want, got, m[1])
		}
		plots, dots = plots+1, dots+got
	}
	return plots, dots
}

func TestPlotsHaveTheirMarks(t *testing.T) {
	for name, d := range samplesAll(t) {
		plots, dots := checkPlots(t, pageOf(t, d))
		measured := 0
		for _, s := range d.Result.Series {
			for _, c := range s.Comparisons {
				if c.T != nil {
					measured++
				}
			}
		}
		if plots < 3 || dots < measured {
			t.Errorf("%s: %d plots with %d marks for %d comparisons", name, plots, dots, measured)
		}
	}
}

func TestRawDataIsInside(t *testing.T) {
	for name, d := range samplesAll(t) {
		_, after, ok := strings.Cut(pageOf(t, d), `<script type="application/json" id="runs">`)
		if !ok {
			t.Fatalf("%s: no raw data", name)
		}
		text, _, _ := strings.Cut(after, "</script>")
		var lines []string
		if err := json.Unmarshal([]byte(text), &lines); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Join(lines, "\n") + "\n"; got != d.CSV {
			t.Errorf("%s: the raw data in the page differ: %s", name, firstDifference(d.CSV, got))
		}
	}
}

// hostile is text that tries to break out of wherever it is put.
const hostile = "</script></style><script>window.bad=1</script><img src=x onerror=bad()>'\"`--><svg onload=bad()>]]>{{.}}\x1b[31m\n\u202e"

func hostileData(t testing.TB) Data {
	d := Data{
		Name: "n" + hostile, Baseline: "a" + hostile, Candidates: []string{"b" + hostile}, Seed: hostile,
		Arms:        []Arm{{Name: "a" + hostile, Command: hostile, Details: []Entry{{hostile, hostile}}}},
		Environment: []Entry{{hostile, hostile}}, Notes: []Note{{"load", hostile}}, CSV: "series\n" + hostile + "\n",
	}
	in := analyseInput(d)
	d.Runs = in.Runs
	d.Result = analyseOf(in)
	return d
}

func TestNothingBreaksOut(t *testing.T) {
	d := hostileData(t)
	page := pageOf(t, d)
	for _, bad := range []string{"<script>window.bad", "<img", "<svg onload", "</script></style>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("%d scripts, want ours and the data", n)
	}
	if !strings.Contains(html.UnescapeString(page), "window.bad=1") {
		t.Error("the hostile text is not shown at all")
	}
	for _, columns := range []int{60, 200} {
		var b strings.Builder
		if err := (Terminal{Columns: columns, All: true}).Write(&b, d); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\u202e") {
			t.Errorf("control characters reach the terminal at %d columns", columns)
		}
	}
	var b strings.Builder
	if err := Markdown(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "\x1b"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the Markdown holds %q", bad)
		}
	}
}

func TestPageNeedsNothingElse(t *testing.T) {
	for name, d := range samplesAll(t) {
		page := pageOf(t, d)
		for _, bad := range []string{"http://", "https://", "src=", "@import", "url(", "<link"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page holds %q", name, bad)
			}
		}
	}
}

package report

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// historyOf is three experiments, of which the last is another plan.
func historyOf(t testing.TB) []Point {
	t.Helper()
	var points []Point
	for i, name := range []string{"faster", "few", "faster"} {
		d := sampleOf(t, name, "wall_ns")
		points = append(points, Point{
			Name: []string{"2026-01", "2026-02", "2026-03"}[i], Baseline: d.Baseline,
			Started: time.Date(2026, time.Month(3-i), 1, 12, 0, 0, 0, time.UTC), Result: d.Result,
		})
	}
	return points
}

func historyPageOf(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := HistoryHTML(&b, historyOf(t)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHistoryGolden(t *testing.T) {
	var text, doc bytes.Buffer
	if err := (Terminal{Columns: 140}).History(&text, historyOf(t)); err != nil {
		t.Fatal(err)
	}
	golden(t, "history.txt", text.Bytes())
	golden(t, "history.html", []byte(historyPageOf(t)))
	if err := HistoryJSON(&doc, historyOf(t)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(doc.String(), `"schema": "weft.bench.history/v1"`) {
		t.Error("the document does not name its schema")
	}
}

func TestHistoryIsInOrder(t *testing.T) {
	for _, track := range tracks(historyOf(t), true) {
		for i, e := range track.Entries[1:] {
			if e.Point.Started.Before(track.Entries[i].Point.Started) {
				t.Errorf("%s: %s comes after %s", track.Heading(), e.Point.Name, track.Entries[i].Point.Name)
			}
		}
	}
}

func TestHistoryPlots(t *testing.T) {
	if plots, dots := checkPlots(t, historyPageOf(t)); plots < 4 || dots < 3*4 {
		t.Errorf("%d plots with %d marks", plots, dots)
	}
}

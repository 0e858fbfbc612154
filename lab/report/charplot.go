package report

import (
	"math"
	"strings"

	"weft/lab/stats"
)

// strokes are the characters of a small interval plot.
type strokes struct {
	end, line, left, right, point, one, edge, beyondLeft, beyondRight rune
}

var (
	boxes = strokes{' ', '─', '├', '┤', '●', '│', '┊', '◀', '▶'}
	ascii = strokes{' ', '-', '[', ']', 'o', '|', ':', '<', '>'}
)

// draw puts an interval with its estimate on a line of so many characters,
// with a mark at 1 and at the edges of the band of interest. What is beyond the
// axis ends in an arrow.
func (s strokes) draw(a axis, cells int, minEffect, value float64, i stats.Interval) string {
	row := []rune(strings.Repeat(" ", cells))
	at := func(v float64) int { return int(math.Round(a.at(v) * float64(cells-1))) }
	put := func(v float64, r rune) {
		if k := at(v); k >= 0 && k < cells {
			row[k] = r
		}
	}
	put(1/(1+minEffect), s.edge)
	put(1+minEffect, s.edge)
	put(1, s.one)
	if !i.Absent() {
		low, high := at(i.Low), at(i.High)
		for k := max(0, low); k <= min(cells-1, high); k++ {
			row[k] = s.line
		}
		put(i.Low, s.left)
		put(i.High, s.right)
		if low < 0 {
			row[0] = s.beyondLeft
		}
		if high >= cells {
			row[cells-1] = s.beyondRight
		}
	}
	put(value, s.point)
	return string(row)
}

// scaleLine labels the plot: the axis' ends and 1 in the middle.
func scaleLine(a axis, cells int) string {
	n := places(a.high - a.low)
	low, high := ratio(a.low, n), ratio(a.high, n)
	middle := (cells - 1) / 2
	if len(low) >= middle || cells-len(high) <= middle+1 {
		return strings.Repeat(" ", middle) + "1" + strings.Repeat(" ", cells-middle-1)
	}
	left := low + strings.Repeat(" ", middle-len(low)) + "1"
	return left + strings.Repeat(" ", cells-len(left)-len(high)) + high
}

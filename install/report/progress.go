package report

import (
	"strconv"
	"strings"
	"time"
)

// progress is the goroutine that shows the counters. Our own dozen lines
// rather than a library of bars: one line says all there is, costs nothing
// before its delay is over, and has no state to drain at the end.
type progress struct {
	quit, gone chan struct{}
}

func startProgress(r *Reporter) *progress {
	p := &progress{quit: make(chan struct{}), gone: make(chan struct{})}
	if r.o.Terminal {
		go p.animate(r)
	} else {
		go p.log(r)
	}
	return p
}

func (p *progress) stop() {
	close(p.quit)
	<-p.gone
}

// animate redraws one line until told to stop, then takes it away.
func (p *progress) animate(r *Reporter) {
	defer close(p.gone)
	defer r.screen.redraw("")
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-timer.C:
			r.screen.redraw(fit(progressLine(r.counters.read()), r.o.Width))
			timer.Reset(interval)
		}
	}
}

// log writes a line now and then, if it has changed.
func (p *progress) log(r *Reporter) {
	defer close(p.gone)
	ticker := time.NewTicker(sparse)
	defer ticker.Stop()
	last := ""
	for {
		select {
		case <-p.quit:
			return
		case <-ticker.C:
			if line := progressLine(r.counters.read()); line != "" && line != last {
				r.screen.line(line)
				last = line
			}
		}
	}
}

// progressLine says what there is to say: nothing before the first counter
// moves, then each stage that has begun.
func progressLine(v [counterCount]int64) string {
	var parts []string
	if v[PackumentsWanted] > 0 && v[PackumentsDone] < v[PackumentsWanted] {
		parts = append(parts, "metadata "+ratio(v[PackumentsDone], v[PackumentsWanted]))
	}
	if v[Resolved] > 0 {
		parts = append(parts, "resolved "+strconv.FormatInt(v[Resolved], 10))
	}
	if v[TarballsWanted] > 0 {
		parts = append(parts, "fetched "+ratio(v[TarballsDone], v[TarballsWanted]))
	}
	if v[BytesFetched] > 0 {
		parts = append(parts, size(v[BytesFetched]))
	}
	if v[LinksDone] > 0 {
		parts = append(parts, "linked "+ratio(v[LinksDone], v[LinksWanted]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "weft: " + strings.Join(parts, ", ")
}

func ratio(done, wanted int64) string {
	return strconv.FormatInt(done, 10) + "/" + strconv.FormatInt(wanted, 10)
}

// fit cuts the line to one column less than the terminal has, so that it never
// wraps. Progress lines are ASCII.
func fit(line string, width func() int) string {
	columns := 80
	if width != nil {
		if w := width(); w >= 20 {
			columns = w
		}
	}
	if len(line) < columns {
		return line
	}
	return line[:columns-1]
}

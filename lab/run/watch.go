package run

import (
	"errors"
	"fmt"
	"time"

	"weft/lab/record"
)

// DefaultLoadMax is the load average over a minute, per CPU, above which
// nothing is measured.
const DefaultLoadMax = 0.5

// ErrBusy means that the machine has other work to do; the error around it says
// how much. Runner.Force measures nevertheless.
var ErrBusy = errors.New("run: the machine is busy")

// watch notices what would spoil a measurement while it goes on.
type watch struct {
	before record.Load
	known  bool
	last   time.Time
	cpus   int
}

const watchEvery = 5 * time.Second

// begin looks at the machine before the first run.
func (w *watch) begin(cpus int, most float64) error {
	w.before, w.known = record.ReadLoad()
	w.last, w.cpus = time.Now(), cpus
	if load := w.before.Averages[0] / float64(cpus); w.known && load > most {
		return fmt.Errorf("%w: its load is %.2f on %d CPUs, %.2f for each, above %.2f", ErrBusy, w.before.Averages[0], cpus, load, most)
	}
	return nil
}

// look gives notes, at most every few seconds. The load contains the programs
// themselves, so only one that they hardly explain is noted.
func (w *watch) look() []record.Note {
	if !w.known || time.Since(w.last) < watchEvery {
		return nil
	}
	w.last = time.Now()
	now, ok := record.ReadLoad()
	if !ok {
		return nil
	}
	return w.judge(now)
}

func (w *watch) judge(now record.Load) []record.Note {
	var notes []record.Note
	note := func(kind, format string, a ...any) {
		notes = append(notes, record.Note{Kind: kind, Text: fmt.Sprintf(format, a...), At: time.Now().UTC()})
	}
	if now.Averages[0] > 2*float64(w.cpus)+w.before.Averages[0] {
		note("load", "the load rose above %d on %d CPUs while measuring", 2*w.cpus, w.cpus)
	}
	if now.SwapBytes > w.before.SwapBytes+1<<20 {
		note("swap", "the machine swapped while measuring")
	}
	if w.before.MHz > 0 && now.MHz < 0.8*w.before.MHz {
		note("frequency", "the CPUs ran at less than 80 %% of the %.0f MHz that they had at the start", w.before.MHz)
	}
	return notes
}

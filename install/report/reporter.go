package report

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Options says where a Reporter writes and how. The zero value writes plain
// lines to the process's stderr.
type Options struct {
	// Stdout gets the JSON document, Stderr all else; nil is the process's own.
	Stdout, Stderr io.Writer
	// Terminal: Stderr shows lines to a person and can redraw one.
	Terminal bool
	// Width is the terminal's width in columns, asked before each redraw; nil
	// or a result below 20 means 80.
	Width func() int
	// Color: Stderr understands colours.
	Color bool
	// JSON prints one document (schema weft.install/v1) to Stdout at the end
	// and keeps progress and summary off Stderr.
	JSON bool
	// Quiet prints errors alone.
	Quiet bool
	// Verbose prints Detail lines and every deprecation and warning.
	Verbose bool
	// NoProgress shows no progress, neither as a line that moves nor as plain
	// ones.
	NoProgress bool
}

// Reporter is one install's voice. A nil *Reporter is silent and valid, so that
// a library caller need not make one. All methods may be called from any
// goroutine or task; Add does not block, the others may wait for a write to
// Stderr.
type Reporter struct {
	o        Options
	screen   *screen
	counters counters

	mu       sync.Mutex
	warnings []Warning
	seen     map[string]bool
	progress *progress
}

// warningLimit bounds what a hostile tree can make the reporter hold.
const warningLimit = 10_000

// New returns a Reporter. Progress begins with Start.
func New(o Options) *Reporter {
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	return &Reporter{o: o, screen: newScreen(o), seen: map[string]bool{}}
}

// Add moves a counter by n.
func (r *Reporter) Add(c Counter, n int64) {
	if r != nil {
		r.counters[c].n.Add(n)
	}
}

// Count reads a counter.
func (r *Reporter) Count(c Counter) int64 {
	if r == nil {
		return 0
	}
	return r.counters[c].n.Load()
}

// Warning is something odd that does not stop an install.
type Warning struct {
	// Code is stable: npm's where npm has one (EBADENGINE), else WARN_...
	Code string `json:"code"`
	// Package is name@version, or "" where it is about no package.
	Package string `json:"package,omitempty"`
	// What happened, one sentence without a full stop.
	What string `json:"what"`
	// Hint is one thing to do about it, "" if there is none.
	Hint string `json:"hint,omitempty"`
}

// Warn notes a warning for the summary; one that was noted before is dropped.
func (r *Reporter) Warn(w Warning) {
	if r == nil {
		return
	}
	key := w.Code + "\x00" + w.Package + "\x00" + w.What
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.seen[key] && len(r.warnings) < warningLimit {
		r.seen[key] = true
		r.warnings = append(r.warnings, w)
	}
}

// Detail prints one line under --verbose. The format's own text is trusted,
// its arguments are not.
func (r *Reporter) Detail(format string, args ...any) {
	if r != nil && r.o.Verbose && !r.o.Quiet {
		r.screen.line(clean(fmt.Sprintf(format, args...)))
	}
}

// Notice prints one line at once, unless quiet.
func (r *Reporter) Notice(text string) {
	if r != nil && !r.o.Quiet {
		r.screen.line(clean(text))
	}
}

// Verbose reports whether Detail prints, for callers whose arguments cost
// something.
func (r *Reporter) Verbose() bool { return r != nil && r.o.Verbose && !r.o.Quiet }

// Start begins to show progress. A Reporter that was started must be stopped.
func (r *Reporter) Start() {
	if r == nil || r.o.Quiet || r.o.JSON || r.o.NoProgress {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.progress == nil {
		r.progress = startProgress(r)
	}
}

// Stop takes the progress line off the screen; when it returns nothing more is
// drawn. It may be called twice, and without Start.
func (r *Reporter) Stop() {
	if r == nil {
		return
	}
	r.mu.Lock()
	p := r.progress
	r.progress = nil
	r.mu.Unlock()
	if p != nil {
		p.stop()
	}
}

// Finish stops the progress and prints the summary. Warnings noted with Warn
// are added to s's own.
func (r *Reporter) Finish(s Summary) error {
	if r == nil {
		return nil
	}
	r.Stop()
	s.Warnings = r.merge(s.Warnings)
	if r.o.JSON {
		return writeJSON(r.o.Stdout, newDocument(s, nil))
	}
	if r.o.Quiet {
		return nil
	}
	return r.screen.text(summaryText(s, r.o))
}

// Fail stops the progress, prints err's diagnosis and returns it. Under --json
// the document says the same to programs.
func (r *Reporter) Fail(err error) *Problem {
	p := Diagnose(err)
	if r == nil {
		return p
	}
	r.Stop()
	warnings := r.merge(nil)
	if r.o.JSON {
		_ = writeJSON(r.o.Stdout, newDocument(Summary{Warnings: warnings}, p))
	}
	text := problemText(p, r.o)
	if !r.o.Quiet && !r.o.JSON {
		text = warningsText(warnings, r.o) + text
	}
	_ = r.screen.text(text)
	return p
}

func (r *Reporter) merge(own []Warning) []Warning {
	for _, w := range own {
		r.Warn(w)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Warning(nil), r.warnings...)
}

// interval and delay are the progress line's pace on a terminal, sparse the
// pace of plain lines.
const (
	delay    = 200 * time.Millisecond
	interval = 100 * time.Millisecond
	sparse   = 10 * time.Second
)

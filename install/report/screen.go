package report

import (
	"io"
	"sync"
)

// screen is the one writer of Stderr. It knows whether a progress line stands
// there, and takes it away before anything else is written.
type screen struct {
	mu    sync.Mutex
	w     io.Writer
	drawn string
}

func newScreen(o Options) *screen { return &screen{w: o.Stderr} }

// eraseLine goes to the first column and clears to the end of the line.
const eraseLine = "\r\x1b[K"

// redraw shows line in place of the one that stands there; "" shows none. An
// unchanged line costs nothing.
func (s *screen) redraw(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if line == s.drawn {
		return
	}
	s.drawn = line
	_, _ = io.WriteString(s.w, eraseLine+line)
}

// line writes one line above the progress.
func (s *screen) line(text string) { _ = s.text(text + "\n") }

// text writes whole lines in one call, so that those of two processes which
// share a terminal mix by lines at worst.
func (s *screen) text(text string) error {
	if text == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drawn != "" {
		text = eraseLine + text
		s.drawn = ""
	}
	_, err := io.WriteString(s.w, text)
	return err
}

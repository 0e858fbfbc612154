package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// benchProgress shows how far an experiment is: on a terminal one line that is
// redrawn, elsewhere a plain line now and then. Its methods may be called from
// any goroutine; nil shows nothing.
type benchProgress struct {
	w        io.Writer
	terminal bool
	width    func() int
	now      func() time.Time

	mu         sync.Mutex
	begun      time.Time
	text       string
	done, all  int
	since      time.Time // of the first run that counts for the time left
	sinceDone  int
	drawn      string
	stop, over chan struct{}
}

// Pace of the progress, as install has it.
const (
	benchDelay    = 200 * time.Millisecond
	benchInterval = 100 * time.Millisecond
	benchSparse   = 10 * time.Second
)

func startBenchProgress(w io.Writer, terminal bool, width func() int) *benchProgress {
	p := &benchProgress{w: w, terminal: terminal, width: width, now: time.Now, stop: make(chan struct{}), over: make(chan struct{})}
	p.begun = p.now()
	go p.loop()
	return p
}

func (p *benchProgress) loop() {
	defer close(p.over)
	interval := benchSparse
	if p.terminal {
		interval = benchInterval
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.draw()
		}
	}
}

// at says that done of all runs are over, and what is under way.
func (p *benchProgress) at(done, all int, text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() || done < p.sinceDone {
		p.since, p.sinceDone = p.now(), done
	}
	p.done, p.all, p.text = done, all, text
}

// left estimates the time to the end from the runs so far; "" without one.
func (p *benchProgress) left() string {
	runs := p.done - p.sinceDone
	if runs <= 0 {
		return ""
	}
	each := p.now().Sub(p.since) / time.Duration(runs)
	return ", " + roughly(each*time.Duration(p.all-p.done)) + " left"
}

// roughly writes a duration as people say it.
func roughly(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than a second"
	case d < 90*time.Second:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 90*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

func (p *benchProgress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" || p.terminal && p.now().Sub(p.begun) < benchDelay {
		return
	}
	line := fmt.Sprintf("run %d of %d%s: %s", min(p.done+1, p.all), p.all, p.left(), p.text)
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
	}
	if width := p.width(); width >= 20 && len([]rune(line)) >= width {
		line = string([]rune(line)[:width-1])
	}
	if line != p.drawn {
		p.drawn = line
		_, _ = io.WriteString(p.w, benchErase+line)
	}
}

// line writes a whole line above the progress.
func (p *benchProgress) line(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	_, _ = io.WriteString(p.w, strings.TrimRight(text, "\n")+"\n")
}

func (p *benchProgress) erase() {
	if p.drawn != "" {
		_, _ = io.WriteString(p.w, benchErase)
		p.drawn = ""
	}
}

const benchErase = "\r\x1b[K"

// end takes the progress off the screen; nothing is drawn afterwards.
func (p *benchProgress) end() {
	if p == nil {
		return
	}
	close(p.stop)
	<-p.over
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

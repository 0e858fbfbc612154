package main

import (
	"strings"
	"testing"
	"time"
)

func TestBenchProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	p := &benchProgress{w: &out, terminal: true, width: func() int { return 50 }, now: func() time.Time { return now }, begun: now}
	p.at(2, 10, "block 1, new")
	p.draw()
	if out.Len() != 0 {
		t.Errorf("drawn before its time: %q", out.String())
	}
	now = now.Add(time.Second)
	p.draw() // nothing is known of the time left
	p.at(4, 10, "block 2, old")
	p.draw()
	p.draw() // unchanged
	p.line("a note")
	p.at(5, 10, strings.Repeat("long ", 20))
	now = now.Add(2 * time.Second)
	p.draw()
	want := benchErase + "run 3 of 10: block 1, new" +
		benchErase + "run 5 of 10, 3 s left: block 2, old" +
		benchErase + "a note\n" +
		benchErase + "run 6 of 10, 5 s left: long long long long long l"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBenchProgressPlain(t *testing.T) {
	var out strings.Builder
	p := startBenchProgress(&out, false, nil)
	p.draw() // nothing to say yet
	p.at(0, 3, "warm-up")
	p.draw()
	p.line("a note")
	p.end()
	if got := out.String(); got != "run 1 of 3: warm-up\na note\n" {
		t.Errorf("%q", got)
	}
	var none *benchProgress
	none.at(1, 2, "x")
	none.line("x")
	none.end()
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		10 * time.Millisecond: "less than a second", 3 * time.Second: "3 s", 89 * time.Second: "89 s", 10 * time.Minute: "10 min", 3 * time.Hour: "3.0 h",
	} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

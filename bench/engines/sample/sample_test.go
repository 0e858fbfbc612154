package sample

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

var example = Sample{
	Workload: "spawn", Parallelism: 4, Ops: 1000, Wall: 150 * time.Microsecond, CPU: 290 * time.Microsecond,
	MaxRSS: 5 << 20, Threads: 7, Checksum: -3,
}

func TestLine(t *testing.T) {
	const line = "spawn 4 1000 150000 290000 5242880 7 -3"
	if got := example.Line(); got != line {
		t.Errorf("line %q, not %q", got, line)
	}
	if got, err := Parse(line); err != nil || got != example {
		t.Errorf("parsed %+v, %v", got, err)
	}
	if example.WallPerOp() != 150 || example.CPUPerOp() != 290 {
		t.Errorf("an operation took %g and %g", example.WallPerOp(), example.CPUPerOp())
	}
}

func TestParseRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"nothing":             "",
		"a field too few":     "spawn 4 1000 150000 290000 5242880 7",
		"a field too many":    "spawn 4 1000 150000 290000 5242880 7 0 0",
		"no number":           "spawn four 1000 150000 290000 5242880 7 0",
		"a fraction":          "spawn 4 1000 1.5 290000 5242880 7 0",
		"too large a number":  "spawn 4 1000 99999999999999999999 290000 5242880 7 0",
		"no operations":       "spawn 4 0 150000 290000 5242880 7 0",
		"a clock that stands": "spawn 4 1000 0 290000 5242880 7 0",
		"no parallelism":      "spawn 0 1000 150000 290000 5242880 7 0",
		"negative time":       "spawn 4 1000 150000 -1 5242880 7 0",
	} {
		if s, err := Parse(line); err == nil {
			t.Errorf("%s: read as %+v", name, s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("spawn 4 1000 150000 290000 5242880 7 -3")
	f.Add("a 1 1 1 0 0 0 0")
	f.Add("spawn 4 +1000 150000 290000 5242880 7 -3")
	f.Fuzz(func(t *testing.T, line string) {
		s, err := Parse(line)
		if err != nil {
			return
		}
		if again, err := Parse(s.Line()); err != nil || again != s {
			t.Errorf("%q is %+v, and %q again %+v, %v", line, s, s.Line(), again, err)
		}
	})
}

func TestFile(t *testing.T) {
	var text strings.Builder
	w := NewWriter(&text)
	first, second := example, example
	first.Round, first.Engine = 1, "weft"
	second.Round, second.Engine = 2, "tokio"
	for _, err := range []error{
		w.Fact("cpu", "a: b"), w.Sample(first), w.Fact("failed", "two\nlines"), w.Sample(second), w.Fact("load after", "0.1"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	facts, samples, err := Read(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if want := []Fact{{"cpu", "a: b"}, {"failed", "two lines"}, {"load after", "0.1"}}; !reflect.DeepEqual(facts, want) {
		t.Errorf("facts %q", facts)
	}
	if want := []Sample{first, second}; !reflect.DeepEqual(samples, want) {
		t.Errorf("samples %+v", samples)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"other columns": "a,b\n1,2\n",
		"a short row":   columns + "\n1,weft,spawn\n",
		"no round":      columns + "\nx,weft,spawn,4,1000,150000,290000,5242880,7,0\n",
		"no time":       columns + "\n1,weft,spawn,4,1000,,290000,5242880,7,0\n",
	} {
		if _, _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}

type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("disk full")

func TestWriterKeepsItsError(t *testing.T) {
	w := NewWriter(&broken{after: 2})
	if err := w.Sample(example); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Sample(example); err != errFull {
			t.Errorf("got %v", err)
		}
	}
}

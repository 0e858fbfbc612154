package plan

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func read(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, name); !bytes.Equal(want, got) {
		t.Errorf("%s differs (-update accepts it):\n%s", name, got)
	}
}

func whole() *Plan {
	return &Plan{
		Name: "faster parser: really",
		Arms: []Arm{
			{
				Name: "old", Command: Command{[]string{"./old", "parse", "{file}", "--threads", "{threads}", "{{literal}}"}},
				Env: map[string]string{"GOMAXPROCS": "2", "MODE": "a b"}, Cwd: "work/{arm}",
				Setup: Command{[]string{"make", "old"}}, Prepare: Command{[]string{"rm", "-rf", "out"}}, Cleanup: Command{[]string{"rm", "-rf", "out"}},
			},
			{Name: "new", Shell: true, Command: Command{[]string{"./new parse {file} | wc -l\necho ${HOME}\n"}}},
		},
		Workloads: []Workload{{"small", []Value{{"file", "small.json"}}}, {"big", []Value{{"file", "big file.json"}}}},
		Matrix:    []Parameter{{"threads", []string{"1", "2", "0.5"}}},
		Blocks:    12, Warmups: 2, Confirmations: 1, MemoryRuns: 3, Order: Shuffled, Seed: 1<<53 - 1,
		Primary:   []string{"wall_ns", "m:requests"},
		Metrics:   []Metric{{"m:requests", More, 0.05, 0}, {"vol_switches", Less, 0, 10}},
		MinEffect: 0.01, Outputs: OutputsEqual, Source: SourceLines, Network: NetworkIsolated,
		Timeout: 90 * time.Second, AllowFailure: true, Gate: []string{"slower", "inconclusive"},
	}
}

func TestParse(t *testing.T) {
	small := Default()
	small.Arms = []Arm{{Name: "old", Command: Command{[]string{"./old", "build"}}}, {Name: "new", Command: Command{[]string{"./new", "build"}}}}
	for name, want := range map[string]*Plan{"small.yaml": small, "whole.yaml": whole(), "whole.toml": whole()} {
		got, err := Parse(name, read(t, "good", name))
		if err != nil {
			t.Errorf("%v", err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
	}
}

// TestMistakes compares all messages for the files of testdata/bad.
func TestMistakes(t *testing.T) {
	files, err := os.ReadDir("testdata/bad")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, f := range files {
		_, err := Parse(f.Name(), read(t, "bad", f.Name()))
		e := (*Error)(nil)
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		if e.Line == 0 || e.Column == 0 {
			t.Errorf("%v has no place", e)
		}
		fmt.Fprintf(&b, "%v\n", e)
		if e.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", e.Hint)
		}
	}
	golden(t, "mistakes.txt", b.Bytes())
}

func TestHugeFiles(t *testing.T) {
	for name, text := range map[string]string{
		"long.yaml":   strings.Repeat("# x\n", FileBytesMax/4+1),
		"deep.yaml":   "a: " + strings.Repeat("[", 100_000),
		"deep.toml":   "a = " + strings.Repeat("[", 100_000),
		"dashes.yaml": strings.Repeat("- ", 100_000) + "x",
		"colons.yaml": strings.Repeat("? ", 100_000) + "x",
		"steps.yaml":  steps(600),
		"cells.yaml":  "arms: [{name: a, command: x}]\nmatrix:\n" + wide(5, 50),
		"runs.yaml":   "arms: [{name: a, command: x}]\nblocks: 10000\nconfirmations: 20\nmatrix:\n" + wide(2, 30),
		"utf8.yaml":   "name: \xff",
		"fill.yaml":   "arms: [{name: a, command: '" + strings.Repeat("{x}", 5000) + "'}]\nworkloads: [{name: w, values: {x: " + strings.Repeat("y", TextBytesMax) + "}}]",
	} {
		p, err := Parse(name, []byte(text))
		if name == "fill.yaml" && err == nil {
			_, err = p.Arms[0].In(p.Cells()[0])
		}
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func wide(parameters, values int) string {
	var b strings.Builder
	for i := range parameters {
		fmt.Fprintf(&b, "  p%d: [0", i)
		for v := 1; v < values; v++ {
			fmt.Fprintf(&b, ", %d", v)
		}
		b.WriteString("]\n")
	}
	return b.String()
}

func TestSuggest(t *testing.T) {
	known := []string{"blocks", "warmups", "gate", "timeout"}
	for name, want := range map[string]string{"block": "blocks", "Blocks": "blocks", "blokcs": "blocks", "pairs": "blocks", "timeuot": "timeout", "zebra": "", "": "", "fail-on": "gate"} {
		if got := suggest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestMarshal(t *testing.T) {
	golden(t, "whole.golden.yaml", whole().Marshal())
}

// TestMarshalRoundTrip writes plans with strange texts and reads them back.
func TestMarshalRoundTrip(t *testing.T) {
	strange := rapid.OneOf(rapid.StringMatching(`[a-z{}'"\\:#&*!|>%@\x60,\[\]?~ \n\t-]{0,10}`), rapid.SampledFrom([]string{"true", "null", "~", "1", "1e3", "2001-01-01", "0x1", "=", "<<", "- a", "\u2028", "\u0085", "é\U0001F600", "\a\x7f", "no"}))
	rapid.Check(t, func(t *rapid.T) {
		p := whole()
		p.Arms[0].Command.Args = append([]string{"x"}, rapid.SliceOfN(strange, 0, 3).Draw(t, "args")...)
		for i, arg := range p.Arms[0].Command.Args {
			p.Arms[0].Command.Args[i] = literal(arg)
		}
		p.Arms[0].Env = map[string]string{"A": literal(strange.Draw(t, "env"))}
		p.Arms[1].Command.Args = []string{"x" + literal(strange.Draw(t, "shell"))}
		p.Workloads[0].Values[0].Text = strange.Draw(t, "value")
		p.Name = strange.Draw(t, "name")
		text := p.Marshal()
		got, err := Parse("plan.yaml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !reflect.DeepEqual(got, p) {
			t.Fatalf("got %+v\nwant %+v\n%s", got, p, text)
		}
	})
}

func TestShare(t *testing.T) {
	for text, want := range map[string]float64{"0.02": 0.02, "2%": 0.02, " 5 % ": 0.05, "1e-3": 0.001} {
		if got, ok := Share(text); !ok || got != want {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
	for _, bad := range []string{"", "%", "two", "0.02x", "1 2", "NaN", "inf"} {
		if got, ok := Share(bad); ok {
			t.Errorf("%q is %v", bad, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, dir := range []string{"good", "bad"} {
		files, err := os.ReadDir(filepath.Join("testdata", dir))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			f.Add(strings.HasSuffix(file.Name(), ".toml"), read(f, dir, file.Name()))
		}
	}
	f.Fuzz(func(t *testing.T, isTOML bool, data []byte) {
		name := "plan.yaml"
		if isTOML {
			name = "plan.toml"
		}
		p, err := Parse(name, data)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if len(Schedule(p, 2)) == 0 {
			t.Error("no steps")
		}
		again, err := Parse("plan.yaml", p.Marshal())
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Marshal())
		}
		if !bytes.Equal(again.Marshal(), p.Marshal()) {
			t.Errorf("changed by a round trip:\n%s\n%s", p.Marshal(), again.Marshal())
		}
	})
}

package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/bench/engines/engine"
	"weft/bench/engines/sample"
)

// TestMain makes the test's own executable an engine where it is started as one:
// an honest one, or one of those that go wrong in a way that the verb names.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], ChildVerb) {
		os.Exit(m.Run())
	}
	job, err := engine.ParseJob(os.Args[2:])
	if err != nil {
		panic(err)
	}
	name, fault := job.Engine, os.Args[1]
	job.Engine = "go-channel"
	s, err := job.Run()
	if err != nil {
		panic(err)
	}
	s.Wall = time.Duration(s.Ops) * 1000 // a clock that makes calibration certain
	switch fault {
	case ChildVerb + "-crash":
		fmt.Fprintf(os.Stderr, "panic: %s is broken\n\ngoroutine 1 [running]:\n", name)
		os.Exit(2)
	case ChildVerb + "-lazy":
		s.Checksum--
	case ChildVerb + "-other":
		s.Ops++
	case ChildVerb + "-chatty":
		fmt.Println("hello")
	}
	fmt.Println(s.Line())
}

func program(t *testing.T, name, verb string) Program {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{Engine: name, Command: []string{self, verb}, Runs: func(string, int) bool { return true }}
}

func ground(t *testing.T) *Ground {
	g, err := NewGround()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(g.File); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", g.File, err)
		}
	})
	return g
}

func workloads(t *testing.T, names ...string) (all []engine.Workload) {
	for _, name := range names {
		w, ok := engine.FindWorkload(name)
		if !ok {
			t.Fatalf("no workload %s", name)
		}
		all = append(all, w)
	}
	return all
}

func TestTakeFindsFaults(t *testing.T) {
	job := engine.Job{Workload: "panic", Parallelism: 2, Ops: 300}
	s, err := program(t, "honest", ChildVerb).Take(context.Background(), job)
	if err != nil || s.Engine != "honest" || s.Checksum != 3*4950 {
		t.Errorf("%+v, %v", s, err)
	}
	for verb, says := range map[string]string{
		"-crash": "panic: made is broken", "-lazy": "checksum", "-other": "something else", "-chatty": "fields",
	} {
		_, err := program(t, "made", ChildVerb+verb).Take(context.Background(), job)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "made, panic at 2: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", verb, err)
		}
	}
	_, err = Program{Engine: "none", Command: []string{"/nonexistent"}}.Take(context.Background(), job)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestRounds(t *testing.T) {
	plan := Plan{
		Programs:  []Program{program(t, "a", ChildVerb), program(t, "b", ChildVerb), program(t, "bad", ChildVerb+"-lazy")},
		Workloads: workloads(t, "panic", "spawn"), Parallelism: []int{1, 2},
		Rounds: 3, Sample: 3 * time.Millisecond, Seed: 5, Ground: ground(t),
	}
	plan.Programs[1].Runs = func(workload string, parallelism int) bool { return workload == "spawn" || parallelism == 2 }
	orders := [2][]string{}
	for i := range orders {
		var samples []sample.Sample
		failures := 0
		err := plan.Run(context.Background(), func(s sample.Sample) error {
			samples = append(samples, s)
			return nil
		}, func(err error) {
			failures++
			if !strings.HasPrefix(err.Error(), "calibrating: bad, ") {
				t.Error(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(samples) != 3*7 || failures != 4 {
			t.Fatalf("%d samples and %d failures", len(samples), failures)
		}
		for _, s := range samples {
			// A thousand nanoseconds an operation: 3 ms are 3000 of them.
			if s.Ops != 3000 || s.Engine == "bad" {
				t.Errorf("%+v", s)
			}
			orders[i] = append(orders[i], fmt.Sprintln(s.Round, s.Engine, s.Workload, s.Parallelism))
		}
		// What is compared runs side by side.
		for j := 0; j+1 < len(samples); j++ {
			a, b := samples[j], samples[j+1]
			apart := slices.IndexFunc(samples[j+1:], func(s sample.Sample) bool {
				return s.Round == a.Round && s.Workload == a.Workload && s.Parallelism == a.Parallelism
			})
			if apart > 0 {
				t.Errorf("between %+v and its peer is %+v", a, b)
			}
		}
	}
	if !slices.Equal(orders[0], orders[1]) {
		t.Error("one seed, two orders")
	}
	checkOrder(t, orders[0])
}

// checkOrder looks at three rounds of 7 samples, "round engine workload
// parallelism" each: they hold the same, in orders that differ both in the
// blocks and within them.
func checkOrder(t *testing.T, order []string) {
	var rounds, blocks, within [3][]string
	for i, name := range order {
		_, name, _ = strings.Cut(name, " ")
		engineName, rest, _ := strings.Cut(name, " ")
		round := i / 7
		rounds[round] = append(rounds[round], name)
		if !slices.Contains(blocks[round], rest) {
			blocks[round] = append(blocks[round], rest)
			within[round] = append(within[round], rest+engineName) // who is first
		}
	}
	for i := range rounds {
		slices.Sort(rounds[i])
		slices.Sort(within[i])
	}
	for i := range 2 {
		if !slices.Equal(rounds[i], rounds[i+1]) {
			t.Errorf("rounds differ in what they hold: %q", rounds)
		}
	}
	if slices.Equal(blocks[0], blocks[1]) && slices.Equal(blocks[1], blocks[2]) {
		t.Errorf("every round has the same order of blocks: %q", blocks)
	}
	if slices.Equal(within[0], within[1]) && slices.Equal(within[1], within[2]) {
		t.Errorf("every round has the same order within blocks: %q", within)
	}
}

func TestRoundsEnd(t *testing.T) {
	plan := Plan{
		Programs: []Program{program(t, "a", ChildVerb)}, Workloads: workloads(t, "panic"), Parallelism: []int{1},
		Rounds: 1000, Sample: time.Millisecond, Ground: ground(t),
	}
	full := errors.New("disk full")
	if err := plan.Run(context.Background(), func(sample.Sample) error { return full }, func(err error) { t.Error(err) }); err != full {
		t.Errorf("keep failed, Run says %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err := plan.Run(ctx, func(sample.Sample) error { cancel(); return nil }, func(err error) { t.Error(err) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, Run says %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	for _, fact := range Environment(context.Background()) {
		if fact.Value == "" || strings.Contains(fact.Value, "\n") {
			t.Errorf("%s: %q", fact.Key, fact.Value)
		}
	}
}

// The Rust program is built once, into the folder that measurements use.
func TestTokioDoesTheWork(t *testing.T) {
	if testing.Short() {
		t.Skip("building Tokio takes half a minute")
	}
	path, err := BuildTokio(context.Background(), filepath.Join("..", "tokio"), filepath.Join("..", "..", "results", "tokio"))
	if err != nil {
		t.Skip("without Tokio: ", err)
	}
	// Reading them makes go test run again after a change of them.
	sources, err := filepath.Glob("../tokio/src/*.rs")
	for _, name := range sources {
		if _, err := os.ReadFile(name); err != nil {
			t.Error(err)
		}
	}
	if err != nil || len(sources) == 0 {
		t.Errorf("no sources: %v", err)
	}
	g := ground(t)
	for _, p := range TokioPrograms(path) {
		for _, w := range engine.Workloads() {
			for _, parallelism := range []int{1, 3} {
				if !p.Runs(w.Name, parallelism) {
					continue
				}
				job := engine.Job{Workload: w.Name, Parallelism: parallelism, Warm: w.Unit, Ops: w.Round(34), File: g.File, Echo: g.Echo}
				s, err := p.Take(context.Background(), job)
				if err != nil {
					t.Error(err)
				} else if s.Threads < 1 || s.MaxRSS < 1<<19 {
					t.Errorf("%s: %+v", p.Engine, s)
				}
			}
		}
	}
	job := engine.Job{Workload: "panic-trace", Parallelism: 1, Ops: 100, File: g.File, Echo: g.Echo}
	if _, err := TokioPrograms(path)[0].Take(context.Background(), job); err == nil {
		t.Error("it did a workload that it does not have")
	}
}

func TestTokioSaysWhatIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := BuildTokio(context.Background(), ".", t.TempDir()); err == nil || !strings.Contains(err.Error(), "cargo is not installed") {
		t.Errorf("without cargo: %v", err)
	}
}

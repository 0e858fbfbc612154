//go:build weftsim

package checker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"weft/internal/sy"
)

// program is a random model: what it does is fixed by its seed.
type program struct{ seed uint64 }

// make is the model of the program; each end of a run is put into ends.
func (p program) make(ends map[string]bool) func(x *Explorer) Model {
	return func(x *Explorer) Model {
		random := rand.New(rand.NewPCG(p.seed, 1))
		env := x.Env()
		var words [2]sy.Uint32
		var mutexes [2]sy.Mutex
		place := env.NewParker()
		record := make([]string, 3)
		var threads []Thread
		for i := range record {
			var acts []func()
			see := func(v any) { record[i] += fmt.Sprint(v, " ") }
			for range 2 + random.IntN(2) {
				w, m := &words[random.IntN(2)], &mutexes[random.IntN(2)]
				v := random.Uint32N(3)
				choice := random.IntN(8)
				if i > 0 && choice == 7 {
					choice = 6
				}
				acts = append(acts, func() {
					switch choice {
					case 0:
						see(w.Load())
					case 1:
						w.Store(v)
					case 2:
						see(w.Add(1))
					case 3:
						see(w.CompareAndSwap(v, v+1))
					case 4:
						m.Lock()
						w.Store(words[0].Load() + v)
						m.Unlock()
					case 5:
						got := m.TryLock()
						see(got)
						if got {
							m.Unlock()
						}
					case 6:
						place.Unpark()
					case 7:
						place.Park()
					}
				})
			}
			threads = append(threads, Thread{fmt.Sprint("t", i), func() {
				for _, act := range acts {
					act()
				}
				see("end")
			}})
		}
		return Model{Threads: threads, Idle: func(string) bool { return true }, Check: func() string {
			ends[fmt.Sprint(strings.Join(record, "|"), words[0].Load(), words[1].Load())] = true
			return ""
		}}
	}
}

// TestModelReduction compares the ends of random programs with and without the
// reduction, unbounded and bounded.
func TestModelReduction(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var all, some int
	for i := range uint64(24) {
		for _, bound := range []int{0, 1, 2} {
			if bound == 0 && i%4 != 0 {
				continue // all interleavings are many
			}
			p := program{seed + i}
			want, got := map[string]bool{}, map[string]bool{}
			full := Run(Options{Every: true, Preemptions: bound, Runs: 30_000}, p.make(want))
			less := Run(Options{Preemptions: bound}, p.make(got))
			if strings.HasPrefix(full.Failure, "more than") {
				continue
			}
			if full.Failure != "" || less.Failure != "" {
				t.Fatalf("program %d: %q, %q", p.seed, full.Failure, less.Failure)
			}
			all, some = all+full.Runs, some+less.Runs+less.Cut
			for end := range want {
				if !got[end] {
					t.Fatalf("program %d, bound %d: %q is not reached (%d of %d ends are)", p.seed, bound, end, len(got), len(want))
				}
			}
			if bound == 0 && len(got) != len(want) {
				t.Fatalf("program %d: %d ends instead of %d", p.seed, len(got), len(want))
			}
		}
	}
	t.Logf("%d runs in place of %d", some, all)
	if all == 0 {
		t.Error("no program was small enough to compare")
	}
}

// counter is the model of two threads that add one by a load and a store.
func counter(x *Explorer) Model {
	var n sy.Int32
	add := func() { n.Store(n.Load() + 1) }
	return Model{
		Threads: []Thread{{"a", add}, {"b", add}},
		Check: func() string {
			if v := n.Load(); v != 2 {
				return fmt.Sprint("the sum is ", v)
			}
			return ""
		},
	}
}

func TestModelReplay(t *testing.T) {
	found := Run(Options{}, counter)
	if found.Failure != "the sum is 1" {
		t.Fatalf("the lost addition was not found: %+v", found)
	}
	choices, err := Parse(Format(found.Choices))
	if err != nil || !slices.Equal(choices, found.Choices) {
		t.Fatalf("%v became %v: %v", found.Choices, choices, err)
	}
	var steps []string
	again := Run(Options{Replay: choices, Trace: func(s string) { steps = append(steps, s) }}, counter)
	if again.Failure != found.Failure || again.Runs != 1 || len(steps) != 6 || !strings.Contains(steps[1], "model_test.go") {
		t.Fatalf("%+v\n%s", again, strings.Join(steps, "\n"))
	}
}

func TestModelDeadlock(t *testing.T) {
	result := Run(Options{}, func(x *Explorer) Model {
		var a, b sy.Mutex
		both := func(first, second *sy.Mutex) func() {
			return func() {
				first.Lock()
				defer first.Unlock()
				second.Lock()
				defer second.Unlock()
			}
		}
		return Model{Threads: []Thread{{"left", both(&a, &b)}, {"right", both(&b, &a)}}}
	})
	if !strings.HasPrefix(result.Failure, "deadlock: ") || !strings.Contains(result.Failure, "right waits to lock") {
		t.Fatalf("%+v", result)
	}
}

func TestModelFaults(t *testing.T) {
	for _, effect := range []sy.Effect{sy.Whole, sy.LeftOut, sy.Blind} {
		result := Run(Options{}, func(x *Explorer) Model {
			var mu sy.Mutex
			var n sy.Int32
			add := func() {
				mu.Lock()
				n.Store(n.Load() + 1)
				mu.Unlock()
			}
			return Model{
				Threads: []Thread{{"a", add}, {"b", add}},
				Fault: func(_ string, op sy.Op) sy.Effect {
					if op.Kind == sy.Lock {
						return effect
					}
					return sy.Whole
				},
				Check: func() string {
					if n.Load() != 2 {
						return "lost"
					}
					return ""
				},
			}
		})
		if (result.Failure == "lost") != (effect != sy.Whole) {
			t.Errorf("effect %d: %+v", effect, result)
		}
	}
}

func TestModelPanicAndChoose(t *testing.T) {
	var seen []int
	result := Run(Options{}, func(x *Explorer) Model {
		return Model{Threads: []Thread{{"a", func() {
			n := x.Choose(3)
			seen = append(seen, n)
			if n == 2 {
				panic("two")
			}
		}}}}
	})
	if !strings.HasPrefix(result.Failure, "panic in a: two") || !slices.Equal(seen, []int{0, 1, 2}) {
		t.Fatalf("%+v %v", result, seen)
	}
}

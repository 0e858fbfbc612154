//go:build weftsim

package task

import (
	"context"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"weft/internal/checker"
	"weft/internal/sy"
)

// Models of the runtime's protocols, one a file (model_*_test.go), explored by
// package checker. They run the functions of production, in an environment of
// threads and parking places that the explorer decides, and each comes with
// faults planted into single operations, with which it must fail:
//
//	go test -tags weftsim -run Model ./task
//
// docs/guide/model-checking.md says what each proves.

var deeper = flag.Int("deeper", 0, "preemptions that bounded models allow beyond their own")

var replay = flag.String("replay", "", "choices of a failed model: make that run alone and log every step")

// model is one instance of a model, and its faults by name.
type model struct {
	checker.Model
	faults map[string]fault
}

// fault spoils operations, see checker.Model.
type fault func(thread string, op sy.Op) sy.Effect

// spoil is a fault of every operation of this kind on the object at.
func spoil[T any](at *T, kind sy.Kind, effect sy.Effect) fault {
	return func(_ string, op sy.Op) sy.Effect {
		if op.At == unsafe.Pointer(at) && op.Kind == kind {
			return effect
		}
		return sy.Whole
	}
}

// in confines a fault to threads whose names begin so.
func (f fault) in(threads string) fault {
	return func(thread string, op sy.Op) sy.Effect {
		if strings.HasPrefix(thread, threads) {
			return f(thread, op)
		}
		return sy.Whole
	}
}

// number confines a fault to the nth time it would strike.
func (f fault) number(n int) fault {
	return func(thread string, op sy.Op) sy.Effect {
		effect := f(thread, op)
		if effect != sy.Whole {
			if n--; n != 0 {
				return sy.Whole
			}
		}
		return effect
	}
}

// while confines a fault to states where cond holds.
func (f fault) while(cond func() bool) fault {
	return func(thread string, op sy.Op) sy.Effect {
		sy.Hold()
		defer sy.Release()
		if cond() {
			return f(thread, op)
		}
		return sy.Whole
	}
}

// await waits until cond, which depends on the object at alone, holds.
func await[T any](x *checker.Explorer, at *T, cond func() bool) { x.Await(unsafe.Pointer(at), cond) }

// newModelRuntime starts a runtime in the environment of a model: p permits, short
// rings, no slices, no watch for stalls, no janitor.
func newModelRuntime(env *checker.Env, p, workers int) *Runtime {
	rt, err := Start(Config{Env: env, Parallelism: p, MaxWorkers: workers, StackPool: 4 * p, StallAfter: -1, Timeslice: -1})
	if err != nil {
		panic(err)
	}
	rt.janitor.armed.Store(true) // it would come by again and again
	rt.janitor.asked.Store(true)
	return rt
}

// capWorkers lets rt have n workers at most.
func capWorkers(rt *Runtime, n int) {
	rt.workers = rt.workers[:n]
	rt.vacant.init(len(rt.workers))
	for i := range n {
		rt.vacant.set(i)
	}
}

// newModelTask makes a task below up that nobody runs.
func newModelTask(up *task) *task {
	h := &Handle[int]{}
	t := &h.task
	t.body, t.up, t.family, t.clean = h, up, up.family, up.clean
	return t
}

// prove explores a model, which must hold, and then with each of its faults,
// which it must notice.
func prove(t *testing.T, options checker.Options, build func(x *checker.Explorer, env *checker.Env) model) {
	t.Helper()
	size, rounds, scans, plain := ringSize, searchRounds, restless, plainRuntime
	defer func() { ringSize, searchRounds, restless, plainRuntime = size, rounds, scans, plain }()
	ringSize, searchRounds, restless = 4, 2, 1 // a slot is taken in the second round
	faults := map[string]bool{}
	with := func(name string) func(x *checker.Explorer) checker.Model {
		return func(x *checker.Explorer) checker.Model {
			stacks = registry{}
			env := x.Env()
			plainRuntime = &Runtime{env: env}
			plainRuntime.root.family = &family{rt: plainRuntime, base: context.Background()}
			m := build(x, env)
			for f := range m.faults {
				faults[f] = true
			}
			m.Fault = m.faults[name]
			return m.Model
		}
	}
	t.Run("whole", func(t *testing.T) {
		examine(t, options, with(""))
	})
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		t.Run(name, func(t *testing.T) {
			if *replay != "" {
				examine(t, options, with(name))
				return
			}
			result := checker.Run(options, with(name))
			if result.Failure == "" || strings.HasPrefix(result.Failure, "more than") {
				t.Errorf("the model does not notice this fault in %d runs %s", result.Runs, result.Failure)
				return
			}
			brief, _, _ := strings.Cut(result.Failure, "\n")
			t.Logf("noticed in run %d: %s", result.Runs+result.Cut, brief)
		})
	}
}

// examine explores and reports.
func examine(t *testing.T, options checker.Options, build func(x *checker.Explorer) checker.Model) {
	t.Helper()
	if *replay != "" {
		choices, err := checker.Parse(*replay)
		if err != nil {
			t.Fatal(err)
		}
		options.Replay, options.Trace = choices, func(step string) { t.Log(step) }
	}
	result := checker.Run(options, build)
	t.Logf("%d interleavings, %d cut short, %d steps", result.Runs, result.Cut, result.Steps)
	if result.Failure != "" {
		t.Errorf("%s\nevery step: go test -tags weftsim -v -run '^%s$' ./task -replay %s",
			result.Failure, t.Name(), checker.Format(result.Choices))
	}
}

// preemptions is the bound of models that are too large for every interleaving.
func preemptions(n int) checker.Options {
	options := checker.Options{Preemptions: n + *deeper}
	if *deeper > 0 {
		options.Runs = 100_000_000
	}
	return options
}

// threads makes a list of names and functions.
func threads(named ...any) (list []checker.Thread) {
	for i := 0; i < len(named); i += 2 {
		list = append(list, checker.Thread{Name: named[i].(string), Run: named[i+1].(func())})
	}
	return list
}

//go:build weftsim

package checker

import (
	"fmt"
	"unsafe"

	"weft/internal/sy"
)

// Limits of one run. Hitting one is a failure of the run, by name.
const (
	maxThreads = 16
	maxSteps   = 20_000
)

// Thread is one of a model's threads from the start.
type Thread struct {
	Name string
	Run  func()
}

// Model is one instance of what is explored: made afresh for each run, and equal
// every time.
type Model struct {
	Threads []Thread
	// Check is called after each run and says what is wrong, or "".
	Check func() string
	// Fault, if set, is asked about each operation, with the name of its thread.
	Fault func(thread string, op sy.Op) sy.Effect
	// Idle reports, when no thread can go on, whether this one may be left
	// waiting. Nil: none may.
	Idle func(thread string) bool
}

// Options says how to explore. The zero Options explores everything.
type Options struct {
	// Runs is the most runs to make; 0 is a million.
	Runs int
	// Preemptions bounds the switches away from a thread that could go on; 0
	// means no bound, so a bound of none is -1.
	Preemptions int
	// Every turns the reduction off.
	Every bool
	// Replay, if set, is the Choices of an earlier Result: that run alone is made,
	// and Trace hears of every step.
	Replay []int
	Trace  func(step string)
}

// Result is what Run found.
type Result struct {
	Runs    int    // complete runs
	Cut     int    // runs given up because others cover them
	Steps   int    // operations in all of them
	Failure string // of the first run that failed, or ""
	Choices []int  // which lead there
}

// Explorer is one exploration. The methods are for the model's threads.
type Explorer struct {
	options Options
	model   Model

	path []node // the choices made, and what is still to be tried at each

	// Of the present run.
	depth    int
	threads  []*thread
	current  *thread
	events   []event
	moved    int // the last event that was a step
	objects  map[unsafe.Pointer]*object
	spare    []*object // of earlier runs
	asleep   set
	switches int // preemptions so far
	failure  string
	cut      bool
	ending   bool
	over     chan struct{} // the run has ended, or during the end: a thread has
	steps    int
}

// Run explores the models that make returns.
func Run(options Options, make_ func(x *Explorer) Model) Result {
	x := &Explorer{options: options, over: make(chan struct{}, 1), objects: map[unsafe.Pointer]*object{}}
	if x.options.Runs == 0 {
		x.options.Runs = 1_000_000
	}
	defer func() { sy.Hook = nil }()
	var result Result
	for _, c := range options.Replay {
		x.path = append(x.path, node{chosen: c})
	}
	for {
		x.run(make_)
		result.Steps += x.steps
		if x.cut && x.failure == "" {
			result.Cut++
		} else {
			result.Runs++
		}
		if result.Failure = x.failure; x.failure != "" {
			for _, n := range x.path[:x.depth] {
				result.Choices = append(result.Choices, n.chosen)
			}
			return result
		}
		if options.Replay != nil || !x.backtrack() {
			return result
		}
		if result.Runs+result.Cut >= x.options.Runs {
			result.Failure = fmt.Sprintf("more than %d runs", x.options.Runs)
			return result
		}
	}
}

// run makes one run along path, which it lengthens.
func (x *Explorer) run(make_ func(x *Explorer) Model) {
	x.depth, x.steps, x.switches = 0, 0, 0
	x.threads, x.events = nil, x.events[:0]
	for _, o := range x.objects {
		x.spare = append(x.spare, o)
	}
	clear(x.objects)
	x.asleep = 0
	x.failure, x.cut, x.ending = "", false, false
	x.current = nil
	x.model = make_(x)
	for _, t := range x.model.Threads {
		x.start(t.Name, t.Run, nil)
	}
	sy.Hook = x.step
	x.next()
	<-x.over
	waiting := x.alive()
	if x.failure == "" && !x.cut {
		for _, t := range waiting {
			if !t.dropped && (x.model.Idle == nil || !x.model.Idle(t.name)) {
				x.failure = "deadlock: " + x.standing(waiting)
				break
			}
		}
	}
	x.end(waiting)
	sy.Hook = nil
	if x.failure == "" && !x.cut && x.model.Check != nil {
		x.failure = x.model.Check()
	}
}

// alive returns the threads that have not ended.
func (x *Explorer) alive() (list []*thread) {
	for _, t := range x.threads {
		if !t.over {
			list = append(list, t)
		}
	}
	return list
}

// fail ends the run as failed. The first failure counts.
func (x *Explorer) fail(format string, args ...any) {
	if x.failure == "" {
		x.failure = fmt.Sprintf(format, args...)
	}
}

// Fail ends the run as failed once the calling thread stands before its next
// operation. It is for invariants that a thread sees broken on its way.
func (x *Explorer) Fail(format string, args ...any) { x.fail(format, args...) }

// Current names the calling thread.
func (x *Explorer) Current() string { return x.current.name }

// gate is a condition as a sy.Gate.
type gate func() bool

// Open asks the condition without making steps.
func (g gate) Open() bool {
	sy.Hold()
	defer sy.Release()
	return g()
}

// Await waits until open reports true. It may depend on the object at alone: a
// step that touches at must be what makes the difference.
func (x *Explorer) Await(at unsafe.Pointer, open func() bool) {
	x.step(sy.Op{At: at, Kind: sy.Read, Gate: gate(open)})
}

// Choose returns a number in [0, n); all of them are tried.
func (x *Explorer) Choose(n int) int {
	if n <= 1 || x.ending {
		return 0
	}
	if x.depth == len(x.path) {
		x.path = append(x.path, node{width: n})
	}
	x.path[x.depth].width = n
	chosen := x.path[x.depth].chosen
	x.depth++
	x.events = append(x.events, event{})
	return chosen
}

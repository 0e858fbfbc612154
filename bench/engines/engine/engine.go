// Package engine holds the workloads and every Go engine that runs them.
//
// A workload (workload.go) is written once against Engine; an engine is a file
// that says how tasks are spawned, joined, switched and made to block there. The
// operations that cost nanoseconds (chain, yield, ping-pong) are methods of the
// engine as a whole, so that no call through an interface is counted with them.
package engine

import (
	"context"
	"runtime"
	"slices"
)

// Engine runs tasks in one way. Its methods, but for Main and Close, are called
// by the function given to Main.
type Engine interface {
	// Main calls fn in the place from which this engine's users spawn: a task
	// where it has tasks, else the caller's goroutine.
	Main(fn func(ctx context.Context))
	// Batch spawns n tasks that call f with 0 to n-1, and adds up their results.
	Batch(ctx context.Context, n int, f func(ctx context.Context, i int) int64) int64
	// Catch is Batch where a task may panic with a Boom, which counts as its
	// result. With trace the stack of the panic is kept beside it.
	Catch(ctx context.Context, n int, trace bool, f func(ctx context.Context, i int) int64) int64
	// Chain spawns a task that spawns a task, and so on, each waiting for the
	// result of the next and adding one, and returns depth.
	Chain(ctx context.Context, depth int) int64
	// Yields lets n tasks yield the given number of times each, and returns how
	// often they did.
	Yields(ctx context.Context, n, each int) int64
	// Yield lets other tasks run once.
	Yield(ctx context.Context)
	// Block calls f, which may block its thread.
	Block(ctx context.Context, f func() (int64, error)) (int64, error)
	// PingPong lets two tasks wake each other by signals without a value, and
	// returns how often either woke.
	PingPong(ctx context.Context, rounds int) int64
	// Exchange lets one task send the numbers from 0 up, another answer each
	// with the next number, and returns the sum of the answers.
	Exchange(ctx context.Context, rounds int) int64
	// Close ends what the engine started.
	Close()
}

// Boom is what tasks panic with.
type Boom int64

// Error makes a Boom an error, since some engines keep panics as text and only
// errors whole.
func (Boom) Error() string { return "boom" }

// Maker makes an engine of the given parallelism on which at least need tasks
// can wait at the same time.
type Maker struct {
	Name string
	// Workloads it runs; nil for all.
	Workloads []string
	// Own is set where the engine limits parallelism itself and GOMAXPROCS stays
	// the machine's.
	Own bool
	// What it is made of, for the report.
	What string
	Make func(parallelism, need int) Engine
}

// Runs says whether the engine is to run the workload.
func (m Maker) Runs(workload string) bool {
	return m.Workloads == nil || slices.Contains(m.Workloads, workload)
}

// Procs is GOMAXPROCS for the engine on a machine with that many cores. What
// runs on bare goroutines has no other limit.
func (m Maker) Procs(parallelism, cores int) int {
	if m.Own {
		return cores
	}
	return min(parallelism, cores)
}

// Go lists the engines that live in this program.
func Go() []Maker {
	return []Maker{
		{Name: "weft", Own: true, What: "package task", Make: newWeft},
		{Name: "weft-poll", Own: true, What: "package task, state machines without stacks", Make: newWeftPoll,
			Workloads: []string{"yield", "pingpong"}},
		{Name: "go-waitgroup", What: "goroutines, sync.WaitGroup, results in a slice", Make: newWaitGroup,
			Workloads: []string{"spawn", "chain", "yield", "block-empty", "cached-read", "cpu", "sockets", "block-ms"}},
		{Name: "go-channel", What: "goroutines, a result channel each", Make: newChannel,
			Workloads: []string{"spawn", "chain", "pingpong", "pingpong-queue", "cpu", "panic", "panic-trace", "mixed"}},
		{Name: "errgroup", What: "golang.org/x/sync/errgroup", Make: newErrgroup,
			Workloads: []string{"spawn", "chain", "cpu", "mixed"}},
		{Name: "ants", What: "github.com/panjf2000/ants/v2", Make: newAnts, Workloads: pooled},
		{Name: "pond", What: "github.com/alitto/pond/v2", Make: newPond, Workloads: pooled},
		{Name: "conc", What: "github.com/sourcegraph/conc", Make: newConc, Workloads: pooled},
	}
}

// pooled workloads are those that a pool has a part in. Yields, signals and
// blocking calls in its tasks are those of bare goroutines.
var pooled = []string{"spawn", "chain", "cpu", "sockets", "block-ms", "panic", "panic-trace", "mixed"}

// Find returns the engine of that name.
func Find(name string) (Maker, bool) {
	for _, m := range Go() {
		if m.Name == name {
			return m, true
		}
	}
	return Maker{}, false
}

// bare has what all engines share whose tasks are goroutines.
type bare struct{}

func (bare) Main(fn func(ctx context.Context)) { fn(context.Background()) }
func (bare) Close()                            {}
func (bare) Yield(context.Context)             { runtime.Gosched() }

func (bare) Block(_ context.Context, f func() (int64, error)) (int64, error) { return f() }

func (bare) PingPong(_ context.Context, rounds int) int64 {
	ping, pong := make(chan struct{}, 1), make(chan struct{}, 1)
	count := int64(0)
	go func() {
		for range rounds {
			<-ping
			count++
			pong <- struct{}{}
		}
	}()
	for range rounds {
		ping <- struct{}{}
		<-pong
		count++
	}
	return count
}

func (bare) Exchange(_ context.Context, rounds int) int64 {
	ping, pong := make(chan int64, 1), make(chan int64, 1)
	go func() {
		for range rounds {
			pong <- <-ping + 1
		}
	}()
	sum := int64(0)
	for i := range rounds {
		ping <- int64(i)
		sum += <-pong
	}
	return sum
}

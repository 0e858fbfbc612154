package engine

import (
	"context"
)

// Sizes of the workloads. The Rust program has the same.
const (
	spawnBatch = 1000
	chainDepth = 1000
	yielders   = 100
	chunks     = 64 // CPU tasks of a batch
	sleepers   = 256
	panicBatch = 100
	mixedBatch = 100
)

// Workload is something to do, in a number of operations that may be chosen.
type Workload struct {
	Name string
	What string // an operation, for the report
	// Unit divides the number of operations.
	Unit int
	// Start is a number of operations that takes some milliseconds.
	Start int
	// Need is how many tasks wait at the same time.
	Need int
	run  func(ctx context.Context, e Engine, s *Setting, ops int) int64
	// Sum is the checksum that so many operations must have.
	Sum func(ops, parallelism int) int64
}

// Workloads lists all, in the order of the report.
func Workloads() []Workload {
	return []Workload{
		{Name: "spawn", What: "spawn a task and join it for a typed result, batches of 1000",
			Unit: spawnBatch, Start: 10 * spawnBatch, run: runSpawn, Sum: batches(spawnBatch)},
		{Name: "chain", What: "a task spawns the next and waits for its result, 1000 deep",
			Unit: chainDepth, Start: 10 * chainDepth, Need: chainDepth + 1, run: runChain, Sum: same},
		{Name: "yield", What: "one yield among 100 tasks",
			Unit: yielders, Start: 200 * yielders, Need: yielders, run: runYields, Sum: same},
		{Name: "pingpong", What: "one round trip of signals between two tasks",
			Unit: 1, Start: 10_000, Need: 2, run: runPingPong, Sum: func(ops, _ int) int64 { return 2 * int64(ops) }},
		{Name: "pingpong-queue", What: "one round trip of values between two tasks",
			Unit: 1, Start: 10_000, Need: 2, run: runExchange, Sum: func(ops, _ int) int64 { return series(ops + 1) }},
		{Name: "block-empty", What: "mark a region that calls an empty function, one task",
			Unit: 1, Start: 20_000, run: runBlockEmpty, Sum: func(ops, _ int) int64 { return int64(ops / 2) }},
		{Name: "cached-read", What: "read 4 KiB of a cached file in a marked region, as many tasks as parallelism",
			Unit: 16, Start: 4096, run: runCachedRead, Sum: sumCachedRead},
		{Name: "cpu", What: "count the primes among 500 numbers, 64 tasks at a time",
			Unit: chunks, Start: 2 * chunks, run: runCPU, Sum: sumCPU},
		{Name: "sockets", What: "send 64 bytes to an echo server and wait for them, 64 connections",
			Unit: connections, Start: 10 * connections, Need: connections, run: runSockets, Sum: sumSockets},
		{Name: "block-ms", What: "a task that sleeps 1 ms in a system call, 256 at a time",
			Unit: sleepers, Start: sleepers, Need: sleepers, run: runBlockMs, Sum: batches(sleepers)},
		{Name: "panic", What: "a task that panics, caught, batches of 100",
			Unit: panicBatch, Start: 10 * panicBatch, run: runPanics(false), Sum: batches(panicBatch)},
		{Name: "panic-trace", What: "the same, with the trace of the panic kept",
			Unit: panicBatch, Start: 10 * panicBatch, run: runPanics(true), Sum: batches(panicBatch)},
		{Name: "mixed", What: "of 100 tasks 60 return, 20 yield 3 times, 10 read a page, 10 panic",
			Unit: mixedBatch, Start: 20 * mixedBatch, run: runMixed, Sum: sumMixed},
	}
}

// FindWorkload returns the workload of that name.
func FindWorkload(name string) (Workload, bool) {
	for _, w := range Workloads() {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// Round gives the number of operations nearest to n that the workload can do.
func (w Workload) Round(n int) int { return max(1, (n+w.Unit/2)/w.Unit) * w.Unit }

// series is 0 + 1 + ... + n-1.
func series(n int) int64 { return int64(n) * int64(n-1) / 2 }

func same(ops, _ int) int64 { return int64(ops) }

// batches is the checksum where the tasks of each batch return their index.
func batches(size int) func(ops, parallelism int) int64 {
	return func(ops, _ int) int64 { return int64(ops/size) * series(size) }
}

func index(_ context.Context, i int) int64 { return int64(i) }

func runSpawn(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
	for range ops / spawnBatch {
		sum += e.Batch(ctx, spawnBatch, index)
	}
	return sum
}

func runChain(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
	for range ops / chainDepth {
		sum += e.Chain(ctx, chainDepth)
	}
	return sum
}

func runYields(ctx context.Context, e Engine, _ *Setting, ops int) int64 {
	return e.Yields(ctx, yielders, ops/yielders)
}

func runPingPong(ctx context.Context, e Engine, _ *Setting, ops int) int64 {
	return e.PingPong(ctx, ops)
}
func runExchange(ctx context.Context, e Engine, _ *Setting, ops int) int64 {
	return e.Exchange(ctx, ops)
}

func runPanics(trace bool) func(context.Context, Engine, *Setting, int) int64 {
	return func(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
		for range ops / panicBatch {
			sum += e.Catch(ctx, panicBatch, trace, func(_ context.Context, i int) int64 { panic(Boom(i)) })
		}
		return sum
	}
}

func runMixed(ctx context.Context, e Engine, s *Setting, ops int) (sum int64) {
	for range ops / mixedBatch {
		sum += e.Catch(ctx, mixedBatch, false, func(ctx context.Context, i int) int64 {
			switch i % 10 {
			case 6, 7:
				for range 3 {
					e.Yield(ctx)
				}
			case 8:
				var page [pageSize]byte
				return int64(i) + must(e.Block(ctx, func() (int64, error) { return s.readPage(i, page[:]) }))
			case 9:
				panic(Boom(i))
			}
			return int64(i)
		})
	}
	return sum
}

func sumMixed(ops, _ int) (sum int64) {
	for i := range mixedBatch {
		sum += int64(i)
		if i%10 == 8 {
			sum += int64(i) // what stands on the page of that number
		}
	}
	return sum * int64(ops/mixedBatch)
}

// Package task is a runtime for a great deal of concurrent work inside one
// program: tasks that cost about a tenth of a microsecond to spawn and join, run
// a bounded number at a time, may block where they say so, can be cancelled, and
// are all gone when Shutdown returns.
//
//	rt, err := task.Start(task.Config{})
//	defer rt.Shutdown(context.Background())
//	ctx = rt.Enter(ctx)
//	sizes, err := task.Map(ctx, urls, func(ctx context.Context, url string) (int64, error) {
//		resp, err := task.Block(ctx, func() (*http.Response, error) { return get(ctx, url) })
//		...
//	})
//
// # Model
//
// A task is a function that was spawned, together with its result and its context
// (task.go). A worker is a goroutine that runs tasks (worker.go). A permit is the
// right to run them; there are P, and each is a lane: the permit, a queue of
// ready tasks, a slot for the one that should run next, and a pool of resting
// stacks (lane.go). A stack is a coroutine, an iter.Pull, on which tasks run
// (stack.go, coroutine.go). The monitor is a goroutine that takes permits from
// workers which block (monitor.go, handoff.go).
//
// The central idea: a task has a stack of its own only while it waits. A worker
// runs the scheduler loop inside a coroutine and calls fresh tasks right there. A
// task that never waits costs a push, a pop and a call. When one must wait, the
// coroutine under it rests, with the task, and the worker goes on with another:
// that of a task that has become ready, or one from the pool which runs the next
// fresh task. Joining a child that has not begun runs it in place.
//
// A state machine (GoPoll) has no stack even then: it is called, says that it is
// not done, and is called again after a wake. To yield costs it a push and a pop,
// to wait a couple of hundred bytes (poll.go).
//
// # Protocol
//
// A spawn puts the task into the slot of the spawner's lane; what was there moves
// to the ring, and half of a full ring to the injector, the queue that all share
// (deque.go, fifo.go). A worker picks, in this order: callers that return from
// blocking, the slot, its ring, the injector, other lanes' rings and slots; every
// 61st time the queues come before the returning callers, and after 16 picks from
// the slot the ring has its turn, so nothing starves (lane.go, steal.go).
//
// That is so for tasks of class Normal. The others wait in two queues that all
// lanes share, even when woken; while there are any, each lane deals its picks out
// by weight, and the oldest Low task goes next once it is old enough (priority.go,
// classqueue.go). A program without classes reads one word for it at each pick.
//
// Whoever queues work looks whether a lane is free and nobody searches, and then
// wakes one worker; whoever runs out of work makes itself known, frees its lane,
// stops counting as a searcher and looks again. One of the two sees the other
// (permits.go).
//
// Waiting uses one token a task. Wakes may be late or needless, since every waiter
// looks again; they are never lost (park.go). Of a stack that is left, what remains
// to be done is done by the one that runs next on that worker (land), when it is
// surely off its thread.
//
// A poll task waits by one word of its own, beside the token, which waits inside a
// poll use up: each poll first clears it, and the end of a poll compares it
// (poll.go).
//
// Block marks a region by one word in the lane. The worker swaps it back at the
// end; the monitor swaps it away after the grace; whoever succeeds has the lane.
// Who returns without a lane queues, stack and all, for the next permit
// (handoff.go).
//
// Cancellation registers nothing at spawn. Err looks upwards, but only past what
// nobody looked at since the last cancel; a task links itself into a tree when it
// first waits or is asked for Done (cancel.go). A task's context implements
// AfterFunc, so contexts derived from it start no goroutine.
//
// The calling goroutine is recognised by its g pointer in a process-wide table
// (registry.go), not by the context it passes. So a task's context may be used on
// any goroutine, as errgroup does, and context.Background inside a task: an
// operation parks the stack if the caller runs on one, and the goroutine if not.
//
// Where all goroutines share one thread (wasm), the scheduler and checkpoints give
// it away now and then, for nothing else would (turns.go).
//
// Workers stay until Shutdown, or end when idle (Config.IdleExit). Resting stacks are
// pooled by lane and in a common stock, and let go when nobody needed them for a
// while, or when they grew huge (stock.go, janitor.go).
//
// # Invariants
//
//   - At most P tasks run outside marked regions: a lane is held by one worker or
//     borrowed caller, or it is free, or a spare (stall.go), and nobody runs tasks
//     without one. Only who comes back from a stall for which a permit was lent
//     runs beside the loan for a moment.
//   - A task is in at most one queue, and belongs to whoever took it out.
//   - Every coroutine object has exactly one goroutine resting in it, and a stack
//     is resumed only by who took its task out of a queue, or it out of a pool.
//   - Work is never queued while a lane is free and nobody is awake to see it.
//   - Nothing foreign is called under a lock, and no two locks are held at once.
//   - When Shutdown has returned nil, no goroutine of the runtime is left.
//
// # Figures
//
// Counters and histograms have one writer, the holder of the lane they lie in, and
// are merged when Stats reads them (stats.go, histogram.go). The clock costs too
// much to time each task: of Normal ones a sample is (sample.go). Profiles and
// execution traces know goroutines, which tasks share: a task's label and region are
// put on and taken off around its function (profile.go).
//
// # Misuse
//
// A panic ends its task only, as a *PanicError. So does runtime.Goexit, as
// ErrGoexit; a task that joins such a child is unwound too. A thread lock that a
// task leaves behind is undone and reported, for a coroutine switch on a locked
// thread would end the process (threadlock.go); tasks that need a thread are
// spawned with Pinned. A task that blocks without Block keeps its permit until the
// monitor is certain of it, and is reported (stall.go). Contexts, loggers, hooks
// and callbacks of the program's, which the scheduler calls on its own stacks, may
// panic there and leave thread locks (foreign.go).
//
// # Rejected designs
//
// A goroutine a task, under a semaphore: that is errgroup. Each spawn costs a
// goroutine and each wait the scheduler's lock and a trip through its queues.
//
// A coroutine a task: two switches for each, needed or not.
//
// A driver goroutine a worker, which resumes stacks and is returned to between
// them: two switches for each change of task. The coroutines of iter.Pull are
// symmetric if used carefully, and one switch leads from any stack to any other
// (coroutine.go).
//
// Resuming one task's coroutine from inside another's: one switch as well, but a
// task below another cannot be stolen, and two that wake each other nest for ever.
//
// A counter of permits, and queues with the workers: see lane.
//
// Registering each task with its parent at spawn, as context.WithCancel does: it
// costs more than the whole spawn, for a cancel that seldom comes.
//
// sync.Pool for stacks: the garbage collector would drop coroutines, which are
// never collected, so they would leak.
//
// # Race builds
//
// The race detector takes all that one goroutine did for ordered, and every lock
// and atomic for an order between those who used it. On shared stacks under one
// scheduler it would find no race between tasks. With -race a task's function
// therefore runs on a goroutine of its own, whose stack is only its host; the
// scheduler runs on hosts alone, and nothing of theirs orders one task after
// another except the edges of a spawn, a join, a wake and a cancel (guest.go,
// edges.go). That there is one permit only is no order either. An operation
// costs two switches of goroutines more there, and a waiting task two goroutines,
// of which the detector allows 8128.
//
// Who adds an exported operation has a guest pass it on with aside or apart: the
// scheduler's code must not run on a guest. Host and guest may share plain
// variables only if the guest reads them in functions marked go:norace.
//
// # Seam for simulation
//
// All time, randomness, threads and parking go through Config.Env, and all atomics
// and locks through internal/sy, so that package sim can decide every choice.
// Stacks have two implementations of the same few functions (create, switchTo,
// obey, depart, release, teardown): coroutine.go, and baton.go with a goroutine a
// stack, which race and simulator builds use.
package task

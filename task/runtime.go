package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"weft/internal/sy"
)

// Config says how a runtime works. The zero Config is the documented default.
type Config struct {
	// Name appears in logs. Default "weft".
	Name string
	// Parallelism is P, the number of permits: how many tasks may run at once.
	// Default runtime.GOMAXPROCS(0), at most 4096.
	Parallelism int
	// MaxWorkers limits the goroutines that run tasks, those inside marked
	// regions included. While all of them block, queued work waits. Default
	// P+512, at least P+1, at most 1,048,576: each takes some bytes from the start.
	MaxWorkers int
	// StackPool is how many resting coroutines the runtime keeps for reuse, at
	// most. Those not needed for a second or two, or for IdleExit to twice that if it
	// is set, are let go, and so are those whose stack grew beyond 256 KB. Default
	// 1024, or 16 times P if that is more.
	StackPool int
	// IdleExit is how long a worker waits for work before it ends: at least that,
	// at most twice. The monitor ends with the last one. They come back with work.
	// Default 0: they stay until Shutdown.
	IdleExit time.Duration
	// HandoffGrace is how long a marked region keeps its permit. Default 100 µs.
	// Finer than about 1 ms it holds on Linux only.
	HandoffGrace time.Duration
	// StallAfter is how long a task may hold a permit without progress before it
	// is reported. Default 30 ms times ⌈P/GOMAXPROCS⌉; negative turns it off.
	StallAfter time.Duration
	// Timeslice is how long a task may run before Checkpoint and the runtime's
	// own operations yield for it. Default 10 ms; negative turns it off.
	Timeslice time.Duration
	// CheckpointInterval is how many operations pass between two looks at the
	// clock. Default 128.
	CheckpointInterval int
	// Aging is how long a Low task may wait while others pass it by weight; then
	// it goes next, as priority.go says. Default 100 ms; negative turns it off.
	Aging time.Duration
	// ProfileLabels has tasks run under the label "task", their name, in CPU and
	// goroutine profiles, together with the labels of the context they were spawned
	// with. It costs about 0.6 µs and six allocations a task. Default off: a task then has
	// no labels but those it sets itself, which stay if it does not undo them.
	ProfileLabels bool
	// Hooks are called at the events of workers and tasks.
	Hooks Hooks
	// Logger hears of stalls, of hooks that panic and of misuse. Its handler must
	// not call runtime.Goexit; a panic there loses the record. Default: none.
	Logger *slog.Logger
	// Env replaces the outside world. It is for package sim; leave it nil.
	Env sy.Env
}

func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = "weft"
	}
	procs := runtime.GOMAXPROCS(0)
	if c.Parallelism == 0 {
		c.Parallelism = procs
	}
	if c.MaxWorkers == 0 {
		c.MaxWorkers = c.Parallelism + 512
	}
	if c.StackPool == 0 {
		c.StackPool = max(1024, 16*c.Parallelism)
	}
	if c.HandoffGrace == 0 {
		c.HandoffGrace = 100 * time.Microsecond
	}
	if c.StallAfter == 0 {
		c.StallAfter = 30 * time.Millisecond * time.Duration((c.Parallelism+procs-1)/procs)
	}
	if c.Timeslice == 0 {
		c.Timeslice = 10 * time.Millisecond
	}
	if c.CheckpointInterval == 0 {
		c.CheckpointInterval = 128
	}
	if c.Aging == 0 {
		c.Aging = 100 * time.Millisecond
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Logger = slog.New(tameHandler{c.Logger.Handler()})
	if c.Env == nil {
		c.Env = sy.Real{}
	}
	return c
}

const mostWorkers = 1 << 20 // of Config.MaxWorkers

// Validate reports what is wrong with c, if anything.
func (c Config) Validate() error {
	var errs []error
	check := func(ok bool, what string, v any) {
		if !ok {
			errs = append(errs, fmt.Errorf("task: config: %s is %v", what, v))
		}
	}
	check(c.Parallelism >= 0 && c.Parallelism <= 4096, "Parallelism", c.Parallelism)
	check(c.MaxWorkers == 0 || c.MaxWorkers > c.Parallelism && c.MaxWorkers <= mostWorkers, "MaxWorkers", c.MaxWorkers)
	check(c.StackPool >= 0, "StackPool", c.StackPool)
	check(c.IdleExit >= 0, "IdleExit", c.IdleExit)
	check(c.HandoffGrace >= 0, "HandoffGrace", c.HandoffGrace)
	check(c.CheckpointInterval >= 0, "CheckpointInterval", c.CheckpointInterval)
	return errors.Join(errs...)
}

// Runtime runs tasks. Several live beside each other without knowing of one
// another. All methods may be called from any goroutine unless they say
// otherwise.
type Runtime struct {
	cfg Config
	env sy.Env

	begun  int64 // when it was started, by env.Now
	root   task  // ancestor of every task: cancelled by Shutdown
	shards [cancelShards]shard

	cancelEpoch sy.Uint32 // advanced by every cancel, see context.go
	_           [60]byte

	lanes     []*lane
	free      bitmap // lanes that nobody holds
	spares    bitmap // lanes that are no permits now, see stall.go
	stalls    sy.Uint64
	loans     sy.Uint64
	idlers    bitmap // workers that wait for a lane
	searching sy.Int32
	injector  fifo
	samples   samples // of what is queued from outside the lanes
	classes   classes // tasks that are not Normal, see priority.go
	returners fifo    // who wants a permit back
	yielders  fifo    // borrowed callers that let others go first
	poolCap   int     // stacks a lane keeps
	stock     stock
	shardSeq  sy.Uint32

	workers  []sy.Pointer[worker] // by id; nil where vacant
	monitor  monitor
	janitor  janitor
	departed sy.Uint32 // workers that ended

	counts   counts
	live     sy.Int64 // tasks spawned from outside the lanes, and borrowed callers
	closed   sy.Bool  // admission
	stopping sy.Bool  // workers end
	quiet    sy.Bool  // no task is left

	mu          sy.Mutex // guards what follows
	workerCount int
	vacant      bitmap // ids of no worker
	allStacks   *stack
	watchers    []*Waiter // Shutdowns that wait
	hookFailure error
	ending      bool // a Shutdown joins the workers
	ended       bool // and has

	running sy.Int64 // workers, pinned tasks, monitor, janitor and reapers that have not ended
	joined  sy.Parker
}

// Start makes a runtime and starts its monitor; workers start with the first
// work. It fails only for a Config that does not validate. Call Shutdown to end
// it: a runtime that is merely dropped keeps its goroutines.
func Start(cfg Config) (*Runtime, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	rt := &Runtime{cfg: cfg, env: cfg.Env, begun: cfg.Env.Now()}
	rt.root.family = &family{rt: rt, base: context.Background()}
	rt.cancelEpoch.Store(1)
	rt.lanes = make([]*lane, 2*cfg.Parallelism)
	rt.free.init(len(rt.lanes))
	rt.spares.init(len(rt.lanes))
	for i := range rt.lanes {
		l := &lane{id: i, rt: rt}
		l.ring.init(ringSize)
		rt.lanes[i] = l
		if i < cfg.Parallelism {
			rt.free.set(i)
		} else {
			rt.spares.set(i)
		}
	}
	rt.workers = make([]sy.Pointer[worker], cfg.MaxWorkers)
	rt.idlers.init(cfg.MaxWorkers)
	rt.vacant.init(cfg.MaxWorkers)
	for i := range cfg.MaxWorkers {
		rt.vacant.set(i)
	}
	rt.poolCap = min(localPool, cfg.StackPool/(2*len(rt.lanes)))
	rt.stock.limit = cfg.StackPool - rt.poolCap*len(rt.lanes)
	rt.joined = rt.env.NewParker()
	rt.monitor.init(rt)
	rt.janitor.init(rt)
	return rt, nil
}

// permits is P.
func (rt *Runtime) permits() int { return rt.cfg.Parallelism }

// now is the time since Start in nanoseconds.
func (rt *Runtime) now() int64 { return rt.env.Now() - rt.begun }

// ready queues a task that was woken. on is the waker's stack, or nil if the
// waker is not known to run here.
func (rt *Runtime) ready(t *task, on *stack, next bool) {
	if on == nil {
		on = here()
	}
	if on != nil && on.rt == rt && on.w != nil && on.w.lane != nil && on.region == 0 {
		if next {
			on.w.lane.pushNext(t)
		} else {
			on.w.lane.pushBack(t)
		}
		return
	}
	rt.publish(t)
}

// list and delist keep the chain of all stacks that carry tasks, for teardown and
// for naming stragglers.
func (rt *Runtime) list(s *stack) {
	rt.mu.Lock()
	s.listed = true
	if s.nextAll = rt.allStacks; s.nextAll != nil {
		s.nextAll.prevAll = s
	}
	rt.allStacks = s
	rt.mu.Unlock()
}

func (rt *Runtime) delist(s *stack) {
	rt.mu.Lock()
	if s.listed {
		s.listed = false
		if s.prevAll != nil {
			s.prevAll.nextAll = s.nextAll
		} else {
			rt.allStacks = s.nextAll
		}
		if s.nextAll != nil {
			s.nextAll.prevAll = s.prevAll
		}
		s.prevAll, s.nextAll = nil, nil
	}
	rt.mu.Unlock()
}

func (rt *Runtime) firstStack() *stack {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.allStacks
}

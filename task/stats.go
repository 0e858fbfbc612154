package task

import "weft/internal/sy"

// laneStats are counters of one lane. All but handoffs are written by the lane's
// holder alone and published when it reads the clock or goes idle.
type laneStats struct {
	steals    uint64
	overflows uint64
	stacks    uint64
	early     uint64
	handoffs  sy.Uint64
	shown     struct {
		steals, overflows, stacks, early sy.Uint64
	}
}

// publish makes the holder's counters readable.
func (s *laneStats) publish() {
	s.shown.steals.Store(s.steals)
	s.shown.overflows.Store(s.overflows)
	s.shown.stacks.Store(s.stacks)
	s.shown.early.Store(s.early)
}

// Stats is a picture of a runtime. Reading it stops nobody; the counters of a
// busy worker may lag behind until it next goes idle.
type Stats struct {
	Parallelism int    // permits
	Running     int    // permits that are held
	Workers     int    // goroutines that run tasks, idle and blocked ones included
	Idle        int    // of those, how many wait for work
	Injected    int    // tasks in the shared queue
	Returning   int    // callers that wait to get a permit back
	Queued      int    // tasks in the lanes' own queues
	Polls       uint64 // times a task began or went on
	Steals      uint64
	Overflows   uint64 // times half a full queue went to the shared one
	Stacks      uint64 // coroutines made
	Handoffs    uint64 // permits taken from regions past the grace
	Early       uint64 // permits given up at the entry of a region
}

// Stats returns the runtime's counters. It never blocks for long.
func (r *Runtime) Stats() Stats {
	st := Stats{
		Parallelism: len(r.lanes),
		Running:     len(r.lanes) - r.free.len(),
		Idle:        r.idlers.len(),
		Injected:    r.injector.len(),
		Returning:   r.returners.len(),
	}
	r.mu.Lock()
	st.Workers = r.workerCount
	r.mu.Unlock()
	for _, l := range r.lanes {
		st.Queued += l.ring.len()
		if l.slot.Load() != nil {
			st.Queued++
		}
		st.Polls += l.polls.Load()
		st.Steals += l.stats.shown.steals.Load()
		st.Overflows += l.stats.shown.overflows.Load()
		st.Stacks += l.stats.shown.stacks.Load()
		st.Early += l.stats.shown.early.Load()
		st.Handoffs += l.stats.handoffs.Load()
	}
	return st
}

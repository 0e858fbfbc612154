package task

import "weft/internal/sy"

// laneStats are counters of one lane. All but handoffs are written by the lane's
// holder alone.
type laneStats struct {
	steals    sy.Count
	overflows sy.Count
	stacks    sy.Count
	early     sy.Count
	handoffs  sy.Uint64
}

// Stats is a picture of a runtime, not taken at one instant: reading it stops
// nobody.
type Stats struct {
	Parallelism int    // permits
	Running     int    // permits that are held
	Workers     int    // goroutines that run tasks, idle and blocked ones included
	Idle        int    // of those, how many wait for work
	Injected    int    // tasks in the shared queue
	Returning   int    // callers that wait to get a permit back
	Queued      int    // tasks in the lanes' own queues
	Polls       uint64 // polls of state machines, and times a stack went on; tasks that run one after the other on it count once
	Steals      uint64
	Overflows   uint64 // times half a full queue went to the shared one
	Stacks      uint64 // coroutines made
	Handoffs    uint64 // permits taken from regions past the grace
	Early       uint64 // permits given up at the entry of a region
	Stalls      uint64 // tasks found to hold a permit without progress
	Loans       uint64 // permits lent on because their holders blocked unmarked
}

// Stats returns the runtime's counters. It never blocks for long.
func (r *Runtime) Stats() Stats {
	st := Stats{
		Parallelism: r.permits(),
		Running:     max(0, len(r.lanes)-r.spares.len()-r.free.len()),
		Stalls:      r.stalls.Load(),
		Loans:       r.loans.Load(),
		Idle:        r.idlers.len(),
		Injected:    r.injector.len() + r.yielders.len(),
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
		st.Steals += l.stats.steals.Load()
		st.Overflows += l.stats.overflows.Load()
		st.Stacks += l.stats.stacks.Load()
		st.Early += l.stats.early.Load()
		st.Handoffs += l.stats.handoffs.Load()
	}
	return st
}

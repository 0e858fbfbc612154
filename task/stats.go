package task

import "weft/internal/sy"

// laneStats are counters of one lane. All but handoffs are written by the lane's
// holder alone.
type laneStats struct {
	spawned   sy.Count // by tasks that ran here
	ended     sy.Count // of all tasks, wherever they were spawned
	polls     sy.Count
	canceled  sy.Count
	parks     sy.Count
	steals    sy.Count
	overflows sy.Count
	stacks    sy.Count
	early     sy.Count
	handoffs  sy.Uint64
}

// counts are counters of what does not happen on a lane, or seldom.
type counts struct {
	borrowers sy.Int64  // callers that are in BlockOn
	borrowed  sy.Uint64 // all there were
	pinned    sy.Uint64
	ended     sy.Uint64 // pinned tasks that ended before they had a lane
	panics    sy.Uint64
	replaced  sy.Uint64
}

// ClassStats are the figures of one class.
type ClassStats struct {
	Queued int // tasks that are ready to run and wait for their turn
	// QueueTime is how long tasks were queued, from when they were spawned or woken
	// or yielded until they were picked. Of High and Low ones each is measured. Of
	// Normal ones a sample: one in 64 of what tasks queue, one in 16 of what comes
	// from outside, fewer of queues beyond 256; Count is how many that were.
	// Callers that wait to get a permit back are not in it.
	QueueTime Histogram
}

// LaneStats are the figures of one lane: a permit with its queue, which belongs to
// one worker after the other. (A worker that blocks leaves them to its replacement,
// so figures by worker would say little.)
type LaneStats struct {
	Held      bool   // somebody runs on it
	Queued    int    // Normal tasks in its own queue
	Spawned   uint64 // tasks spawned by tasks that ran on it
	Finished  uint64 // tasks that ended on it
	Polls     uint64
	Parks     uint64
	Steals    uint64
	Overflows uint64
	Handoffs  uint64
	Early     uint64
}

// Stats is a picture of a runtime, not taken at one instant: reading it stops
// nobody. At rest Spawned is Finished plus Live.
type Stats struct {
	Parallelism int // permits
	Running     int // permits that are held
	Workers     int // goroutines that run tasks, idle and blocked ones included
	Idle        int // of those, how many wait for work
	Injected    int // tasks in the shared queue
	Returning   int // callers that wait to get a permit back
	Queued      int // Normal tasks in the lanes' own queues
	Live        int // tasks spawned and not ended
	Borrowing   int // callers inside BlockOn, waiting ones included

	High, Normal, Low ClassStats

	Spawned   uint64 // tasks admitted, without those of BlockOn
	Finished  uint64 // tasks that ended in whatever way
	Canceled  uint64 // of those, how many were cancelled before they ran
	Panics    uint64 // functions, those of BlockOn too, that ended by a panic
	Pinned    uint64 // tasks spawned with Pinned
	Borrowed  uint64 // calls of BlockOn that were admitted
	Polls     uint64 // times a task began, was polled again (GoPoll), or went on after it waited or gave way
	Parks     uint64 // times a task left its stack waiting for a wake
	Steals    uint64 // times a lane took tasks from another
	Overflows uint64 // times half a full queue went to the shared one
	Stacks    uint64 // coroutines made
	Handoffs  uint64 // permits taken from regions past the grace
	Early     uint64 // permits given up at the entry of a region
	Replaced  uint64 // of both, how many went to a worker woken or started for it at once
	Stalls    uint64 // tasks found to hold a permit without progress
	Loans     uint64 // permits lent on because their holders blocked unmarked

	// PollTime is how long tasks ran from when they began or went on until they
	// ended, waited, gave way, or had run a child in place. One poll in 64 is measured;
	// Count is how many that were.
	PollTime Histogram

	// Lanes are the permits, and after them, once a permit was lent, as many that
	// take part in loans.
	Lanes []LaneStats
}

// Stats returns the runtime's counters. It never blocks for long and stops nobody,
// and reading them costs the tasks that run nothing but cache misses.
func (r *Runtime) Stats() Stats {
	st := Stats{
		Parallelism: r.permits(),
		Running:     max(0, len(r.lanes)-r.spares.len()-r.free.len()),
		Stalls:      r.stalls.Load(),
		Loans:       r.loans.Load(),
		Idle:        r.idlers.len(),
		Injected:    r.injector.len() + r.yielders.len(),
		Returning:   r.returners.len(),
		Borrowed:    r.counts.borrowed.Load(),
		Pinned:      r.counts.pinned.Load(),
		Panics:      r.counts.panics.Load(),
		Replaced:    r.counts.replaced.Load(),
	}
	st.Workers = r.countWorkers()
	st.High.Queued, st.Low.Queued = r.classes.high.len(), r.classes.low.len()
	// What ended is read before what was spawned, so that Live is not negative.
	ended := r.counts.ended.Load()
	st.Finished = ended
	for _, l := range r.lanes {
		st.Finished += l.stats.ended.Load()
	}
	for _, l := range r.reach() {
		one := l.read(&st)
		st.Queued += one.Queued
		st.Spawned += one.Spawned
		st.Polls += one.Polls
		st.Parks += one.Parks
		st.Steals += one.Steals
		st.Overflows += one.Overflows
		st.Handoffs += one.Handoffs
		st.Early += one.Early
		st.Lanes = append(st.Lanes, one)
	}
	st.Normal.Queued = st.Queued + st.Injected
	borrowers := r.counts.borrowers.Load()
	st.Borrowing = int(max(0, borrowers))
	st.Spawned += ended + uint64(max(0, r.live.Load()-borrowers))
	st.Live = int(max(0, int64(st.Spawned-st.Finished)))
	return st
}

// read returns the lane's figures and adds to st what is not kept by lane.
func (l *lane) read(st *Stats) LaneStats {
	c := &l.stats
	one := LaneStats{
		Held:      l.holder.Load() != nil,
		Queued:    l.ring.len(),
		Spawned:   c.spawned.Load(),
		Finished:  c.ended.Load(),
		Polls:     c.polls.Load(),
		Parks:     c.parks.Load(),
		Steals:    c.steals.Load(),
		Overflows: c.overflows.Load(),
		Handoffs:  c.handoffs.Load(),
		Early:     c.early.Load(),
	}
	if l.slot.Load() != nil {
		one.Queued++
	}
	st.Canceled += c.canceled.Load()
	st.Stacks += c.stacks.Load()
	l.ran.addTo(&st.PollTime)
	l.waited[0].addTo(&st.High.QueueTime)
	l.waited[1].addTo(&st.Normal.QueueTime)
	l.waited[2].addTo(&st.Low.QueueTime)
	return one
}

func (r *Runtime) countWorkers() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.workerCount
}

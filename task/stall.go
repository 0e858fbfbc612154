package task

import (
	"bytes"
	"runtime/metrics"
	"time"
)

// Stalls. A task that blocks without Block, or computes without end, holds its
// permit and shows no progress: the monitor sees the same stack run the same task
// on a lane from look to look. After Config.StallAfter it is reported, with its
// trace. If it is certain that the task does not execute, a permit is lent: a
// spare lane becomes a permit, and the stalled one is in debt. A lane in debt that
// is next put down, or whose worker comes back to the scheduler, becomes a spare,
// so there are P permits again. Who comes back runs beside the loan until it
// waits, yields or enters a marked region, at the latest for
// Config.CheckpointInterval operations: nothing can stop it between them.
//
// Certainty. Busy goroutines of the process number at most running + runnable - 1
// (the monitor is one), by the scheduler's metrics; more stalled tasks than that
// are blocked, at least by the difference, and so many permits are lent, after two
// readings that agree. Where other goroutines hide it, the states in a dump of all
// goroutines decide, at most once a second and not in programs so large that the
// dump would stop them for long.
const (
	stallLooks = 3           // looks in StallAfter
	dumpEvery  = time.Second // between two dumps
)

// look is what the monitor saw of one lane.
type look struct {
	polls    uint64
	on       *stack
	cur      *task
	since    int64
	reported bool
	blocked  bool // a dump has shown it
}

// stallWatch is the monitor's memory of stalls; only the monitor uses it.
type stallWatch struct {
	looks   []look
	next    int64 // when to look again
	dumped  int64
	agreed  int // loans that the reading before allowed
	samples []metrics.Sample
}

func (sw *stallWatch) init(rt *Runtime) {
	sw.looks = make([]look, len(rt.lanes))
	sw.samples = []metrics.Sample{
		{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"},
	}
	sw.dumped = -int64(dumpEvery)
}

// lookForStalls is one look. It reports whether any lane is held, so that there
// is something to look at later.
func (m *monitor) lookForStalls() (held bool) {
	rt, sw := m.rt, &m.stalls
	now := rt.now()
	after := int64(rt.cfg.StallAfter)
	if now < sw.next {
		return true
	}
	sw.next = now + after/stallLooks
	var stalled []*lane
	for i, l := range rt.lanes {
		s := l.on.Load()
		if s == nil {
			sw.looks[i] = look{}
			continue
		}
		held = true
		seen := &sw.looks[i]
		cur, polls := s.cur.Load(), l.stats.polls.Load()
		if seen.on != s || seen.cur != cur || seen.polls != polls || l.region.Load() != 0 {
			*seen = look{polls: polls, on: s, cur: cur, since: now}
			continue
		}
		if now-seen.since >= after && cur != nil && !cur.done() {
			stalled = append(stalled, l)
		}
	}
	if held && rt.hasWork() {
		rt.notify() // a poll task that was woken may have been left to one worker
	}
	if len(stalled) > 0 {
		m.handleStalls(stalled, now)
	} else {
		sw.agreed = 0
	}
	return held
}

func (m *monitor) handleStalls(stalled []*lane, now int64) {
	rt, sw := m.rt, &m.stalls
	fresh := false
	for _, l := range stalled {
		fresh = fresh || !sw.looks[l.id].reported
	}
	hungry := rt.hasWork() && !rt.free.any()
	if (fresh || hungry) && now-sw.dumped >= int64(dumpEvery) {
		sw.dumped = now
		traces := tracesOfStacks()
		for _, l := range stalled {
			m.examine(l, traces.of(sw.looks[l.id].on), now)
		}
	}
	if !hungry {
		return
	}
	owed, blocked := 0, 0
	for _, l := range stalled {
		if l.debt.Load() {
			owed++
		}
		if sw.looks[l.id].blocked {
			blocked++
		}
	}
	metrics.Read(sw.samples)
	busy := int(sw.samples[0].Value.Uint64()+sw.samples[1].Value.Uint64()) - 1
	allowed := max(len(stalled)-busy, blocked) - owed
	lend := min(allowed, sw.agreed)
	sw.agreed = max(allowed, 0)
	for _, l := range stalled {
		if lend <= 0 {
			return
		}
		if !l.debt.Load() && (sw.looks[l.id].blocked || blocked == 0) {
			m.lend(l)
			lend--
		}
	}
}

// lend makes a spare lane a permit in place of l. If l moved since it was found
// stalled, the debt is taken back, unless whoever put l down has paid it already.
// Who puts a lane down clears on before it looks at debt, and here debt is set before
// on is looked at, so one of the two sees the other.
func (m *monitor) lend(l *lane) {
	rt := m.rt
	i := rt.spares.take()
	if i < 0 {
		return
	}
	l.debt.Store(true)
	if seen := &m.stalls.looks[l.id]; l.on.Load() != seen.on || l.stats.polls.Load() != seen.polls {
		if l.debt.CompareAndSwap(true, false) {
			rt.spares.set(i)
			return
		}
	}
	rt.loans.Add(1)
	rt.free.set(i)
	if rt.closed.Load() {
		rt.checkQuiet()
	}
	rt.notify()
}

// examine reports a stall once, and notes whether its goroutine is blocked.
func (m *monitor) examine(l *lane, trace []byte, now int64) {
	seen := &m.stalls.looks[l.id]
	head, _, _ := bytes.Cut(trace, []byte("\n"))
	seen.blocked = len(trace) > 0 && !bytes.Contains(head, []byte("[running")) && !bytes.Contains(head, []byte("[runnable"))
	if seen.reported {
		return
	}
	seen.reported = true
	m.rt.stalls.Add(1)
	m.rt.cfg.Logger.Warn("task: a task holds its permit without progress",
		"runtime", m.rt.cfg.Name, "task", seen.cur.name(), "for", time.Duration(now-seen.since),
		"blocked", seen.blocked, "hint", "wrap what blocks in task.Block, or call task.Checkpoint in long loops", "stack", string(trace))
}

package schedule

import (
	"context"
	"fmt"
)

type state uint8

const (
	waiting state = iota
	ready
	active
	done
)

// entry is all that is known of one key.
type entry struct {
	key        Key
	run        func(context.Context) (any, error)
	state      state
	demanded   bool
	needs      int      // prerequisites that have not ended
	after      []*entry // those prerequisites, while the entry waits
	dependents []*entry
	val        any
	err        error
	replies    []*reply
}

// lane is the queue and the active count of one kind of work.
type lane struct {
	limit    int
	active   int
	demanded fifo
	likely   fifo
}

// ledger is the scheduler's state and its rules, free of tasks and queues so
// that a test can drive it step by step. Its only effect is to call start.
type ledger struct {
	entries map[Key]*entry
	lanes   []lane
	start   func(*entry) // begins the entry's task; called with state already active
	running int
}

func newLedger(limits []int, start func(*entry)) *ledger {
	l := &ledger{entries: make(map[Key]*entry), start: start}
	for _, n := range limits {
		l.lanes = append(l.lanes, lane{limit: n})
	}
	return l
}

// submit records a job, or makes a known one demanded.
func (l *ledger) submit(job Job) {
	if e := l.entries[job.Key]; e != nil {
		l.promote(e, job.Speculative)
		return
	}
	e := &entry{key: job.Key, run: job.Run, demanded: !job.Speculative}
	l.entries[job.Key] = e
	for _, k := range job.After {
		p := l.entries[k]
		switch {
		case p == nil:
			l.finish(e, nil, &PrerequisiteError{Job: job.Key, Needs: k, Err: ErrUnknown})
			return
		case p.state == done && p.err != nil:
			l.finish(e, nil, &PrerequisiteError{Job: job.Key, Needs: k, Err: p.err})
			return
		case p.state != done:
			p.dependents = append(p.dependents, e)
			e.after = append(e.after, p)
			e.needs++
			l.promote(p, job.Speculative)
		}
	}
	if e.needs == 0 {
		l.enqueue(e)
		l.pump(e.key.Lane)
	}
}

// promote makes an entry, and what it waits for, demanded. One that is ready
// moves ahead of the speculative ones; its old place in the other queue is
// skipped when it is reached. The recursion is as deep as a chain of
// prerequisites, that is, as folders nest.
func (l *ledger) promote(e *entry, speculative bool) {
	if speculative || e.demanded {
		return
	}
	e.demanded = true
	switch e.state {
	case ready:
		l.lanes[e.key.Lane].demanded.push(e)
	case waiting:
		for _, p := range e.after {
			l.promote(p, false)
		}
	}
}

func (l *ledger) enqueue(e *entry) {
	e.state, e.after = ready, nil
	if e.demanded {
		l.lanes[e.key.Lane].demanded.push(e)
	} else {
		l.lanes[e.key.Lane].likely.push(e)
	}
}

// pump starts what the lane's limit admits.
func (l *ledger) pump(i Lane) {
	ln := &l.lanes[i]
	for ln.active < ln.limit {
		e := ln.next()
		if e == nil {
			return
		}
		e.state = active
		ln.active++
		l.running++
		l.start(e)
	}
}

// next takes the oldest ready entry, demanded ones first.
func (ln *lane) next() *entry {
	for _, q := range []*fifo{&ln.demanded, &ln.likely} {
		for e := q.pop(); e != nil; e = q.pop() {
			if e.state == ready {
				return e
			}
		}
	}
	return nil
}

// finished ends an active entry and starts what it made possible.
func (l *ledger) finished(e *entry, val any, err error) {
	l.lanes[e.key.Lane].active--
	l.running--
	l.finish(e, val, err)
	l.pump(e.key.Lane)
}

// finish makes an entry done, answers whoever asked and settles its dependents.
// It walks with a list of its own: a chain of dependents may be long.
func (l *ledger) finish(e *entry, val any, err error) {
	l.close(e, val, err)
	todo := []*entry{e}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range p.dependents {
			if d.state != waiting {
				continue
			}
			if p.err != nil {
				l.close(d, nil, &PrerequisiteError{Job: d.key, Needs: p.key, Err: p.err})
				todo = append(todo, d)
				continue
			}
			if d.needs--; d.needs == 0 {
				l.enqueue(d)
				l.pump(d.key.Lane)
			}
		}
		p.dependents = nil
	}
}

func (l *ledger) close(e *entry, val any, err error) {
	e.state, e.val, e.err, e.run, e.after = done, val, err, nil, nil
	for _, r := range e.replies {
		r.answer(val, err)
	}
	e.replies = nil
}

// ask answers r now, or when the job ends. Asking makes a job demanded.
func (l *ledger) ask(k Key, r *reply) {
	e := l.entries[k]
	switch {
	case e == nil:
		r.answer(nil, fmt.Errorf("%w: %s", ErrUnknown, k.Name))
	case e.state == done:
		r.answer(e.val, e.err)
	default:
		l.promote(e, false)
		e.replies = append(e.replies, r)
	}
}

// forget drops the kept results of a lane, so that what they hold can be
// collected. A later submit of such a key runs it again.
func (l *ledger) forget(i Lane) {
	for k, e := range l.entries {
		if k.Lane == i && e.state == done {
			delete(l.entries, k)
		}
	}
}

// abandon ends every entry that has not started with err.
func (l *ledger) abandon(err error) {
	for _, e := range l.entries {
		if e.state == waiting || e.state == ready {
			l.close(e, nil, err)
			e.dependents = nil
		}
	}
}

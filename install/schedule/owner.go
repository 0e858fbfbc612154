package schedule

import (
	"context"

	"weft/task"
)

// owner is the task that holds the ledger.
type owner struct {
	sched   *Scheduler
	ledger  *ledger
	jobs    context.Context // every job's parent
	cancel  context.CancelFunc
	handles map[*entry]*task.Handle[any]
	closing bool
}

// loop serves messages until it was told to stop and no job runs.
func (o *owner) loop(ctx context.Context) error {
	for !o.closing || o.ledger.running > 0 {
		m, err := o.sched.inbox.Recv(ctx)
		if err != nil {
			return err
		}
		o.serve(ctx, m)
	}
	o.refuse()
	return nil
}

// refuse closes the inbox and answers what is still in it.
func (o *owner) refuse() {
	o.sched.inbox.Close()
	for {
		m, ok := o.sched.inbox.TryRecv()
		if !ok {
			return
		}
		if m.kind == msgAsk {
			m.to.answer(nil, ErrClosed)
		}
	}
}

func (o *owner) serve(ctx context.Context, m message) {
	switch m.kind {
	case msgSubmit:
		if !o.closing {
			o.ledger.submit(m.job)
		}
	case msgAsk:
		if o.closing {
			m.to.answer(nil, ErrClosed)
			return
		}
		o.ledger.ask(m.key, m.to)
	case msgForget:
		o.ledger.forget(m.key.Lane)
	case msgFinished:
		h := o.handles[m.done]
		delete(o.handles, m.done)
		val, err := outcome(ctx, h, m.returned)
		o.ledger.finished(m.done, val, err)
	case msgStop:
		if !o.closing {
			o.closing = true
			o.cancel()
			o.ledger.abandon(ErrClosed)
		}
	}
}

// outcome takes the result of a job whose last deferred call has run, so that
// the wait is for the last instructions of a task that is ending. A job that did
// not return may have called Goexit, which Join would pass on to the owner: its
// result is looked at from outside.
func outcome(ctx context.Context, h *task.Handle[any], returned bool) (any, error) {
	if returned {
		return h.Join(ctx)
	}
	return task.Block(ctx, func() (any, error) {
		<-h.Done()
		v, _, err := h.TryJoin()
		return v, err
	})
}

// start spawns an entry's task. Its context is never cancelled before it runs,
// so the deferred message is always sent; the job's own context may be.
func (o *owner) start(e *entry) {
	run, jobs, sched := e.run, o.jobs, o.sched
	o.handles[e] = task.Go(context.WithoutCancel(jobs), func(own context.Context) (any, error) {
		returned := false
		defer func() { sched.tell(message{kind: msgFinished, done: e, returned: returned}) }()
		val, err := runUnder(own, jobs, run)
		returned = true
		return val, err
	})
}

// runUnder calls run with own's values (the task's identity) and jobs'
// cancellation.
func runUnder(own, jobs context.Context, run func(context.Context) (any, error)) (any, error) {
	if err := jobs.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(own)
	defer cancel(nil)
	defer context.AfterFunc(jobs, func() { cancel(context.Cause(jobs)) })()
	return run(ctx)
}

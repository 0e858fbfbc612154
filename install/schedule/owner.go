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
		// The message came from the job's own deferred call, so this wait is for
		// the last instructions of a task that is ending.
		val, err := h.Join(ctx)
		o.ledger.finished(m.done, val, err)
	case msgStop:
		if !o.closing {
			o.closing = true
			o.cancel()
			o.ledger.abandon(ErrClosed)
		}
	}
}

// start spawns an entry's task. Its context is never cancelled before it runs,
// so the deferred message is always sent; the job's own context may be.
func (o *owner) start(e *entry) {
	run, jobs, inbox := e.run, o.jobs, o.sched.inbox
	o.handles[e] = task.Go(context.WithoutCancel(jobs), func(own context.Context) (any, error) {
		defer inbox.Send(message{kind: msgFinished, done: e})
		if err := jobs.Err(); err != nil {
			return nil, err
		}
		ctx, stop := mergeCancel(own, jobs)
		defer stop()
		return run(ctx)
	})
}

// mergeCancel gives own's values (the task's identity) and jobs' cancellation.
func mergeCancel(own, jobs context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(own)
	stop := context.AfterFunc(jobs, func() { cancel(context.Cause(jobs)) })
	return ctx, func() { stop(); cancel(nil) }
}

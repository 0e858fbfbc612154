package schedule

import (
	"context"
	"errors"
	"fmt"

	"weft/flow"
	"weft/task"
)

// Config sizes a scheduler.
type Config struct {
	// Lanes holds the limit on running jobs of each lane, at least 1 each. A
	// job's Key.Lane is an index into it.
	Lanes []int
}

// Scheduler runs jobs. Its methods may be called from any task or goroutine.
type Scheduler struct {
	inbox flow.Queue[message]
	owner *task.Handle[struct{}]
}

// message is one of submit, ask, forget, finished or stop.
type message struct {
	kind messageKind
	job  Job    // submit
	key  Key    // ask, forget (its lane)
	to   *reply // ask
	done *entry // finished
	// returned tells that a finished job returned, rather than panicked or exited.
	returned bool
}

type messageKind uint8

const (
	msgSubmit messageKind = iota
	msgAsk
	msgForget
	msgFinished
	msgStop
)

// reply is where one asker waits for its answer. The owner writes val and err
// before it wakes the waiter, and never touches them again.
type reply struct {
	waiter task.Waiter
	val    any
	err    error
}

func (r *reply) answer(val any, err error) {
	r.val, r.err = val, err
	r.waiter.Wake()
}

// Start begins a scheduler on the runtime of ctx, or on task.Default. Cancelling
// ctx cancels every job; Close must still be called. It does not block.
func Start(ctx context.Context, cfg Config) (*Scheduler, error) {
	if len(cfg.Lanes) == 0 {
		return nil, errors.New("schedule: no lanes")
	}
	for i, n := range cfg.Lanes {
		if n < 1 {
			return nil, fmt.Errorf("schedule: lane %d has limit %d, want 1 or more", i, n)
		}
	}
	s := new(Scheduler)
	// The owner outlives a cancelled ctx, to join the jobs and answer the askers.
	jobs, cancel := context.WithCancel(ctx)
	s.owner = task.Go(context.WithoutCancel(ctx), func(own context.Context) (struct{}, error) {
		defer cancel()
		o := &owner{sched: s, jobs: jobs, cancel: cancel, handles: make(map[*entry]*task.Handle[any])}
		o.ledger = newLedger(cfg.Lanes, o.start)
		return struct{}{}, o.loop(own)
	})
	return s, nil
}

// Submit records a job. It does not block. After Close it does nothing.
func (s *Scheduler) Submit(job Job) {
	s.tell(message{kind: msgSubmit, job: job})
}

// tell sends what needs no answer: a closed scheduler has no use for it.
func (s *Scheduler) tell(m message) { _ = s.inbox.Send(m) }

// Wait returns what the job gave, waiting for it if need be: ErrUnknown if
// nobody submitted it, ErrClosed if the scheduler was closed first, a
// *PrerequisiteError if it could not be run, the context's error if ctx ends.
func (s *Scheduler) Wait(ctx context.Context, k Key) (any, error) {
	r := new(reply)
	if s.inbox.Send(message{kind: msgAsk, key: k, to: r}) != nil {
		return nil, ErrClosed
	}
	if err := r.waiter.Wait(ctx); err != nil {
		return nil, err
	}
	return r.val, r.err
}

// Forget drops the results of a lane's ended jobs, so that memory they hold can
// be reclaimed.
func (s *Scheduler) Forget(lane Lane) {
	s.tell(message{kind: msgForget, key: Key{Lane: lane}})
}

// Close cancels the jobs that run, abandons those that do not, waits until all
// have ended and returns. Whoever still waits gets ErrClosed. It may be called
// more than once.
func (s *Scheduler) Close() {
	s.tell(message{kind: msgStop})
	// The owner cannot fail, and its own panic would be a bug worth hearing of.
	if _, err := s.owner.Join(context.Background()); err != nil {
		panic(err)
	}
}

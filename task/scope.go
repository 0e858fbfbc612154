package task

import (
	"context"
	"errors"

	"weft/internal/sy"
)

// Scope holds the children of one Run. Its methods may be called by Run's
// function, by the children, and by anybody until Run returns.
type Scope struct {
	node    task // the scope's context
	limit   int
	all     bool
	pending sy.Int64 // children that have not ended, and Run's function
	idle    Waiter

	mu      sy.Mutex
	active  int
	filling bool     // somebody starts those that wait
	waiting []*child // past the limit, in order
	errs    []error
}

// ScopeOption changes how Run and Map treat their children.
type ScopeOption func(*Scope)

// Limit lets at most n children run at a time; the others are queued without
// costing more than their closure. n <= 0 means no limit, the default.
func Limit(n int) ScopeOption { return func(s *Scope) { s.limit = n } }

// AllErrors lets every child run to its end and joins all errors, in the order
// in which they came, where otherwise the first error cancels the rest and is the
// result.
func AllErrors() ScopeOption { return func(s *Scope) { s.all = true } }

// child is one task of a scope; it is its own handle.
type child struct {
	task  task
	scope *Scope
	fn    func(context.Context) error
}

//go:norace
func (c *child) exec() {
	defer c.task.settle()
	c.task.err = c.fn(&c.task)
	c.task.returned = true
}

func (c *child) ended()    { c.scope.childEnded(c.task.err) }
func (c *child) code() any { return c.fn }

// Run calls fn with a new scope, waits for all children spawned in it, and
// returns the first error among fn's and theirs. That error cancels the others
// (but see AllErrors). A child's panic is its error, a *PanicError with the
// child's stack; a panic of fn itself cancels the children, waits for them, and
// goes on.
//
// fn runs on the caller's goroutine. If that is a task's it holds a permit as
// before; a plain goroutine holds none.
func Run(ctx context.Context, fn func(s *Scope) error, opts ...ScopeOption) (err error) {
	if fn == nil {
		panic(nilFunction)
	}
	s := &Scope{}
	Checkpoint(ctx)
	apart(func() { s.node.adopt(ctx, here()) })
	for _, o := range opts {
		if o == nil {
			panic("task: nil ScopeOption")
		}
		o(s)
	}
	s.pending.Store(1)
	defer func() {
		apart(s.wait)
		s.joined()
		err = s.result()
	}()
	normal := false
	defer func() {
		if !normal {
			s.node.cancel()
		}
	}()
	if e := fn(s); e != nil {
		apart(func() { s.fail(e) })
	}
	normal = true
	return nil
}

// Context is what the children's contexts derive from. It is cancelled by the
// first error and when Run's function panics.
func (s *Scope) Context() context.Context { return &s.node }

// Go spawns a child. It never waits; beyond the limit the child is queued. After
// the scope was cancelled, children that have not begun do not run.
func (s *Scope) Go(fn func(context.Context) error) {
	if fn == nil {
		panic(nilFunction)
	}
	c := &child{scope: s, fn: fn}
	c.task.body = c
	c.task.flags.Store(flagEnded)
	c.task.spawned()
	if guests && aside(func() { s.admit(c) }) {
		return
	}
	s.admit(c)
}

// admit spawns c, or queues it beyond the limit.
func (s *Scope) admit(c *child) {
	s.pending.Add(1)
	if s.limit > 0 {
		s.mu.Lock()
		if s.active >= s.limit {
			s.waiting = append(s.waiting, c)
			s.mu.Unlock()
			checkpointOf(here())
			return
		}
		s.active++
		s.mu.Unlock()
	}
	spawn(&s.node, &c.task, here())
}

// childEnded is called after a child's end was published.
func (s *Scope) childEnded(err error) {
	if err != nil {
		s.fail(err)
	}
	if s.limit > 0 {
		s.fill()
	}
	s.release()
}

// fill starts children that wait, now that one has ended. A child that is refused
// ends right here and comes back to fill, which must not nest: who finds it at work
// leaves the rest to it.
func (s *Scope) fill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	if s.filling {
		return
	}
	s.filling = true
	for s.active < s.limit && len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting[0] = nil
		s.waiting = s.waiting[1:]
		s.active++
		s.mu.Unlock()
		// No checkpoint: the caller may be a task that has ended already.
		on := here()
		next.task.adopt(&s.node, on)
		next.task.launch(on, false)
		s.mu.Lock()
	}
	s.filling = false
}

func (s *Scope) fail(err error) {
	s.mu.Lock()
	first := len(s.errs) == 0
	if first || s.all {
		s.errs = append(s.errs, err)
	}
	s.mu.Unlock()
	if first && !s.all {
		s.node.cancel()
	}
}

func (s *Scope) release() {
	if s.pending.Add(-1) == 0 {
		s.idle.wake()
	}
}

// wait returns when all children have ended. It cannot be cancelled: that is what
// makes the scope a scope.
func (s *Scope) wait() {
	defer s.node.finish(nil) // also if Shutdown unwinds the wait
	if s.pending.Add(-1) > 0 {
		_ = s.idle.wait(context.Background())
	}
}

// result is called when all children have ended.
//
//go:norace
func (s *Scope) result() error {
	errs := make([]error, len(s.errs))
	for i := range errs {
		errs[i] = s.errs[i]
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// Map calls fn for every element of in, each in a task of its own, and returns
// the results in the order of in. Errors, limits and panics are as in Run; where
// an element failed or did not run, its result is what fn returned, or zero.
func Map[In, Out any](ctx context.Context, in []In, fn func(context.Context, In) (Out, error), opts ...ScopeOption) ([]Out, error) {
	if fn == nil {
		panic(nilFunction)
	}
	out := make([]Out, len(in))
	err := Run(ctx, func(s *Scope) error {
		for i := range in {
			s.Go(func(ctx context.Context) (err error) {
				out[i], err = fn(ctx, in[i])
				return err
			})
		}
		return nil
	}, opts...)
	return out, err
}

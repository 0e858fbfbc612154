//go:build race && !weftsim

package task

import (
	"runtime"
	"unsafe"
)

// The edges that the race detector sees between tasks, in race builds:
//
//	spawn          -> the function runs
//	its end        -> Join and TryJoin return, Run and Map return
//	Waiter.Wake    -> the Wait or TryWait that took its token
//	cancel         -> Err is not nil
//	Waker.Wake     -> the poll that follows, as does the end of one
//	a child's end  -> children of the same scope that begin later, if it has a limit
//	a task's hooks -> the function, and its end
//
// An edge lies at an address that nothing else uses for synchronisation; where
// there is no plain field for it, one byte into an atomic.

func release[T any](p *T) { runtime.RaceReleaseMerge(unsafe.Pointer(p)) }

func acquire[T any](p *T) { runtime.RaceAcquire(unsafe.Pointer(p)) }

// spawned is called by who spawns t.
func (t *task) spawned() { release(&t.body) }

// begins and ends are called around t's function, on its goroutine.
//
//go:norace
func (t *task) begins() {
	acquire(&t.body)
	if c, ok := t.body.(*child); ok && c.scope.limit > 0 {
		acquire(&c.scope.limit)
	}
	if p, ok := t.body.(*poller); ok {
		acquire(&p.pc)
		acquire(&t.err)
	}
}

//go:norace
func (t *task) ends() {
	release(&t.err)
	if c, ok := t.body.(*child); ok {
		release(&c.scope.limit)
	}
}

// joined is called by who has seen that t has ended.
func (t *task) joined() { acquire(&t.err) }

// hooked is called after a hook of t, on its stack.
func (t *task) hooked() {
	release(&t.body)
	release(&t.err)
}

func (t *task) cancels() { release(&t.next) }

func (t *task) wasCanceled() { acquire(&t.next) }

// joined is called when all children have ended.
func (s *Scope) joined() { acquire(&s.limit) }

func (p *poller) wakes() { release(&p.pc) }

// noted is a guest's wake of a task that is polled at the moment, which needs no host.
func (p *poller) noted() bool {
	hide()
	defer reveal()
	s := p.state.Load()
	return s == pollWoken || s == pollRuns && p.state.CompareAndSwap(pollRuns, pollWoken)
}

func (w *Waiter) woken() { runtime.RaceReleaseMerge(unsafe.Add(unsafe.Pointer(w), 1)) }

func (w *Waiter) taken() { runtime.RaceAcquire(unsafe.Add(unsafe.Pointer(w), 1)) }

// hide and reveal enclose operations of the runtime on atomics that guests do
// themselves.
func hide() { runtime.RaceDisable() }

func reveal() { runtime.RaceEnable() }

// peek reads what a host has written.
//
//go:norace
func peek[T any](p *T) T { return *p }

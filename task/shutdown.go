package task

import (
	"context"

	"weft/internal/sy"
)

// Shutdown ends the runtime. It closes admission (Go and BlockOn fail with
// ErrClosed from then on), cancels every task, waits until all have ended, and
// joins the workers and the monitor; afterwards none of the runtime's goroutines
// is left.
//
// If ctx ends first, tasks that still wait are resumed into runtime.Goexit, so
// that their deferred calls run, and after at most a second more the result is a
// *StragglersError that names the tasks which were unwound or still run, and where
// they stood. The goroutines of callers inside BlockOn are not the runtime's and
// are never unwound. Marked regions are waited for and get their permit back.
//
// With all tasks gone, a hook or a cancellation callback of the program's may still
// keep the runtime from ending. Shutdown waits for it until ctx ends, and a second
// more; the *StragglersError then names no task.
//
// It may be called again, from several goroutines at once too: each returns when
// the runtime has ended, or by its own context as above. It returns ErrInTask
// and ErrInHook where it would wait for itself, and the error of a hook that
// panicked.
func (r *Runtime) Shutdown(ctx context.Context) error {
	if ctx == nil {
		panic(nilContext)
	}
	var err error
	apart(func() { err = r.refusal() })
	if refused := peek(&err); refused != nil {
		return refused
	}
	r.closeAdmission()
	w := r.attend()
	defer r.dismiss(w)
	var late *StragglersError
	for !r.quiet.Load() {
		if err := w.Wait(ctx); err != nil {
			late = &StragglersError{Cause: err, Tasks: r.unwind(w)}
			break
		}
	}
	if !r.quiet.Load() {
		late.Tasks = append(late.Tasks, r.stragglers()...)
		return late
	}
	if err := r.join(ctx, w); err != nil {
		if late == nil {
			late = &StragglersError{Cause: err}
		}
		return late
	}
	if late != nil && len(late.Tasks) > 0 {
		return late
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hookFailure
}

// closeAdmission refuses new work from now on and cancels what there is, once.
func (r *Runtime) closeAdmission() {
	if r.closed.CompareAndSwap(false, true) {
		r.root.cancel()
	}
	r.checkQuiet()
}

// refusal is why the caller may not call Shutdown, if so.
func (r *Runtime) refusal() error {
	if s := here(); s != nil && s.rt == r && (s.cur.Load() != nil || s.hooked) {
		if s.hooked {
			return ErrInHook
		}
		return ErrInTask
	}
	return nil
}

// checkQuiet notices the end of the last task. It is called after each event that
// may have been it. Once admission is closed every term of the sum only falls; a
// lane's is published before the lane is free. So when all lanes are seen free,
// the sum is at least what is left at the end of the reading, and zero means none.
func (r *Runtime) checkQuiet() {
	if r.free.len()+r.spares.len() != len(r.lanes) {
		return
	}
	sum := r.live.Load()
	for _, l := range r.lanes {
		sum += l.shown.Load()
	}
	if sum == 0 && r.quiet.CompareAndSwap(false, true) {
		r.wakeWatchers()
	}
}

func (r *Runtime) attend() *Waiter {
	w := new(Waiter)
	r.mu.Lock()
	r.watchers = append(r.watchers, w)
	r.mu.Unlock()
	return w
}

func (r *Runtime) dismiss(w *Waiter) {
	r.mu.Lock()
	for i, x := range r.watchers {
		if x == w {
			r.watchers = append(r.watchers[:i], r.watchers[i+1:]...)
			break
		}
	}
	r.mu.Unlock()
}

// wakeWatchers wakes without the lock: who waits may be another runtime's task,
// and the wake takes locks of that one.
func (r *Runtime) wakeWatchers() {
	r.mu.Lock()
	watchers := append([]*Waiter(nil), r.watchers...)
	r.mu.Unlock()
	for _, w := range watchers {
		w.wake()
	}
}

// join waits until workers, monitor and stacks have ended, which the first to call
// it brings about. It gives up, with the error of ctx, unwindGrace after its end.
func (r *Runtime) join(ctx context.Context, w *Waiter) error {
	r.mu.Lock()
	first := !r.ending
	r.ending = true
	if first {
		r.stopping.Store(true)
	}
	r.mu.Unlock()
	if first {
		r.env.Go("weft teardown", r.end)
	}
	for !r.hasEnded() {
		if err := w.Wait(ctx); err != nil {
			return r.joinLate(err, w)
		}
	}
	return nil
}

// joinLate is join once ctx has ended, with cause.
func (r *Runtime) joinLate(cause error, w *Waiter) error {
	var over sy.Bool
	stop := r.env.Timer(unwindGrace, func() {
		over.Store(true)
		w.wake()
	})
	defer stop()
	for !r.hasEnded() {
		if over.Load() {
			return cause
		}
		_ = w.Wait(context.Background())
	}
	return nil
}

// end ends workers, monitor and stacks, on a goroutine of its own.
func (r *Runtime) end() {
	r.janitor.dismiss()
	for i := r.idlers.take(); i >= 0; i = r.idlers.take() {
		r.workers[i].Load().parker.Unpark()
	}
	r.monitor.end()
	for r.running.Load() > 0 {
		r.joined.Park()
	}
	r.teardown()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.wakeWatchers()
}

func (r *Runtime) hasEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// memberEnded is called last by every goroutine that Shutdown joins.
func (r *Runtime) memberEnded() {
	if r.running.Add(-1) == 0 {
		r.joined.Unpark()
	}
}

// reaper runs f on a goroutine that Shutdown joins.
func (r *Runtime) reaper(f func()) {
	r.running.Add(1)
	r.env.Go("weft reaper", func() {
		defer r.memberEnded()
		f()
	})
}

package task

import (
	"time"

	"weft/internal/sy"
)

// worker is a goroutine that runs tasks while it holds a lane. Its base is the
// goroutine it was started as; what runs for it at a moment may be any stack.
// Plain fields belong to whatever runs for it; searching is also written by whoever
// cleared its bit in idlers.
type worker struct {
	id     int
	rt     *Runtime
	lane   *lane            // nil without a permit
	given  sy.Pointer[lane] // a lane handed over, not yet taken
	base   *stack
	parker sy.Parker

	after landing // what to do about left, the stack that ran before
	left  *stack

	searching bool
	slow      bool             // its recent marked regions outlived the grace
	retiring  bool             // the janitor ends it; written by who cleared its bit in idlers
	slept     sy.Uint32        // the janitor's tick when it last began to wait
	since     int64            // when a region began whose permit was given up at once
	detached  sy.Pointer[task] // runs in a region whose permit is gone
	_         [64]byte
}

// addWorker starts a worker that holds l. It reports false at the cap, or if no
// goroutine can be had.
func (rt *Runtime) addWorker(l *lane) bool {
	rt.mu.Lock()
	id := -1
	if !rt.stopping.Load() {
		id = rt.vacant.take()
	}
	if id < 0 {
		rt.mu.Unlock()
		return false
	}
	rt.workerCount++
	slow := rt.workerCount > len(rt.lanes)
	w := &worker{id: id, rt: rt, parker: rt.env.NewParker(), searching: true, slow: slow}
	w.given.Store(l)
	w.base = &stack{kind: kindBase, rt: rt, w: w}
	w.base.adopt()
	rt.workers[id].Store(w)
	rt.mu.Unlock()
	if err := rt.launch("weft worker", w.main); err != nil {
		rt.removeWorker(w)
		rt.env.Timer(launchRetry, rt.notify) // what is queued waits for it
		return false
	}
	if rt.cfg.IdleExit > 0 {
		rt.janitor.call()
	}
	return true
}

// removeWorker gives the id of a worker back.
func (rt *Runtime) removeWorker(w *worker) {
	rt.mu.Lock()
	rt.workers[w.id].Store(nil)
	rt.vacant.set(w.id)
	rt.workerCount--
	rt.mu.Unlock()
}

// launchRetry is when a worker is tried again that could not be started.
const launchRetry = time.Millisecond

// launch starts a goroutine that counts as a member until it calls memberEnded.
// A panic of Env.Go is returned.
func (rt *Runtime) launch(name string, f func()) (err error) {
	rt.running.Add(1)
	defer func() {
		if err != nil {
			rt.cfg.Logger.Error("task: no goroutine can be started", "runtime", rt.cfg.Name, "what", name, "error", err)
			rt.memberEnded()
		}
	}()
	defer catch(&err)
	rt.env.Go(name, f)
	return nil
}

// main is the base: it waits for a lane whenever the worker has none and a stack
// of a task was just left, and ends the worker.
func (w *worker) main() {
	rt := w.rt
	defer rt.memberEnded()
	defer w.depart()
	rt.hook(rt.cfg.Hooks.WorkerStart, w.id)
	defer rt.hook(rt.cfg.Hooks.WorkerStop, w.id)
	w.accept()
	for {
		if w.lane == nil && !w.wait() {
			return
		}
		s := w.lane.rest()
		s.w = w
		s.next, w.base.next = w.base.next, nil
		w.base.switchTo(s)
		w.land()
		if w.lane == nil && (w.retiring || rt.stopping.Load()) {
			return
		}
	}
}

// depart makes room for another worker. Whoever found none just before either sees
// departed change or has stopped searching, and then its work is seen here.
func (w *worker) depart() {
	rt := w.rt
	rt.removeWorker(w)
	rt.departed.Add(1)
	if rt.hasWork() {
		rt.notify()
	}
}

// accept takes the lane that was handed over. It reports false if there is none.
func (w *worker) accept() bool {
	w.lane = w.given.Swap(nil)
	if w.lane == nil {
		return false
	}
	w.lane.holder.Store(w)
	return true
}

// find returns the next task for s, waiting for one. It returns nil when the worker
// has to end.
func (w *worker) find(s *stack) *task {
	for {
		if w.lane == nil {
			if !w.wait() {
				return nil
			}
			w.lane.running(s)
		}
		var t *task
		if !w.lane.debt.Load() {
			if t = w.lane.pick(); t == nil {
				t = w.search()
			}
		}
		if t != nil {
			w.stopSearching(w.lane)
			w.lane.taken(t)
			return t
		}
		// A huge stack is not slept on: base takes another.
		if s.huge() || !w.idle() {
			return nil
		}
		w.lane.running(s)
	}
}

// stopSearching is called when a searcher found work. The last one to find some
// looks for a successor, since there may be more.
func (w *worker) stopSearching(l *lane) {
	if !w.searching {
		return
	}
	w.searching = false
	if w.rt.searching.Add(-1) == 0 && (l.hasWork() || w.rt.hasWork()) {
		w.rt.notify()
	}
}

// idle gives the lane up and waits for another. It reports false when the worker
// has to end.
func (w *worker) idle() bool {
	rt := w.rt
	l := w.lane
	w.lane = nil
	searching := w.searching
	w.searching = false // before the bit: who takes that makes us a searcher again
	rt.idlers.set(w.id)
	if searching {
		rt.searching.Add(-1)
	}
	rt.putLane(l)
	return w.sleep()
}

// wait is idle for a worker that has no lane.
func (w *worker) wait() bool {
	w.rt.idlers.set(w.id)
	return w.sleep()
}

// sleep is called with the bit in idlers set. Work that was published before
// anybody could see that bit is found here.
func (w *worker) sleep() bool {
	rt := w.rt
	if rt.stopping.Load() && rt.idlers.clear(w.id) {
		return false
	}
	if rt.hasWork() {
		if l := rt.takeLane(w); l != nil {
			if rt.idlers.clear(w.id) {
				w.lane = l
				return true
			}
			rt.freeLane(l) // somebody gave us another meanwhile
		}
	}
	w.slept.Store(rt.janitor.ticks.Load())
	rt.hook(rt.cfg.Hooks.WorkerPark, w.id)
	w.parker.Park()
	rt.hook(rt.cfg.Hooks.WorkerUnpark, w.id)
	return w.accept()
}

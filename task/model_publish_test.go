//go:build weftsim

package task

import (
	"fmt"
	"math"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// newModelWorker makes a worker that is no goroutine yet.
func newModelWorker(rt *Runtime) *worker {
	w := &worker{id: rt.vacant.take(), rt: rt, parker: rt.env.NewParker()}
	rt.workers[w.id].Store(w)
	rt.workerCount++
	return w
}

// newModelStack is a stack of w that is never too large.
func newModelStack(w *worker) *stack {
	return &stack{kind: kindCoroutine, rt: w.rt, w: w, keepable: math.MaxInt32}
}

// modelPublish: publishers queue a task each and notify, two workers look for work,
// go idle and are woken. All tasks run once, and afterwards every lane is free, all
// workers are known as idle and none counts as a searcher. So no work is left with
// nobody awake.
func modelPublish(permits, workers, publishers int) func(x *checker.Explorer, env *checker.Env) model {
	return func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, permits, permits+1)
		capWorkers(rt, workers)
		tasks := make([]task, publishers)
		count := tally{}
		var running sy.Int32
		list := []checker.Thread{}
		for i := range publishers {
			list = append(list, checker.Thread{Name: fmt.Sprint("publisher ", i), Run: func() {
				rt.injector.push(&tasks[i])
				rt.notify()
			}})
		}
		for i := range workers {
			w := newModelWorker(rt)
			list = append(list, checker.Thread{Name: fmt.Sprint("worker ", i), Run: func() {
				s := newModelStack(w)
				for t := w.find(s); t != nil; t = w.find(s) {
					count.got(t)
					if running.Add(1) > int32(permits) {
						x.Fail("more tasks run than there are permits")
					}
					running.Add(-1)
				}
			}})
		}
		m := model{
			Model: checker.Model{
				Threads: list,
				Idle:    func(thread string) bool { return thread[0] == 'w' },
				Check: func() string {
					if rt.free.len() != permits || rt.idlers.len() != workers || rt.searching.Load() != 0 {
						return fmt.Sprint(rt.free.len(), " lanes are free, ", rt.idlers.len(), " workers idle, ", rt.searching.Load(), " search")
					}
					return count.once(tasks)
				},
			},
			faults: map[string]fault{
				"an idle worker is not known":  spoil(&rt.idlers.words[0], sy.Write, sy.LeftOut).in("worker"),
				"a lane is not freed":          spoil(&rt.free.words[0], sy.Write, sy.LeftOut).in("worker"),
				"searchers are never done":     spoil(&rt.searching, sy.Write, sy.LeftOut).in("worker"),
				"nobody is notified":           spoil(&rt.free.words[0], sy.Read, sy.LeftOut).in("publisher"),
				"an idle worker looks no more": spoil(&rt.injector.n, sy.Read, sy.LeftOut).in("worker").while(func() bool { return rt.idlers.any() }),
			},
		}
		if publishers > 1 {
			m.faults = map[string]fault{
				"a lane is taken blindly": spoil(&rt.free.words[0], sy.Compare, sy.Blind),
			}
		}
		return m
	}
}

// TestModelPublish is exhaustive for one task, and bounded where two are published
// at once.
func TestModelPublish(t *testing.T) {
	t.Run("one", func(t *testing.T) { prove(t, checker.Options{}, modelPublish(1, 2, 1)) })
	t.Run("two", func(t *testing.T) { prove(t, preemptions(2), modelPublish(1, 2, 2)) })
	t.Run("two permits", func(t *testing.T) { prove(t, preemptions(1), modelPublish(2, 2, 2)) })
}

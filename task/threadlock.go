package task

import (
	"runtime"

	"weft/internal/gid"
)

// Thread locks. A coroutine switch on a locked thread ends the process, and a task
// may lock its thread as often as it likes and forget it. So before each switch and
// after each task the locks are undone, however many there are, and reported: who
// needs a thread spawns the task with Pinned. Only coroutines are treated so; a
// borrowed caller's thread is its own, and so is that of a task in race builds, where
// nothing is to be undone nor reported (guest.go).

// blindUnlocks is how many locks are undone where it is not known whether there
// are any. Needless ones are almost free.
const blindUnlocks = 4

func (s *stack) unlockThread() {
	if s.kind != kindCoroutine {
		return
	}
	if locked, known := gid.Locked(); locked || !known {
		s.undoLocks(known)
	}
}

func (s *stack) undoLocks(known bool) {
	if !known {
		for range blindUnlocks {
			runtime.UnlockOSThread()
		}
		return
	}
	n := 0
	for locked := true; locked; locked, _ = gid.Locked() {
		runtime.UnlockOSThread()
		n++
	}
	name := "task"
	if t := s.cur.Load(); t != nil {
		name = t.name()
	}
	rt := s.rt
	rt.guard("logger", func() {
		rt.cfg.Logger.Warn("task: a task waited or ended with its thread locked", "runtime", rt.cfg.Name, "task", name,
			"locks", n, "hint", "spawn it with task.Pinned, or call runtime.UnlockOSThread first")
	})
}

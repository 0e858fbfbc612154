package task

import (
	"context"
	"math"
	"runtime"
	"time"
)

// Yield lets other tasks run and goes on after those that wait already. Outside
// a task, or inside a marked region, it is runtime.Gosched.
func Yield(ctx context.Context) {
	if guests && asideTask(func() { Yield(ctx) }) {
		return
	}
	s := here()
	if s == nil || !s.working() {
		runtime.Gosched()
		return
	}
	s.yield()
}

// yield lets others go first. A permit for which another was lent is given up in
// any case.
func (s *stack) yield() {
	if s.kind == kindCoroutine {
		s.suspend(landYielded)
		return
	}
	if s.w.lane.debt.Load() || s.rt.hasWork() {
		s.lend()
		s.queueFor(&s.rt.yielders)
	}
}

// Checkpoint is for loops that compute for long: it yields if the task has run
// longer than Config.Timeslice and others wait. It looks at the clock only every
// Config.CheckpointInterval calls and costs a few nanoseconds otherwise. Outside a
// task it does nothing.
//
// Go, Join, TryJoin, Run, Scope.Go, Map, Sleep, Waiter.Wait, Block and BlockOn are
// checkpoints too, so do not call them while holding a lock that is not the
// runtime's. What often is called under one does not yield: Waiter.Wake counts, and
// the next operation makes up for it; cancels, and joins of what has ended, do not count.
func Checkpoint(ctx context.Context) {
	if guests && (skipCheckpoint() || asideTask(func() { Checkpoint(ctx) })) {
		return
	}
	if s := here(); s != nil && s.working() {
		s.checkpoint()
	}
}

// checkpointOf is checkpoint for a caller that may be on no stack, or not at work.
func checkpointOf(s *stack) {
	if s != nil && s.working() {
		s.checkpoint()
	}
}

func (s *stack) checkpoint() {
	if s.budget--; s.budget <= 0 {
		s.checkSlice()
	}
}

func (s *stack) checkSlice() {
	giveTurn()
	cfg := &s.rt.cfg
	s.budget = int32(min(cfg.CheckpointInterval, math.MaxInt32))
	if s.w.lane.debt.Load() {
		s.sliceOf = nil
		s.yield()
		return
	}
	if cfg.Timeslice < 0 {
		return
	}
	now := s.rt.env.Now()
	if s.sliceOf != s.cur.Load() {
		s.sliceOf, s.sliceAt = s.cur.Load(), now
		return
	}
	if now-s.sliceAt >= int64(cfg.Timeslice) {
		s.sliceOf = nil
		if s.rt.hasWork() {
			s.yield()
		}
	}
}

// Sleep waits for d, or until ctx ends, and returns the error of ctx then. A task
// holds no permit meanwhile. For d <= 0 it only looks at ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		Checkpoint(ctx)
		return ctx.Err()
	}
	var err error
	if guests && aside(func() { err = sleep(ctx, d) }) {
		if peek(&err) != nil {
			return ctx.Err()
		}
		return nil
	}
	return sleep(ctx, d)
}

func sleep(ctx context.Context, d time.Duration) error {
	s := here()
	rt := plainRuntime
	if s != nil && s.working() {
		rt = s.rt
	}
	var w Waiter
	stop := rt.env.Timer(d, w.wake)
	err := w.wait(ctx)
	if err != nil {
		stop()
	}
	return err
}

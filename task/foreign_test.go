package task

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// hostile is a context that panics where it says, from its nth call on.
type hostile struct {
	context.Context
	onErr, onDone bool
	left          atomic.Int32 // calls that go well
}

func (h *hostile) Err() error {
	if h.onErr && h.left.Add(-1) < 0 {
		panic("hostile Err")
	}
	return h.Context.Err()
}

func (h *hostile) Done() <-chan struct{} {
	if h.onDone {
		panic("hostile Done")
	}
	return h.Context.Done()
}

func TestContextPanics(t *testing.T) {
	for _, p := range []int{1, 3} {
		rt := start(t, Config{Parallelism: p})
		bg := context.Background()
		for good := range int32(4) {
			bad := func() context.Context {
				h := &hostile{Context: rt.Enter(bg), onErr: true}
				h.left.Store(good)
				return h
			}
			f := func(ctx context.Context) (int, error) {
				Yield(ctx)
				return 0, ctx.Err()
			}
			polls := 0
			_, err := Go(bad(), f).Join(bg)
			_, pinned := Go(bad(), f, Pinned()).Join(bg)
			_, low := Go(bad(), f, Priority(Low)).Join(bg)
			_, poll := GoPoll(bad(), func(ctx context.Context, w Waker) (bool, error) {
				polls++
				w.Wake()
				return polls > 3, ctx.Err()
			}).Join(bg)
			child := Run(bad(), func(s *Scope) error {
				s.Go(func(ctx context.Context) error { _, err := f(ctx); return err })
				return nil
			})
			for i, err := range []error{err, pinned, low, poll, child} {
				var pe *PanicError
				if !errors.As(err, &pe) && (good < 2 || err != nil) {
					t.Errorf("P %d, %d good calls, %d: %v", p, good, i, err)
				}
			}
		}
		done := &hostile{Context: rt.Enter(bg), onDone: true}
		_, err := Go(done, func(ctx context.Context) (int, error) { return 1, Sleep(ctx, time.Microsecond) }).Join(bg)
		if err != nil {
			t.Errorf("a context without a usable Done: %v", err)
		}
		polled := false
		if _, err := GoPoll(done, func(_ context.Context, w Waker) (bool, error) {
			defer w.Wake()
			again := polled
			polled = true
			return again, nil
		}).Join(bg); err != nil {
			t.Errorf("a poll without a usable Done: %v", err)
		}
		if err := rt.Shutdown(bg); err != nil { // would raise what a coroutine ended by
			t.Error(err)
		}
	}
}

// A callback that calls runtime.Goexit ends who cancels, but all others are called
// and everything below hears of the cancel.
func TestCallbackGoexit(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	ctx := rt.Enter(context.Background())
	var called, waiting atomic.Int32
	deadly := func() { called.Add(1); runtime.Goexit() }
	wait := func(ctx context.Context) (int, error) {
		for range 2 {
			ctx.(*task).AfterFunc(deadly)
		}
		waiting.Add(1)
		return 0, Sleep(ctx, time.Hour)
	}
	top := Go(ctx, func(ctx context.Context) (int, error) {
		for range 3 {
			Go(ctx, func(ctx context.Context) (int, error) {
				return Go(ctx, wait).Join(ctx) // in place: a cancel has to search for what is below
			})
			Go(ctx, wait)
		}
		return wait(ctx)
	})
	eventually(t, "all wait", func() bool { return waiting.Load() == 7 })
	over := make(chan struct{})
	go func() {
		defer close(over)
		top.Cancel()
		t.Error("Goexit was stopped")
	}()
	<-over
	if n := called.Load(); n != 14 {
		t.Errorf("%d of 14 callbacks were called", n)
	}
	eventually(t, "all have ended", func() bool { return rt.Stats().Live == 0 })
}

func TestHooksLockThread(t *testing.T) {
	w, f := func(int) { runtime.LockOSThread() }, func(context.Context, string) { runtime.LockOSThread() }
	for _, p := range []int{1, 4} {
		rt := start(t, Config{Parallelism: p, IdleExit: time.Millisecond, Hooks: Hooks{
			WorkerStart: w, WorkerStop: w, WorkerPark: w, WorkerUnpark: w, TaskStart: f, TaskEnd: f,
		}})
		err := Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range 20 {
				s.Go(func(ctx context.Context) error {
					Yield(ctx)
					return Sleep(ctx, time.Microsecond)
				})
			}
			return nil
		})
		if err := errors.Join(err, rt.Shutdown(context.Background())); err != nil {
			t.Error(err)
		}
	}
}

// brokenLog is a handler that locks its thread and panics.
type brokenLog struct {
	slog.Handler
	records *atomic.Int32
}

func (brokenLog) Enabled(context.Context, slog.Level) bool { return true }

func (b brokenLog) Handle(context.Context, slog.Record) error {
	b.records.Add(1)
	runtime.LockOSThread()
	panic("broken log")
}

func TestLoggerPanics(t *testing.T) {
	var records atomic.Int32
	rt := start(t, Config{Parallelism: 1, StallAfter: time.Millisecond, Logger: slog.New(brokenLog{slog.DiscardHandler, &records})})
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		for records.Load() == 0 { // the monitor reports a stall
			runtime.Gosched()
		}
		ctx.(*task).AfterFunc(func() { panic("callback") })
		runtime.LockOSThread()
		return 1, Sleep(ctx, time.Hour)
	})
	eventually(t, "it sleeps", func() bool { return rt.Stats().Parks > 0 })
	h.Cancel()
	if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

// The monitor waits as long as the grace says, but neither Shutdown nor the look
// for stalls waits for it.
func TestLongGrace(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, HandoffGrace: time.Hour, StallAfter: time.Millisecond})
	ctx := rt.Enter(context.Background())
	if _, err := Go(ctx, func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { runtime.Gosched(); return 1, nil })
	}).Join(ctx); err != nil {
		t.Error(err)
	}
	h := Go(ctx, func(context.Context) (int, error) {
		for rt.Stats().Stalls == 0 {
			runtime.Gosched()
		}
		return 1, nil
	})
	for late := time.Now().Add(20 * time.Second); rt.Stats().Stalls == 0; runtime.Gosched() {
		if time.Now().After(late) {
			t.Fatal("no stall was seen")
		}
	}
	_, _ = h.Join(ctx)
	down := make(chan error, 1)
	go func() { down <- rt.Shutdown(context.Background()) }()
	select {
	case err := <-down:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Shutdown waits for the monitor")
	}
}

func TestNil(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	one := func(context.Context) (int, error) { return 1, nil }
	var none context.Context
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"Go":            {func() { Go[int](ctx, nil) }, nilFunction},
		"Go pinned":     {func() { Go[int](ctx, nil, Pinned()) }, nilFunction},
		"Go context":    {func() { Go(none, one) }, nilContext},
		"Go option":     {func() { Go(ctx, one, nil) }, "task: nil Option"},
		"GoPoll":        {func() { GoPoll(ctx, nil) }, nilFunction},
		"BlockOn":       {func() { _, _ = BlockOn[int](ctx, rt, nil) }, nilFunction},
		"Run":           {func() { _ = Run(ctx, nil) }, nilFunction},
		"Run context":   {func() { _ = Run(none, func(*Scope) error { return nil }) }, nilContext},
		"Run option":    {func() { _ = Run(ctx, func(*Scope) error { return nil }, nil) }, "task: nil ScopeOption"},
		"Scope.Go":      {func() { _ = Run(ctx, func(s *Scope) error { s.Go(nil); return nil }) }, nilFunction},
		"Map":           {func() { _, _ = Map[int, int](ctx, []int{1}, nil) }, nilFunction},
		"FromContext":   {func() { FromContext(none) }, nilContext},
		"Shutdown":      {func() { _ = rt.Shutdown(none) }, nilContext},
		"Scope.Go full": {func() { _ = Run(ctx, func(s *Scope) error { s.Go(nil); return nil }, Limit(1)) }, nilFunction},
	} {
		func() {
			defer func() {
				if v := recover(); v != c.want {
					t.Errorf("%s: panic %v, want %q", name, v, c.want)
				}
			}()
			c.call()
		}()
	}
	if v, err := Go(ctx, one).Join(ctx); v != 1 || err != nil { // still open
		t.Error(v, err)
	}
}

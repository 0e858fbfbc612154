package task

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// cancelers is a small memory of rights to cancel, most of them stale.
type cancelers [64]atomic.Pointer[Canceler]

func (c *cancelers) keep(r *rand.Rand, x Canceler) { c[r.IntN(len(c))].Store(&x) }

func (c *cancelers) use(r *rand.Rand) {
	if x := c[r.IntN(len(c))].Load(); x != nil {
		x.Cancel()
	}
}

// moreSteps are those operations of a tree that need more than one of the runtime's
// calls, or a second runtime.
func (s *soaker) moreSteps(ctx context.Context, r *rand.Rand, depth int) {
	switch r.IntN(8) {
	case 0:
		s.stale.keep(r, s.child(ctx, r, depth).Canceler())
	case 1:
		s.stale.use(r)
	case 2:
		s.derive(ctx, r, depth)
	case 3:
		s.scope(ctx, r, depth)
	case 4:
		h := s.child(ctx, r, depth)
		_, err := Block(ctx, func() (int, error) {
			select {
			case <-h.Done():
			case <-ctx.Done():
			}
			return 0, nil
		})
		s.check("done", err)
	case 5:
		seed := r.Uint64()
		h := Go(s.other.Enter(ctx), func(ctx context.Context) (int, error) {
			s.elsewhere(ctx, seed)
			return 0, nil
		})
		_, err := h.Join(ctx)
		s.check("join across runtimes", err)
	case 6:
		seed := r.Uint64()
		_, err := BlockOn(ctx, s.other, func(ctx context.Context) (int, error) {
			s.elsewhere(ctx, seed)
			return 0, nil
		})
		s.check("BlockOn across runtimes", err)
	case 7:
		for range r.IntN(50) {
			Checkpoint(ctx)
		}
	}
}

// elsewhere runs on the other runtime, where the permits of this one do not count.
func (s *soaker) elsewhere(ctx context.Context, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 4))
	for range r.IntN(4) {
		switch r.IntN(4) {
		case 0:
			Yield(ctx)
		case 1:
			s.check("sleep elsewhere", Sleep(ctx, time.Microsecond))
		case 2:
			_, err := Go(ctx, func(context.Context) (int, error) { return 0, nil }).Join(ctx)
			s.check("join elsewhere", err)
		case 3:
			h := Go(s.rt.Enter(ctx), func(context.Context) (int, error) { s.work(); return 0, nil })
			_, err := h.Join(ctx)
			s.check("join back", err)
		}
	}
}

// derive makes contexts below the task's, spawns with them and drops some late.
func (s *soaker) derive(ctx context.Context, r *rand.Rand, depth int) {
	var cancels []context.CancelFunc
	defer func() {
		for _, cancel := range cancels {
			cancel()
		}
	}()
	for range 1 + r.IntN(4) {
		below, cancel := context.WithTimeout(ctx, time.Duration(r.IntN(2000))*time.Microsecond)
		cancels = append(cancels, cancel)
		stop := context.AfterFunc(below, func() { s.ops.Add(1) })
		switch r.IntN(4) {
		case 0:
			stop()
		case 1:
			cancel()
		case 2:
			ctx = below
		}
		_, err := s.child(below, r, depth).Join(below)
		s.check("below a derived context", err)
	}
}

// scope runs children under random options; its function may fail, panic or Goexit.
func (s *soaker) scope(ctx context.Context, r *rand.Rand, depth int) {
	var opts []ScopeOption
	if r.IntN(2) == 0 {
		opts = append(opts, AllErrors())
	}
	if r.IntN(2) == 0 {
		opts = append(opts, Limit(1+r.IntN(3)))
	}
	end := r.IntN(10)
	err := Run(ctx, func(sc *Scope) error {
		for range r.IntN(6) {
			seed := r.Uint64()
			sc.Go(func(ctx context.Context) error { _, err := s.tree(ctx, seed, depth-1); return err })
		}
		switch end {
		case 0:
			panic(errSoak)
		case 1:
			runtime.Goexit()
		case 2:
			return errSoak
		}
		return nil
	}, opts...)
	s.check("scope", err)
}

// randomConfig is a runtime's setting; stalls are left alone, for whoever comes back
// from one may run beside the permit that was lent for it.
func randomConfig(r *rand.Rand, p int) Config {
	cfg := Config{Parallelism: p, MaxWorkers: p + 48, StackPool: 1 + r.IntN(16), StallAfter: -1}
	if r.IntN(2) == 0 {
		cfg.HandoffGrace = time.Duration(1+r.IntN(50)) * time.Microsecond
	}
	if r.IntN(2) == 0 {
		cfg.Timeslice, cfg.CheckpointInterval = 10*time.Microsecond, 1
	}
	if r.IntN(3) == 0 {
		cfg.IdleExit = time.Duration(1+r.IntN(5)) * time.Millisecond
	}
	if r.IntN(3) == 0 {
		cfg.Hooks = everyHook(func(string) { Yield(context.Background()) })
	}
	return cfg
}

// end shuts rt down, now and then with a deadline that unwinds first.
func (s *soaker) end(t *testing.T, r *rand.Rand, rt *Runtime) {
	if r.IntN(4) == 0 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(3))*time.Millisecond)
		var late *StragglersError
		if err := rt.Shutdown(ctx); err != nil && !errors.As(err, &late) {
			t.Errorf("early shutdown: %v", err)
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := rt.Shutdown(ctx); err != nil {
		buf := make([]byte, 4<<20)
		t.Fatalf("shutdown after %d operations: %v\n%+v\n%s", s.ops.Load(), err, rt.Stats(), buf[:runtime.Stack(buf, true)])
	}
}

// assertAtRest checks the books of a runtime that has been shut down and to which
// nobody offers work any more: every permit is in its place, nothing is queued,
// counted, linked or left.
func assertAtRest(t testing.TB, rt *Runtime) {
	t.Helper()
	if n := rt.free.len() + rt.spares.len(); n != len(rt.lanes) {
		t.Errorf("%d of %d lanes are free", n, len(rt.lanes))
	}
	if rt.hasWork() {
		t.Errorf("work is left: %+v", rt.Stats())
	}
	if n := rt.searching.Load(); n != 0 {
		t.Errorf("%d searchers", n)
	}
	live := rt.live.Load()
	for _, l := range rt.lanes {
		live += l.shown.Load()
	}
	st := rt.Stats()
	if live != 0 || st.Live != 0 || st.Borrowing != 0 || st.Running != 0 || st.Spawned != st.Finished {
		t.Errorf("%d tasks are counted: %+v", live, st)
	}
	if rt.firstStack() != nil {
		t.Error("a stack is left")
	}
	// A callback of a cancel that came late may be about to end.
	eventually(t, "workers, monitor and reapers have ended", func() bool { return rt.running.Load() == 0 })
	assertTreeEmpty(t, rt)
}

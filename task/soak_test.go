package task

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	soakFor  = flag.Duration("soak", 300*time.Millisecond, "how long TestSoak runs")
	soakSeed = flag.Uint64("soakseed", 0, "seed of TestSoak; 0 takes one from the clock")
)

// soaker makes random trees of tasks. busy counts those that execute code of
// their own at the moment: never more than the permits.
type soaker struct {
	t     *testing.T
	rt    *Runtime
	other *Runtime // for what crosses runtimes
	p     int32
	busy  atomic.Int32
	ops   atomic.Int64
	stop  atomic.Bool
	stale cancelers
}

// work is code that holds a permit.
func (s *soaker) work() {
	if n := s.busy.Add(1); n > s.p {
		s.t.Errorf("%d tasks run under %d permits", n, s.p)
	}
	runtime.Gosched()
	s.busy.Add(-1)
}

var errSoak = errors.New("soak")

// expected are the ends a task of the soak may come to.
func expected(err error) bool {
	var p *PanicError
	return err == nil || errors.Is(err, errSoak) || errors.As(err, &p) || errors.Is(err, ErrGoexit) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrClosed)
}

func (s *soaker) check(what string, err error) {
	if !expected(err) {
		s.t.Errorf("%s: %v", what, err)
	}
}

// tree runs random operations; depth bounds the nesting.
func (s *soaker) tree(ctx context.Context, seed uint64, depth int) (int, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 1 + r.IntN(6) {
		s.ops.Add(1)
		s.work()
		if s.stop.Load() || ctx.Err() != nil {
			return 0, ctx.Err()
		}
		s.step(ctx, r, depth)
		s.work()
	}
	switch r.IntN(30) {
	case 0:
		panic(errSoak)
	case 1:
		runtime.Goexit()
	case 2:
		return 0, errSoak
	}
	return 1, nil
}

func (s *soaker) child(ctx context.Context, r *rand.Rand, depth int, opts ...Option) *Handle[int] {
	seed := r.Uint64()
	if r.IntN(4) == 0 {
		opts = append(opts, Priority(Class(r.IntN(3)-1)))
	}
	return Go(ctx, func(ctx context.Context) (int, error) { return s.tree(ctx, seed, depth-1) }, opts...)
}

// joined joins a child; Goexit of a child would end the joiner too, so it joins
// from a marked region, as a plain goroutine, half of the time.
func (s *soaker) step(ctx context.Context, r *rand.Rand, depth int) {
	if depth == 0 {
		Yield(ctx)
		return
	}
	switch r.IntN(18) {
	case 0:
		_, err := s.child(ctx, r, depth).Join(ctx)
		s.check("join", err)
	case 1:
		var hs []*Handle[int]
		for range r.IntN(8) {
			hs = append(hs, s.child(ctx, r, depth))
		}
		if len(hs) > 0 && r.IntN(2) == 0 {
			hs[r.IntN(len(hs))].Cancel()
		}
		for _, h := range hs {
			_, err := h.Join(ctx)
			s.check("join of several", err)
		}
	case 2:
		s.child(ctx, r, depth).Canceler().Cancel()
	case 3:
		_, err := Block(ctx, func() (int, error) { time.Sleep(time.Duration(r.IntN(300)) * time.Microsecond); return 0, nil })
		s.check("block", err)
	case 4:
		_, err := Block(ctx, func() (int, error) { return 0, errSoak })
		s.check("block", err)
	case 5:
		s.check("sleep", Sleep(ctx, time.Duration(r.IntN(200))*time.Microsecond))
	case 6:
		seeds := make([]uint64, r.IntN(6))
		for i := range seeds {
			seeds[i] = r.Uint64()
		}
		_, err := Map(ctx, seeds, func(ctx context.Context, seed uint64) (int, error) {
			return s.tree(ctx, seed, depth-1)
		}, Limit(r.IntN(3)))
		s.check("map", err)
	case 7:
		short, cancel := context.WithTimeout(ctx, time.Duration(r.IntN(500))*time.Microsecond)
		_, err := s.child(short, r, depth).Join(short)
		s.check("join with a deadline", err)
		cancel()
	case 8:
		s.wakeEachOther(ctx, r)
	case 9:
		seed := r.Uint64()
		_, err := BlockOn(context.Background(), s.rt, func(context.Context) (int, error) { return s.tree(ctx, seed, depth-1) })
		s.check("nested BlockOn", err)
	case 10:
		h := s.child(ctx, r, depth, Pinned())
		_, err := h.Join(ctx)
		s.check("pinned", err)
	case 11:
		s.foreign(ctx, r, depth)
	case 12:
		h := s.child(ctx, r, depth)
		_, err := Block(ctx, func() (int, error) { return h.Join(ctx) })
		s.check("join in a region", err)
	case 13:
		s.machines(ctx, r, depth)
	default:
		s.moreSteps(ctx, r, depth)
	}
}

// machines spawns poll tasks and joins them.
func (s *soaker) machines(ctx context.Context, r *rand.Rand, depth int) {
	var hs []*Handle[struct{}]
	for range 1 + r.IntN(4) {
		var opts []Option
		if r.IntN(8) == 0 {
			opts = append(opts, Pinned())
		}
		hs = append(hs, GoPoll(ctx, s.machine(r.Uint64(), depth-1), opts...))
	}
	if r.IntN(3) == 0 {
		hs[r.IntN(len(hs))].Cancel()
	}
	for _, h := range hs {
		_, err := h.Join(ctx)
		s.check("poll", err)
	}
}

// machine is a poll function that has itself woken in one way or another before it
// says that it is not done.
func (s *soaker) machine(seed uint64, depth int) func(context.Context, Waker) (bool, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	left := r.IntN(8)
	return func(ctx context.Context, w Waker) (bool, error) {
		s.ops.Add(1)
		s.work()
		if err := ctx.Err(); err != nil || s.stop.Load() {
			return true, err
		}
		if left--; left < 0 {
			switch r.IntN(20) {
			case 0:
				panic(errSoak)
			case 1:
				runtime.Goexit()
			}
			return true, nil
		}
		switch r.IntN(5) {
		case 0:
			w.Wake()
		case 1:
			time.AfterFunc(time.Duration(r.IntN(100))*time.Microsecond, w.Wake)
		case 2:
			Go(ctx, func(context.Context) (int, error) { s.work(); w.Wake(); return 0, nil })
		case 3:
			GoPoll(ctx, func(context.Context, Waker) (bool, error) { w.Wake(); s.work(); return true, nil })
		case 4:
			w.Wake()
			s.step(ctx, r, depth)
		}
		s.work()
		return false, nil
	}
}

func (s *soaker) wakeEachOther(ctx context.Context, r *rand.Rand) {
	var a, b Waiter
	n := r.IntN(20)
	h := Go(ctx, func(ctx context.Context) (int, error) {
		for range n {
			if err := a.Wait(ctx); err != nil {
				return 0, err
			}
			b.Wake()
		}
		return 0, nil
	})
	for range n {
		a.Wake()
		if err := b.Wait(ctx); err != nil {
			h.Cancel()
			break
		}
	}
	_, err := h.Join(ctx)
	s.check("ping-pong", err)
}

// foreign calls the runtime from goroutines that are not tasks, with a task's
// context, as errgroup would.
func (s *soaker) foreign(ctx context.Context, r *rand.Rand, depth int) {
	var wg sync.WaitGroup
	for range 2 {
		seed := r.Uint64()
		wg.Go(func() {
			Yield(ctx)
			s.check("foreign sleep", Sleep(ctx, time.Microsecond))
			_, err := BlockOn(ctx, s.rt, func(ctx context.Context) (int, error) { return s.tree(ctx, seed, depth-1) })
			s.check("foreign BlockOn", err)
		})
	}
	_, _ = Block(ctx, func() (int, error) { wg.Wait(); return 0, nil })
}

// TestSoak runs random operations for a while, then shuts down in the middle of
// others. Its flags make it longer and choose the seed.
func TestSoak(t *testing.T) {
	seed := *soakSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d (-args -soakseed %d)", seed, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for end := time.Now().Add(*soakFor); ; {
		for _, p := range []int{1, 2, 4} {
			soak(t, r, p, min(*soakFor/20, 500*time.Millisecond))
		}
		if t.Failed() || time.Now().After(end) {
			return
		}
	}
}

func soak(t *testing.T, r *rand.Rand, p int, d time.Duration) {
	var rts [2]*Runtime
	for i := range rts {
		rt, err := Start(randomConfig(r, p))
		if err != nil {
			t.Fatal(err)
		}
		rts[i] = rt
	}
	rt := rts[0]
	s := &soaker{t: t, rt: rt, other: rts[1], p: int32(p)}
	var wg sync.WaitGroup
	for range 4 {
		seed := r.Uint64()
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 2))
			for !s.stop.Load() {
				seed := r.Uint64()
				if r.IntN(2) == 0 {
					h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return s.tree(ctx, seed, 4) })
					_, err := h.Join(context.Background())
					s.check("outside join", err)
				} else {
					borrower(s, seed)
				}
			}
		})
	}
	time.AfterFunc(d, func() { s.stop.Store(true) })
	if r.IntN(2) == 0 {
		time.Sleep(d / 2) // then shut down in the middle of things
	} else {
		wg.Wait()
	}
	s.end(t, r, rt)
	wg.Wait()
	s.end(t, r, s.other)
	assertAtRest(t, rt)
	assertAtRest(t, s.other)
	if n := s.busy.Load(); n != 0 && !t.Failed() {
		t.Logf("busy %d at the end: tasks ended by Goexit inside work", n)
	}
}

// borrower calls BlockOn on a goroutine of its own, for the function may Goexit.
func borrower(s *soaker, seed uint64) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := BlockOn(context.Background(), s.rt, func(ctx context.Context) (int, error) { return s.tree(ctx, seed, 4) })
		s.check("outside BlockOn", err)
	}()
	<-done
}

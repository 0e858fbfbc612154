package task

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// settled returns the figures once the runtime is at rest.
func settled(t *testing.T, rt *Runtime) Stats {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; runtime.Gosched() {
		st := rt.Stats()
		if st.Live == 0 && st.Running == 0 && st.Borrowing == 0 {
			return st
		}
		if time.Now().After(deadline) {
			t.Fatalf("not at rest: %+v", st)
		}
	}
}

// TestStatsConserve does a bit of everything: at rest what was spawned has ended,
// and each kind is counted.
func TestStatsConserve(t *testing.T) {
	for _, p := range []int{1, 3} {
		rt := start(t, Config{Parallelism: p})
		stop := make(chan struct{})
		var readers sync.WaitGroup
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if st := rt.Stats(); st.Live < 0 || st.Spawned < st.Finished || st.Running > p {
					t.Errorf("while it runs: %d spawned, %d finished, %d running", st.Spawned, st.Finished, st.Running)
				}
				runtime.Gosched()
			}
		})
		var wg sync.WaitGroup
		out := rt.Enter(context.Background())
		for i := range 40 {
			wg.Go(func() {
				_, _ = BlockOn(out, rt, func(ctx context.Context) (int, error) {
					return Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 0, nil }).Join(ctx)
				})
				_, _ = Go(out, func(ctx context.Context) (int, error) {
					for j := range 10 {
						h := Go(ctx, func(ctx context.Context) (int, error) {
							switch j {
							case 0:
								panic("counted")
							case 1:
								runtime.Goexit()
							case 2:
								_ = Sleep(ctx, time.Microsecond)
							}
							return 0, nil
						}, Priority(Class(j%3-1)))
						if j == 9 {
							h.Cancel()
						}
						_, _ = Block(ctx, func() (int, error) { <-h.Done(); return 0, nil })
					}
					return 0, nil
				}).Join(context.Background())
				_, _ = Go(out, func(ctx context.Context) (int, error) { return i, nil }, Pinned()).Join(context.Background())
			})
		}
		wg.Wait()
		close(stop)
		readers.Wait()
		st := settled(t, rt)
		if want := uint64(40 * (1 + 1 + 10 + 1)); st.Spawned != want || st.Finished != want {
			t.Errorf("p=%d: %d spawned, %d finished, should be %d", p, st.Spawned, st.Finished, want)
		}
		if st.Panics != 40 || st.Pinned != 40 || st.Borrowed != 40 || st.Canceled < 1 || st.Canceled > 40 {
			t.Errorf("p=%d: %d panics, %d pinned, %d borrowed, %d canceled", p, st.Panics, st.Pinned, st.Borrowed, st.Canceled)
		}
		// Three and three of the ten were High and Low; all of those are timed.
		if st.High.QueueTime.Count < 100 || st.Low.QueueTime.Count < 100 || st.High.Queued+st.Low.Queued+st.Normal.Queued != 0 {
			t.Errorf("p=%d: classes %+v %+v %+v", p, st.High, st.Normal, st.Low)
		}
		var sum LaneStats
		for _, l := range st.Lanes {
			sum.Polls += l.Polls
			sum.Finished += l.Finished
			sum.Parks += l.Parks
		}
		if sum.Polls != st.Polls || sum.Finished != st.Finished || sum.Parks != st.Parks || len(st.Lanes) != p {
			t.Errorf("p=%d: lanes add up to %+v", p, sum)
		}
	}
}

// TestPolls counts exactly: a task that yields n times among others polls n+1 times.
func TestPolls(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		before := rt.Stats()
		var hs []*Handle[int]
		for range 10 {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
				for range 5 {
					Yield(ctx)
				}
				return 0, nil
			}))
		}
		for _, h := range hs {
			if _, err := h.Join(otherwise(ctx)); err != nil {
				return err
			}
		}
		after := rt.Stats()
		// The joiner itself goes on once for each join that waited, at most ten times.
		if n := after.Polls - before.Polls; n < 60 || n > 70 {
			t.Errorf("%d polls", n)
		}
		if n := after.Parks - before.Parks; n < 1 || n > 10 {
			t.Errorf("%d parks", n)
		}
		return nil
	})
}

// otherwise derives a context, so that a join does not run the child in place.
func otherwise(ctx context.Context) context.Context { return context.WithValue(ctx, taskKey{}, nil) }

// TestTimesMeasured uses a clock that stands still but where the test moves it.
func TestTimesMeasured(t *testing.T) {
	env := &tickEnv{}
	rt := start(t, Config{Parallelism: 1, StallAfter: -1, Timeslice: -1, Env: env})
	const n = sampleEvery * 3
	on(t, rt, func(ctx context.Context) error {
		var hs []*Handle[int]
		for range n {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
				env.now.Add(int64(time.Millisecond)) // each runs for 1 ms
				return 0, nil
			}))
		}
		low := Go(ctx, empty, Priority(Low))
		env.now.Add(int64(time.Second)) // all have waited for at least 1 s
		for _, h := range append(hs, low) {
			_, _ = h.Join(ctx)
		}
		return nil
	})
	st := settled(t, rt)
	if h := st.Normal.QueueTime; h.Count < 2 || h.Count > 4 || h.Quantile(1) < time.Second || h.Quantile(1) > 1<<31 {
		t.Errorf("%d Normal tasks timed, at most %v", h.Count, h.Quantile(1))
	}
	if h := st.Low.QueueTime; h.Count != 1 || h.Mean() < time.Second || h.Mean() > 2*time.Second {
		t.Errorf("%d Low tasks timed, mean %v", h.Count, h.Mean())
	}
	if h := st.PollTime; h.Count < 2 || h.Count > 6 || h.Quantile(0.01) < time.Millisecond {
		t.Errorf("%d polls timed, %v to %v", h.Count, h.Quantile(0.01), h.Quantile(1))
	}
}

// TestSamplePlacesComeBack runs far more tasks than there are places to time them,
// and lets thieves and cancels get at them: no place stays taken.
func TestSamplePlacesComeBack(t *testing.T) {
	rt := start(t, Config{Parallelism: 4})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for i := range 8 {
			s.Go(func(ctx context.Context) error {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				for range 300 {
					h := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 0, nil })
					if r.IntN(4) == 0 {
						h.Cancel()
					}
					if r.IntN(2) == 0 {
						_, _ = h.Join(ctx)
					}
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	st := settled(t, rt)
	if st.Normal.QueueTime.Count < 10 {
		t.Errorf("%d tasks timed", st.Normal.QueueTime.Count)
	}
	for owner := range len(rt.lanes) + 1 {
		for i := range samplePlaces {
			if rt.samplesOf(owner)[i].taken.Load() {
				t.Errorf("place %d of %d is taken at rest", i, owner)
			}
		}
	}
}

// TestReplaced blocks the only worker while work is queued: the next one takes the
// permit, and so on.
func TestReplaced(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, HandoffGrace: time.Microsecond})
	const n = 5
	release := make(chan struct{})
	var blocked atomic.Int32
	on(t, rt, func(ctx context.Context) error {
		_, err := Map(ctx, make([]int, n), func(ctx context.Context, _ int) (int, error) {
			return Block(ctx, func() (int, error) {
				if blocked.Add(1) == n {
					close(release)
				}
				<-release
				return 0, nil
			})
		})
		return err
	})
	if st := rt.Stats(); st.Replaced < 1 || st.Replaced > st.Handoffs+st.Early || st.Handoffs+st.Early < n-1 || st.Workers < n {
		t.Errorf("%d replaced, %d handoffs, %d early, %d workers", st.Replaced, st.Handoffs, st.Early, st.Workers)
	}
}

// TestNewWorkersAreRobbed lets workers that were there before find what those
// spawn that took the places of blocked ones.
func TestNewWorkersAreRobbed(t *testing.T) {
	rt := start(t, Config{Parallelism: 2, MaxWorkers: 8, HandoffGrace: time.Microsecond})
	release := make(chan struct{})
	var blocked, ran atomic.Int32
	var where sync.Map // lane of each child
	on(t, rt, func(ctx context.Context) error {
		var hs []*Handle[int]
		for range 3 {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
				return Block(ctx, func() (int, error) { blocked.Add(1); <-release; return 0, nil })
			}))
		}
		for blocked.Load() < 3 {
			Yield(ctx)
		}
		// Three workers block; whoever runs now took a place. Its children keep
		// their permits until two of them run at once: the other permit's worker
		// has to steal from this one's queue.
		var both sync.WaitGroup
		both.Add(2)
		for range 2 {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
				apart(func() { where.Store(here().w.lane.id, true) })
				both.Done()
				both.Wait()
				ran.Add(1)
				return 0, nil
			}))
		}
		for _, h := range hs[3:] {
			if _, err := h.Join(otherwise(ctx)); err != nil {
				return err
			}
		}
		close(release)
		for _, h := range hs {
			_, _ = h.Join(ctx)
		}
		return nil
	})
	st := rt.Stats()
	lanes := 0
	where.Range(func(any, any) bool { lanes++; return true })
	if lanes != 2 || ran.Load() != 2 || st.Steals == 0 {
		t.Errorf("%d children ran on %d lanes, %d steals", ran.Load(), lanes, st.Steals)
	}
}

// TestReach lends a spare lane and puts work into it: then it is looked at, before
// it is not.
func TestReach(t *testing.T) {
	rt := start(t, Config{Parallelism: 2, StallAfter: -1})
	if n := len(rt.reach()); n != 2 {
		t.Errorf("%d lanes are looked at before any loan", n)
	}
	x := &task{family: rt.root.family}
	x.body = newFan(0, nil).body
	i := rt.spares.take()
	rt.loans.Add(1)
	rt.lanes[i].ring.push(x)
	if !rt.hasWork() || len(rt.reach()) != 4 {
		t.Error("work in a lent lane is not seen")
	}
	if got := rt.lanes[0].stealQueued(); got != x {
		t.Error("work in a lent lane is not stolen")
	}
	rt.spares.set(i)
}

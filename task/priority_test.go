package task

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/sy"
)

// tickEnv is the real world with a clock that moves only when told to.
type tickEnv struct {
	sy.Real
	now atomic.Int64
}

func (e *tickEnv) Now() int64 { return e.now.Load() }

// order runs spawn in a task of a runtime with one permit, which then waits for
// all that was spawned, and returns the sequence of notes.
func order(t *testing.T, cfg Config, spawn func(ctx context.Context, s *Scope, note func(Class))) []Class {
	t.Helper()
	cfg.Parallelism = 1
	cfg.StallAfter, cfg.Timeslice = -1, -1
	rt := start(t, cfg)
	var mu sync.Mutex // one permit orders the tasks, but not for the race detector
	var seen []Class
	on(t, rt, func(ctx context.Context) error {
		return Run(ctx, func(s *Scope) error {
			spawn(ctx, s, func(c Class) {
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, c)
			})
			return nil
		})
	})
	return seen
}

// flood spawns n tasks of each class. Those of a class are children of a scope.
func flood(ctx context.Context, s *Scope, n int, note func(Class), classes ...Class) {
	for _, c := range classes {
		apart(func() { s.node.setClass(c) })
		for range n {
			s.Go(func(ctx context.Context) error { note(c); return nil })
		}
	}
}

func count(seen []Class, c Class) (n int) {
	for _, x := range seen {
		if x == c {
			n++
		}
	}
	return n
}

// TestWeights counts the picks while all classes wait.
func TestWeights(t *testing.T) {
	seen := order(t, Config{Aging: -1}, func(ctx context.Context, s *Scope, note func(Class)) {
		flood(ctx, s, 16*20, note, Low, Normal, High)
	})
	for at := 0; at+21 <= 15*21; at += 21 {
		turn := seen[at : at+21]
		if h, n, l := count(turn, High), count(turn, Normal), count(turn, Low); h < 15 || h > 17 || n < 3 || n > 5 || l < 0 || l > 2 {
			t.Errorf("picks %d to %d: %d high, %d normal, %d low", at, at+21, h, n, l)
		}
	}
	turns := seen[:15*21]
	if h, n, l := count(turns, High), count(turns, Normal), count(turns, Low); h < 235 || h > 245 || n < 55 || n > 65 || l < 13 || l > 17 {
		t.Errorf("of 315 picks %d high, %d normal, %d low", h, n, l)
	}
}

// TestShareIsLent leaves out one class at a time: the other two have what is left
// by their weights, and one alone has all.
func TestShareIsLent(t *testing.T) {
	for _, c := range []struct {
		a, b   Class
		wa, wb int
	}{{High, Low, 16, 1}, {Normal, Low, 4, 1}, {High, Normal, 16, 4}} {
		seen := order(t, Config{Aging: -1}, func(ctx context.Context, s *Scope, note func(Class)) {
			flood(ctx, s, 400, note, c.a, c.b)
		})
		turn := seen[:(c.wa+c.wb)*15]
		if n := count(turn, c.a); n < c.wa*15-5 || n > c.wa*15+5 {
			t.Errorf("%v beside %v: %d of %d picks", c.a, c.b, n, len(turn))
		}
		if len(seen) != 800 {
			t.Errorf("%d tasks ran", len(seen))
		}
	}
}

// TestAging makes one Low task old among a flood: it goes within the bound. The
// clock stands still otherwise.
func TestAging(t *testing.T) {
	for _, rival := range []Class{Normal, High} {
		env := &tickEnv{}
		const old = 30
		var mu sync.Mutex
		at, made := -1, 0
		seen := order(t, Config{Aging: time.Second, Env: env}, func(ctx context.Context, s *Scope, note func(Class)) {
			flood(ctx, s, 40, func(c Class) {
				mu.Lock()
				defer mu.Unlock()
				if c == rival && at < 0 {
					if made++; made == old {
						env.now.Add(int64(2 * time.Second)) // all that wait are old now
						at = 0
					}
				} else if at >= 0 && at < agedEvery+1 {
					at++
					if c == Low {
						at = agedEvery + 1
						note(High + 1) // seen in time
					}
				}
				note(c)
			}, Low, rival)
		})
		if !slices.Contains(seen, High+1) {
			t.Errorf("beside %v an old Low task did not go within %d picks", rival, agedEvery)
		}
	}
	// Without aging nobody jumps the queue, and with it the order of the others stays.
	env := &tickEnv{}
	seen := order(t, Config{Aging: time.Second, Env: env}, func(ctx context.Context, s *Scope, note func(Class)) {
		flood(ctx, s, 100, note, Low)
		env.now.Add(int64(2 * time.Second))
		flood(ctx, s, 100, note, High)
	})
	if n := count(seen[:100], Low); n < 100/agedEvery-2 || n > 100/agedEvery+8 {
		t.Errorf("%d old Low tasks among the first 100 picks", n)
	}
}

// TestYieldKeepsWeights has two tasks that only yield: the one that yields counts
// as waiting, so they take turns by weight.
func TestYieldKeepsWeights(t *testing.T) {
	var turns [2]int
	var mu sync.Mutex
	var over bool
	turn := func(i int) bool {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return false
		}
		turns[i]++
		over = turns[i] == 4000
		return true
	}
	order(t, Config{Aging: -1}, func(ctx context.Context, s *Scope, _ func(Class)) {
		for i, c := range []Class{High, Low} {
			apart(func() { s.node.setClass(c) })
			s.Go(func(ctx context.Context) error {
				for turn(i) {
					Yield(ctx)
				}
				return nil
			})
		}
	})
	if turns[0] != 4000 || turns[1] < 200 || turns[1] > 300 {
		t.Errorf("turns of High and Low: %d", turns)
	}
}

func TestInheritance(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	classHere := func(ctx context.Context) (Class, error) { return ctx.(*task).class(), nil }
	get := func(ctx context.Context, opts ...Option) Class {
		c, err := Go(ctx, classHere, opts...).Join(context.Background())
		if err != nil {
			t.Error(err)
		}
		return c
	}
	outside := rt.Enter(context.Background())
	type key struct{}
	for _, c := range []Class{Low, Normal, High} {
		h := Go(outside, func(ctx context.Context) (int, error) {
			derived, cancel := context.WithCancel(context.WithValue(ctx, key{}, 1))
			defer cancel()
			for what, got := range map[string]Class{
				"own":     ctx.(*task).class(),
				"child":   get(ctx),
				"derived": get(derived),
			} {
				if got != c {
					t.Errorf("%s context of a %v task: %v", what, c, got)
				}
			}
			if got := get(ctx, Priority(-c)); got < -c {
				t.Errorf("child spawned as %v is %v", -c, got)
			}
			if got := get(outside); got < Normal {
				t.Errorf("spawned from outside the task: %v", got)
			}
			_, err := Map(ctx, []int{1, 2}, func(ctx context.Context, _ int) (int, error) {
				if got := ctx.(*task).class(); got != c {
					t.Errorf("scope in a %v task: %v", c, got)
				}
				return 0, nil
			})
			_, err2 := Map(ctx, []int{1, 2}, func(ctx context.Context, _ int) (int, error) {
				if got := ctx.(*task).class(); got != -c {
					t.Errorf("scope of class %v: %v", -c, got)
				}
				return 0, nil
			}, ScopePriority(-c))
			if err == nil {
				err = err2
			}
			return 0, err
		}, Priority(c))
		if _, err := h.Join(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if Low.String() != "low" || Normal.String() != "normal" || High.String() != "high" || Class(7).bits() != flagHigh {
		t.Error("names or bounds of classes")
	}
}

// TestJoinRaises joins a Low task from a High one while many Normal and High ones
// wait: it must not come last.
func TestJoinRaises(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		var joined atomic.Bool
		var before atomic.Int32
		order(t, Config{Aging: -1}, func(ctx context.Context, s *Scope, _ func(Class)) {
			apart(func() { s.node.setClass(High) })
			s.Go(func(ctx context.Context) error {
				h := Go(ctx, empty, Priority(Low))
				for range 500 {
					Go(ctx, func(context.Context) (int, error) {
						if !joined.Load() {
							before.Add(1)
						}
						return 0, nil
					}, Priority(Low))
				}
				jctx := ctx
				if foreign {
					var cancel context.CancelFunc
					jctx, cancel = context.WithCancel(ctx) // not in place
					defer cancel()
				}
				_, err := h.Join(jctx)
				joined.Store(true)
				if c := h.task.class(); c != High {
					t.Errorf("the joined task is %v", c)
				}
				return err
			})
		})
		if n := before.Load(); n > 3 {
			t.Errorf("%d other Low tasks came before the joined one", n)
		}
	}
}

// TestClassQueue compares the queue with a slice.
func TestClassQueue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	rt := start(t, Config{Parallelism: 1})
	c, q := &rt.classes, &rt.classes.low
	var slow []*task
	now := int64(0)
	for step := range 20000 {
		now++
		switch k := r.IntN(10); {
		case k < 4 || (k < 6 && step < 10000):
			x := &task{family: rt.root.family}
			x.setClass(Low)
			q.push(c, x, now, Low)
			slow = append(slow, x)
		case k < 9:
			got, _ := q.pop(c, now)
			if len(slow) == 0 {
				if got != nil {
					t.Fatal("a task out of nothing")
				}
				break
			}
			if got != slow[0] {
				t.Fatal("not the oldest")
			}
			slow = slow[1:]
		default:
			if len(slow) == 0 {
				break
			}
			i := r.IntN(len(slow))
			if near := i < searchEnd || len(slow)-i <= searchEnd; q.take(c, slow[i], true) {
				slow = slices.Delete(slow, i, i+1)
			} else if near && len(slow) < searchEnd {
				t.Fatal("not found near an end")
			}
		}
		if q.len() != len(slow) || c.queued.Load() != int64(len(slow)) {
			t.Fatalf("%d queued, %d counted, should be %d", q.len(), c.queued.Load(), len(slow))
		}
	}
	for got, _ := q.pop(c, now); got != nil; got, _ = q.pop(c, now) {
		slow = slow[1:]
	}
	if len(slow) != 0 || len(q.ring) > classRingSize {
		t.Errorf("%d left, ring of %d", len(slow), len(q.ring))
	}
}

// TestClassesUnderLoad mixes classes on several permits, from tasks and from
// outside; all must end.
func TestClassesUnderLoad(t *testing.T) {
	for _, p := range []int{1, 2, 4} {
		t.Run(fmt.Sprint("p", p), func(t *testing.T) {
			rt := start(t, Config{Parallelism: p, Aging: time.Millisecond})
			var ran atomic.Int64
			err := Run(rt.Enter(context.Background()), func(s *Scope) error {
				for i := range 300 {
					h := Go(s.Context(), func(ctx context.Context) (int, error) {
						var hs []*Handle[int]
						for j := range 10 {
							hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
								switch j % 4 {
								case 0:
									Yield(ctx)
								case 1:
									_ = Sleep(ctx, time.Microsecond)
								case 2:
									_, _ = Block(ctx, func() (int, error) { runtime.Gosched(); return 0, nil })
								}
								ran.Add(1)
								return 0, nil
							}, Priority(Class(j%3-1))))
						}
						for _, h := range hs {
							if _, err := h.Join(ctx); err != nil {
								return 0, err
							}
						}
						return 0, nil
					}, Priority(Class(i%3-1)))
					s.Go(func(ctx context.Context) error { _, err := h.Join(ctx); return err })
				}
				return nil
			})
			if err != nil || ran.Load() != 3000 {
				t.Errorf("%v, %d ran", err, ran.Load())
			}
		})
	}
}

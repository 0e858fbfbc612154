package task

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// event is what the poll tasks of these tests wait for.
type event struct {
	mu    sync.Mutex
	waker Waker
	count int
}

// take takes one occurrence, or leaves w for the next.
func (e *event) take(w Waker) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.count > 0 {
		e.count--
		return true
	}
	e.waker = w
	return false
}

func (e *event) fire() {
	e.mu.Lock()
	e.count++
	w := e.waker
	e.mu.Unlock()
	w.Wake()
}

func TestWaker(t *testing.T) {
	Waker{}.Wake()
	rt := start(t, Config{Parallelism: 1})
	var kept [2]Waker
	var polls atomic.Int32
	var last atomic.Bool
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		kept[min(polls.Add(1)-1, 1)] = w
		return last.Load(), nil
	})
	eventually(t, "it waits", h.task.waits)
	w := kept[0]
	for i := range int32(3) {
		// While the only permit is held, any number of wakes is one.
		on(t, rt, func(context.Context) error {
			w.Wake()
			w.Wake()
			w.Wake()
			return nil
		})
		eventually(t, "it waits again", h.task.waits)
		if n := polls.Load(); n != i+2 {
			t.Errorf("%d polls after %d wakes", n, i+1)
		}
	}
	if kept[0] != kept[1] || kept[0] == (Waker{}) {
		t.Error("the Wakers of a task differ")
	}
	last.Store(true)
	w.Wake()
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
	n := polls.Load()
	w.Wake()
	w.Wake()
	on(t, rt, func(context.Context) error { return nil })
	if polls.Load() != n {
		t.Error("polled after the end")
	}
}

// TestWakeFromAnywhere wakes from a timer, a hook, another runtime, a marked
// region, a pinned task and a plain goroutine.
func TestWakeFromAnywhere(t *testing.T) {
	var e event
	var hooked atomic.Bool
	fireOnce := func(int) {
		if hooked.CompareAndSwap(true, false) {
			e.fire()
		}
	}
	rt := start(t, Config{Parallelism: 1, Hooks: Hooks{WorkerPark: fireOnce,
		TaskStart: func(context.Context, string) { fireOnce(0) }}})
	other := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	block := func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { e.fire(); return 0, nil })
	}
	sources := []func(){
		e.fire,
		func() { time.AfterFunc(time.Microsecond, e.fire) },
		func() { hooked.Store(true); Go(ctx, empty) },
		func() { Go(other.Enter(ctx), func(context.Context) (int, error) { e.fire(); return 0, nil }) },
		func() { Go(ctx, block) },
		func() { Go(ctx, func(context.Context) (int, error) { e.fire(); return 0, nil }, Pinned()) },
		func() { GoPoll(ctx, func(context.Context, Waker) (bool, error) { e.fire(); return true, nil }) },
		func() {
			_, _ = BlockOn(ctx, rt, func(context.Context) (int, error) { e.fire(); return 0, nil })
		},
	}
	for i, f := range sources {
		for _, opts := range [][]Option{nil, {Pinned()}} {
			h := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) { return e.take(w), nil }, opts...)
			eventually(t, "it waits", h.task.waits)
			f()
			limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			if _, err := h.Join(limit); err != nil {
				t.Errorf("source %d, pinned %v: %v", i, opts != nil, err)
			}
			cancel()
		}
	}
}

// TestPollLosesNoWake has senders fire events at random and poll tasks that count
// them, with all sorts of things between.
func TestPollLosesNoWake(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	const tasks, each = 20, 300
	for _, p := range []int{1, 2, 4} {
		rt := start(t, Config{Parallelism: p})
		ctx := rt.Enter(context.Background())
		var events [tasks]event
		var hs []*Handle[struct{}]
		for i := range events {
			e, r, left := &events[i], rand.New(rand.NewPCG(seed, uint64(i))), each
			hs = append(hs, GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
				for e.take(w) {
					if left--; left == 0 {
						return true, nil
					}
					switch r.IntN(20) {
					case 0:
						Yield(ctx)
					case 1:
						_ = Sleep(ctx, time.Microsecond)
					case 2:
						w.Wake()
						return false, nil
					}
				}
				return false, nil
			}))
		}
		var senders sync.WaitGroup
		for i := range events {
			e, r := &events[i], rand.New(rand.NewPCG(seed, uint64(tasks+i)))
			send := func(ctx context.Context) (int, error) {
				for range each {
					e.fire()
					if r.IntN(4) == 0 {
						Yield(ctx)
					}
				}
				return 0, nil
			}
			if i%2 == 0 {
				Go(ctx, send)
			} else {
				senders.Go(func() { _, _ = send(ctx) })
			}
		}
		senders.Wait()
		limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		for i, h := range hs {
			if _, err := h.Join(limit); err != nil {
				t.Fatalf("p=%d: task %d: %v", p, i, err)
			}
		}
		cancel()
	}
}

// TestPollWakesAndComputes has a poll wake another task and go on until that one
// has run: with a second permit it must get it.
func TestPollWakesAndComputes(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	ctx := rt.Enter(context.Background())
	var e event
	var ran atomic.Bool
	h := GoPoll(ctx, func(_ context.Context, w Waker) (bool, error) {
		if !e.take(w) {
			return false, nil
		}
		ran.Store(true)
		return true, nil
	})
	eventually(t, "it waits", h.task.waits)
	eventually(t, "the workers rest", func() bool { return rt.Stats().Running == 0 })
	_, err := GoPoll(ctx, func(context.Context, Waker) (bool, error) {
		e.fire()
		for end := time.Now().Add(20 * time.Second); !ran.Load(); runtime.Gosched() {
			if time.Now().After(end) {
				return false, errors.New("the other did not run")
			}
		}
		return true, nil
	}).Join(ctx)
	if err != nil {
		t.Error(err)
	}
	_, _ = h.Join(ctx)
}

// TestWakerKeepsLittle keeps a Waker past the end and looks whether what poll
// captured is collected.
func TestWakerKeepsLittle(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ends := map[string]func() (bool, error){
		"returns": func() (bool, error) { return true, nil },
		"panics":  func() (bool, error) { panic("no") },
		"leaves":  func() (bool, error) { runtime.Goexit(); return false, nil },
	}
	for name, end := range ends {
		var gone atomic.Bool
		w := func() (kept Waker) {
			big := make([]byte, 1<<20)
			runtime.AddCleanup(&big[0], func(int) { gone.Store(true) }, 0)
			h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
				kept = w
				big[0]++
				return end()
			})
			<-h.Done()
			return kept
		}()
		eventually(t, "what poll captured is collected, which "+name, func() bool { runtime.GC(); return gone.Load() })
		w.Wake()
	}
}

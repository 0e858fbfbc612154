package task

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// occupy makes a task hold a permit, unmarked, until release is called.
func occupy(t testing.TB, rt *Runtime) (release func()) {
	t.Helper()
	begun, gate := make(chan struct{}), make(chan struct{})
	h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) {
		close(begun)
		<-gate
		return 0, nil
	}, Name("occupier"))
	<-begun
	return func() {
		close(gate)
		if _, err := h.Join(context.Background()); err != nil {
			t.Errorf("occupier: %v", err)
		}
	}
}

// patient is a Config whose stalls are not helped, so that who waits for a permit
// keeps waiting.
func patient(p int) Config { return Config{Parallelism: p, StallAfter: -1} }

// TestFirstPermitCanBeRefused cancels callers and pinned tasks that queue for
// their first permit: they give up while the holder goes on, and never run.
func TestFirstPermitCanBeRefused(t *testing.T) {
	rt := start(t, patient(1))
	release := occupy(t, rt)
	never := func(context.Context) (int, error) { t.Error("ran"); return 0, nil }
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() { _, err := BlockOn(ctx, rt, never); failed <- err }()
	pinned := Go(rt.Enter(context.Background()), never, Pinned())
	eventually(t, "both queue", func() bool { return rt.Stats().Returning == 2 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) || errors.Is(err, ErrClosed) {
		t.Errorf("a cancelled caller: %v", err)
	}
	pinned.Cancel()
	if _, err := pinned.Join(context.Background()); !errors.Is(err, ErrCanceled) {
		t.Errorf("a cancelled pinned task: %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := BlockOn(ctx, rt, never); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past the deadline: %v", err)
	}
	if n := rt.Stats().Returning; n != 0 {
		t.Errorf("%d still queue", n)
	}
	release()
	if v, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("afterwards: %d, %v", v, err)
	}
}

// TestShutdownRefusesWaitingCallers begins a Shutdown while callers queue.
func TestShutdownRefusesWaitingCallers(t *testing.T) {
	rt, err := Start(patient(1))
	if err != nil {
		t.Fatal(err)
	}
	release := occupy(t, rt)
	failed := make(chan error)
	for range 3 {
		go func() {
			_, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { return 0, nil })
			failed <- err
		}()
	}
	pinned := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 0, nil }, Pinned())
	eventually(t, "all queue", func() bool { return rt.Stats().Returning == 4 })
	ended := make(chan error)
	go func() { ended <- rt.Shutdown(context.Background()) }()
	for range 3 {
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Errorf("a waiting caller: %v", err)
		}
	}
	if _, err := pinned.Join(context.Background()); !errors.Is(err, ErrCanceled) {
		t.Errorf("a waiting pinned task: %v", err)
	}
	release()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestGrantMeetsCancel cancels callers at the moment at which they may be handed
// their permit. No permit is lost, whoever wins.
func TestGrantMeetsCancel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, p := range []int{1, 2} {
		rt := start(t, patient(p))
		var wg sync.WaitGroup
		for i := range 8 {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			wg.Go(func() {
				for range 300 {
					ctx, cancel := context.WithCancel(context.Background())
					spin := rng.IntN(200)
					go func() {
						for range spin {
							runtime.Gosched()
						}
						cancel()
					}()
					body := func(ctx context.Context) (int, error) {
						for range spin % 7 {
							Yield(ctx)
						}
						return 1, Sleep(ctx, time.Duration(spin%3)*time.Microsecond)
					}
					var err error
					if spin%2 == 0 {
						_, err = BlockOn(ctx, rt, body)
					} else {
						_, err = Go(rt.Enter(ctx), body, Pinned()).Join(context.Background())
					}
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("neither run nor cancelled: %v", err)
					}
					cancel()
				}
			})
		}
		wg.Wait()
		eventually(t, "all permits are back", func() bool { return rt.free.len() == p && rt.returners.len() == 0 })
	}
}

// TestCallersOfEveryKind calls BlockOn from a finalizer, from a locked thread and
// from a task with a context that knows nothing of it, with one permit.
func TestCallersOfEveryKind(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	one := func(ctx context.Context) (int, error) {
		return Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); return 1, nil }).Join(ctx)
	}
	on(t, rt, func(context.Context) error {
		_, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) {
			return BlockOn(context.Background(), rt, func(context.Context) (int, error) { return one(rt.Enter(context.Background())) })
		})
		return err
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if v, err := BlockOn(context.Background(), rt, one); v != 1 || err != nil {
			t.Errorf("locked thread: %d, %v", v, err)
		}
	})
	wg.Wait()
	finalized := make(chan error, 1)
	func() {
		x := new([64]int)
		runtime.SetFinalizer(x, func(*[64]int) {
			_, err := BlockOn(context.Background(), rt, one)
			finalized <- err
		})
	}()
	eventually(t, "the finalizer runs", func() bool {
		runtime.GC()
		select {
		case err := <-finalized:
			if err != nil {
				t.Errorf("finalizer: %v", err)
			}
			return true
		default:
			return false
		}
	})
}

// TestShutdownSparesCallers lets a deadline pass while a borrowed caller waits: it
// is named, and its goroutine, which is not the runtime's, is not unwound.
func TestShutdownSparesCallers(t *testing.T) {
	rt, err := Start(Config{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	var w Waiter
	begun, ended := make(chan struct{}), make(chan error)
	go func() {
		_, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) {
			close(begun)
			return 0, w.Wait(context.Background())
		})
		ended <- err
	}()
	<-begun
	eventually(t, "it waits", func() bool { return rt.free.len() == 1 })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var late *StragglersError
	if err := rt.Shutdown(ctx); !errors.As(err, &late) || len(late.Tasks) != 1 || late.Tasks[0].State != "waiting" {
		t.Errorf("shutdown: %v", err)
	}
	w.Wake()
	if err := <-ended; err != nil {
		t.Errorf("the caller: %v", err)
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

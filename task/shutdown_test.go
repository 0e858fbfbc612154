package task

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestShutdownWhileParked(t *testing.T) {
	rt, err := Start(Config{Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	var w Waiter
	var stuck [20]Waiter
	var unwound atomic.Int32
	var begun sync.WaitGroup
	begun.Add(len(stuck) + 2)
	polite := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		begun.Done()
		return 0, w.Wait(ctx)
	})
	for i := range stuck {
		Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
			begun.Done()
			defer unwound.Add(1)
			defer func() { _ = recover() }() // a Goexit is not to be recovered
			return 0, stuck[i].Wait(context.Background())
		}, Name("stuck"))
	}
	hold := make(chan struct{})
	held := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		begun.Done()
		return Block(ctx, func() (int, error) { <-hold; return 4, nil })
	}, Name("held"))
	begun.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err = rt.Shutdown(ctx)
	var late *StragglersError
	if !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "held (blocking)") {
		t.Errorf("shutdown: %v", err)
	}
	if n := unwound.Load(); int(n) != len(stuck) {
		t.Errorf("%d of %d deferred calls ran", n, len(stuck))
	}
	if _, err := polite.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiting task: %v", err)
	}
	if _, err := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 0, nil }).Join(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("Go after Shutdown: %v", err)
	}
	if _, err := BlockOn(context.Background(), rt, func(context.Context) (int, error) { return 0, nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("BlockOn after Shutdown: %v", err)
	}
	close(hold)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := rt.Shutdown(context.Background()); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
	wg.Wait()
	if v, err := held.Join(context.Background()); v != 4 || err != nil {
		t.Errorf("the blocking task: %d, %v", v, err)
	}
}

// TestShutdownBesideHook has a hook keep the last worker from ending: each Shutdown
// returns by its own context all the same, and a later one ends the runtime.
func TestShutdownBesideHook(t *testing.T) {
	hold := make(chan struct{})
	rt, err := Start(Config{Parallelism: 1, Hooks: Hooks{WorkerStop: func(int) { <-hold }}})
	if err != nil {
		t.Fatal(err)
	}
	on(t, rt, func(context.Context) error { return nil })
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			defer cancel()
			var late *StragglersError
			if err := rt.Shutdown(ctx); !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) || len(late.Tasks) != 0 {
				t.Errorf("beside a hook that waits: %v", err)
			}
		})
	}
	wg.Wait()
	close(hold)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for range 2 {
		if err := rt.Shutdown(over); err != nil {
			t.Errorf("once the hook has returned: %v", err)
		}
	}
}

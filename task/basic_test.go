package task

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain looks for goroutines left behind. The wasm one is the browser's event loop.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent"))
}

// start makes a runtime that the test's end shuts down.
func start(t testing.TB, cfg Config) *Runtime {
	t.Helper()
	rt, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := rt.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
	})
	return rt
}

// on runs body as a task of rt and waits for it.
func on(t testing.TB, rt *Runtime, body func(ctx context.Context) error) {
	t.Helper()
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) { return 0, body(ctx) })
	if _, err := h.Join(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// eventually polls a condition that other goroutines make true.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	inTime(t, 20*time.Second, what, cond)
}

// inTime is eventually with a limit of the caller's.
func inTime(t testing.TB, limit time.Duration, what string, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !cond(); time.Sleep(100 * time.Microsecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestSpawnJoin(t *testing.T) {
	for _, p := range []int{1, 2, 4} {
		rt := start(t, Config{Parallelism: p})
		on(t, rt, func(ctx context.Context) error {
			var sum int
			var hs []*Handle[int]
			for i := range 2000 {
				hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
					if i%3 == 0 {
						Yield(ctx)
					}
					return i, nil
				}))
			}
			for _, h := range hs {
				v, err := h.Join(ctx)
				if err != nil {
					return err
				}
				sum += v
			}
			if sum != 1999*1000 {
				t.Errorf("sum %d", sum)
			}
			return nil
		})
	}
}

func TestDeepJoin(t *testing.T) {
	rt := start(t, Config{Parallelism: 2})
	on(t, rt, func(ctx context.Context) error {
		var chain func(ctx context.Context, n int) (int, error)
		chain = func(ctx context.Context, n int) (int, error) {
			if n == 0 {
				return 0, nil
			}
			v, err := Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, n-1) }).Join(ctx)
			return v + 1, err
		}
		depth := 20000
		if !inPlace {
			depth = 2000 // race builds keep a goroutine a task, of which the detector knows 8128
		}
		v, err := chain(ctx, depth)
		if v != depth {
			t.Errorf("depth %d", v)
		}
		return err
	})
}

func TestPanic(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		cause := errors.New("boom")
		_, err := Go(ctx, func(context.Context) (int, error) { panic(cause) }).Join(ctx)
		var p *PanicError
		if !errors.As(err, &p) || !errors.Is(err, cause) || len(p.Stack) == 0 {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestBlockHandsOff(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		release := make(chan struct{})
		var blocked atomic.Int32
		var hs []*Handle[int]
		for range 64 {
			hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
				return Block(ctx, func() (int, error) {
					if blocked.Add(1) == 64 {
						close(release)
					}
					<-release
					return 1, nil
				})
			}))
		}
		for _, h := range hs {
			if _, err := h.Join(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestSleepAndRun(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for range 100 {
			s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Millisecond) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

package task

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// TestEnteredContexts looks at which runtime serves whom: the one of the context,
// of the nearest Enter, of the calling task; contexts may cross.
func TestEnteredContexts(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b := start(t, Config{Parallelism: 1, Name: "b"})
	if rt, ok := FromContext(context.Background()); ok || rt != nil {
		t.Errorf("the empty context has %v", rt)
	}
	runsOn := func(what string, ctx context.Context, want *Runtime) {
		t.Helper()
		_, err := Go(ctx, func(ctx context.Context) (int, error) {
			if rt, ok := FromContext(ctx); !ok || rt != want {
				t.Errorf("%s: runs on %v", what, rt)
			}
			same := false
			apart(func() { s := here(); same = s != nil && s.rt == want })
			if !peek(&same) {
				t.Errorf("%s: the stack is another runtime's", what)
			}
			return 0, nil
		}).Join(context.Background())
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	runsOn("entered", a.Enter(context.Background()), a)
	runsOn("entered twice", b.Enter(a.Enter(context.Background())), b)
	derived, cancel := context.WithTimeout(a.Enter(context.Background()), time.Hour)
	defer cancel()
	runsOn("derived", derived, a)
	on(t, a, func(ctx context.Context) error {
		runsOn("a task's", ctx, a)
		runsOn("no context, inside a task", context.Background(), a)
		runsOn("another entered inside a task", b.Enter(ctx), b)
		below, cancel := context.WithCancel(ctx)
		defer cancel()
		runsOn("derived from a task's", below, a)
		return nil
	})
}

// TestCancelCrossesRuntimes cancels a task whose child runs in another runtime.
func TestCancelCrossesRuntimes(t *testing.T) {
	a := start(t, Config{Parallelism: 1, Name: "a"})
	b := start(t, Config{Parallelism: 1, Name: "b"})
	begun := make(chan struct{})
	top := Go(a.Enter(context.Background()), func(ctx context.Context) (int, error) {
		return Go(b.Enter(ctx), func(ctx context.Context) (int, error) {
			close(begun)
			var w Waiter
			return 0, w.Wait(ctx)
		}).Join(context.Background())
	})
	<-begun
	top.Cancel()
	if _, err := top.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestShutdownsWithinEachOther shuts down runtimes from tasks of one another.
func TestShutdownsWithinEachOther(t *testing.T) {
	outer := start(t, Config{Parallelism: 1})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			on(t, outer, func(ctx context.Context) error {
				inner, err := Start(Config{Parallelism: 1})
				if err != nil {
					return err
				}
				h := Go(inner.Enter(ctx), func(ctx context.Context) (int, error) { var w Waiter; return 0, w.Wait(ctx) })
				if err := inner.Shutdown(ctx); err != nil {
					t.Errorf("shutdown: %v", err)
				}
				if _, err := h.Join(ctx); !errors.Is(err, context.Canceled) {
					t.Errorf("its task: %v", err)
				}
				return nil
			})
		})
	}
	wg.Wait()
}

package flow

import (
	"context"
	"errors"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"weft/task"
)

// TestMain looks for goroutines left behind. The wasm one is the browser's event loop.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent"))
}

func start(t *testing.T, p int) context.Context {
	t.Helper()
	rt, err := task.Start(task.Config{Parallelism: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return rt.Enter(context.Background())
}

// TestQueueOrder sends from tasks and goroutines at once: every value arrives, in
// each sender's order, and then the close.
func TestQueueOrder(t *testing.T) {
	const senders, each = 8, 500
	for _, p := range []int{1, 3} {
		ctx := start(t, p)
		var q Queue[[2]int]
		h := task.Go(ctx, func(ctx context.Context) ([senders]int, error) {
			var next [senders]int
			for {
				v, err := q.Recv(ctx)
				if errors.Is(err, ErrClosed) {
					return next, nil
				}
				if err != nil {
					return next, err
				}
				if next[v[0]] != v[1] {
					t.Errorf("sender %d: got %d, want %d", v[0], v[1], next[v[0]])
				}
				next[v[0]]++
			}
		})
		send := func(i int) {
			for k := range each {
				if err := q.Send([2]int{i, k}); err != nil {
					t.Error(err)
				}
			}
		}
		var wg sync.WaitGroup
		for i := range senders / 2 {
			wg.Go(func() { send(i) })
		}
		err := task.Run(ctx, func(s *task.Scope) error {
			for i := senders / 2; i < senders; i++ {
				s.Go(func(ctx context.Context) error { send(i); return nil })
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		q.Close()
		got, err := h.Join(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range got {
			if n != each {
				t.Errorf("sender %d: %d of %d values arrived", i, n, each)
			}
		}
	}
}

func TestQueueCancelAndClose(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var q Queue[int]
	if _, ok := q.TryRecv(); ok {
		t.Fatal("an empty queue gave a value")
	}
	cancel()
	if _, err := q.Recv(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Recv with an ended context: %v", err)
	}
	if err := q.Send(1); err != nil {
		t.Fatal(err)
	}
	q.Close()
	if err := q.Send(2); !errors.Is(err, ErrClosed) {
		t.Fatalf("Send after Close: %v", err)
	}
	if q.Len() != 1 {
		t.Fatalf("Len %d", q.Len())
	}
	if v, err := q.Recv(context.Background()); v != 1 || err != nil {
		t.Fatalf("Recv %d, %v", v, err)
	}
	if _, err := q.Recv(context.Background()); !errors.Is(err, ErrClosed) {
		t.Fatalf("Recv of a closed, empty queue: %v", err)
	}
}

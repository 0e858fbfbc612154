package task

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func taskCulprit(v any) { panic(v) }

// TestPanicKeepsItsStack panics in every place where a task's code may: each is
// that task's error, with the stack of where it was raised, and nobody else's.
func TestPanicKeepsItsStack(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	ctx := rt.Enter(context.Background())
	boom := errors.New("boom")
	for name, fn := range map[string]func(context.Context) (int, error){
		"at once":      func(context.Context) (int, error) { taskCulprit(boom); return 0, nil },
		"after a wait": func(ctx context.Context) (int, error) { _ = Sleep(ctx, 1); taskCulprit(boom); return 0, nil },
		"deferred":     func(context.Context) (int, error) { defer taskCulprit(boom); return 0, nil },
		"raised again": func(context.Context) (int, error) {
			defer func() { panic(recover()) }()
			taskCulprit(boom)
			return 0, nil
		},
		"while another": func(context.Context) (int, error) { defer taskCulprit(boom); panic("the first") },
		"in a region": func(ctx context.Context) (int, error) {
			return Block(ctx, func() (int, error) { taskCulprit(boom); return 0, nil })
		},
		"in a region without a permit": func(ctx context.Context) (int, error) {
			return Block(ctx, func() (int, error) { time.Sleep(time.Millisecond); taskCulprit(boom); return 0, nil })
		},
		"in Run": func(ctx context.Context) (int, error) {
			return 0, Run(ctx, func(*Scope) error { taskCulprit(boom); return nil })
		},
	} {
		check := func(how string, err error) {
			t.Helper()
			var pe *PanicError
			if !errors.As(err, &pe) || !errors.Is(err, boom) || !strings.Contains(string(pe.Stack), "taskCulprit") {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
		_, err := Go(ctx, fn).Join(context.Background())
		check("task", err)
		_, err = Go(ctx, fn, Pinned()).Join(context.Background())
		check("pinned", err)
		_, err = BlockOn(context.Background(), rt, fn)
		check("BlockOn", err)
		on(t, rt, func(ctx context.Context) error {
			_, err := Go(ctx, fn).Join(ctx) // may run in place: stops at the child
			check("child", err)
			return nil
		})
		_, err = Map(ctx, []int{0}, func(ctx context.Context, _ int) (int, error) { return fn(ctx) })
		check("Map", err)
	}
	for name, v := range map[string]any{"nil": nil, "a string": "text", "a value": 42} {
		_, err := Go(ctx, func(context.Context) (int, error) { panic(v) }).Join(context.Background())
		var pe *PanicError
		if !errors.As(err, &pe) || pe.Value != v && v != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Go(ctx, func(context.Context) (int, error) { return len(os.Args[len(os.Args)]), nil }).Join(context.Background())
	var re runtime.Error
	if !errors.As(err, &re) {
		t.Errorf("a runtime error: %v", err)
	}
	var none func(context.Context) (int, error)
	_, err = Go(ctx, func(ctx context.Context) (int, error) { return none(ctx) }).Join(context.Background())
	if !errors.As(err, &re) {
		t.Errorf("a call of a nil function: %v", err)
	}
}

// TestPanicWhileUnwound has the deferred calls of tasks panic, wait and spawn while
// Shutdown unwinds them: the others are unwound all the same, and all workers end.
func TestPanicWhileUnwound(t *testing.T) {
	rt, err := Start(patient(2))
	if err != nil {
		t.Fatal(err)
	}
	ctx := rt.Enter(context.Background())
	const n = 30
	var unwound, refused atomic.Int32
	var gates [n]Waiter
	var hs []*Handle[int]
	for i := range n {
		hs = append(hs, Go(ctx, func(ctx context.Context) (int, error) {
			defer unwound.Add(1)
			switch i % 3 {
			case 0:
				defer panic("while unwound")
			case 1:
				defer func() { _ = Sleep(context.Background(), time.Microsecond); Yield(ctx) }()
			case 2:
				defer func() {
					if _, err := Go(ctx, func(context.Context) (int, error) { return 0, nil }).Join(context.Background()); errors.Is(err, ErrClosed) {
						refused.Add(1)
					}
				}()
			}
			return 0, gates[i].Wait(context.Background())
		}, Name("stubborn")))
	}
	eventually(t, "all wait", func() bool {
		for i := range gates {
			if gates[i].cell.Load() == nil {
				return false
			}
		}
		return rt.Stats().Running == 0
	})
	over, cancel := context.WithCancel(context.Background())
	cancel() // a deadline that has passed already
	err = rt.Shutdown(over)
	var late *StragglersError
	if !errors.As(err, &late) || len(late.Tasks) != n || !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown: %v", err)
	}
	if unwound.Load() != n || refused.Load() != n/3 {
		t.Errorf("%d of %d unwound, %d spawns refused", unwound.Load(), n, refused.Load())
	}
	for i, h := range hs {
		_, err := h.Join(context.Background())
		var pe *PanicError
		if i%3 == 0 && !errors.As(err, &pe) || i%3 != 0 && !errors.Is(err, ErrGoexit) {
			t.Errorf("task %d: %v", i, err)
		}
	}
	if err := rt.Shutdown(context.Background()); err != nil {
		t.Errorf("again: %v", err)
	}
}

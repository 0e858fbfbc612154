//go:build !weftsim

package task

import (
	"bytes"
	"context"
	"regexp"
	"runtime"
	"runtime/pprof"
	tracing "runtime/trace"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"weft/internal/gid"
)

var labelsOfProfile = regexp.MustCompile(`(?m)^(\d+) @.*\n# labels: (.*)$`)

// labelled counts the goroutines that carry a label, as the goroutine profile has it.
func labelled(key, value string) (n int) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
	for _, m := range labelsOfProfile.FindAllStringSubmatch(b.String(), -1) {
		if count, err := strconv.Atoi(m[1]); err == nil && strings.Contains(m[2], strconv.Quote(key)+":"+strconv.Quote(value)) {
			n += count
		}
	}
	return n
}

// TestProfileLabels looks for the names of tasks in goroutine profiles while they
// run, wait, block, and are pinned, borrowed or state machines.
func TestProfileLabels(t *testing.T) {
	rt := start(t, Config{Parallelism: 2, ProfileLabels: true})
	base := pprof.WithLabels(rt.Enter(context.Background()), pprof.Labels("request", "r1"))
	var w [3]Waiter
	waits := func(i int) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) { return 0, w[i].Wait(ctx) }
	}
	parked := Go(base, waits(0), Name("parked-task"))
	pinned := Go(base, waits(1), Name("pinned-task"), Pinned())
	gate := make(chan struct{})
	blocked := Go(base, func(ctx context.Context) (int, error) {
		return Block(ctx, func() (int, error) { <-gate; return 0, nil })
	}, Name("blocked-task"))
	machine := GoPoll(base, func(ctx context.Context, _ Waker) (bool, error) { return true, w[2].Wait(ctx) }, Name("machine-task"))
	for _, name := range []string{"parked-task", "pinned-task", "blocked-task", "machine-task"} {
		eventually(t, name+" is in the profile", func() bool { return labelled("task", name) == 1 })
	}
	if n := labelled("request", "r1"); n != 4 {
		t.Errorf("the label of the context is on %d goroutines", n)
	}
	close(gate)
	for i := range w {
		w[i].Wake()
	}
	for _, h := range []*Handle[int]{parked, pinned, blocked} {
		if _, err := h.Join(context.Background()); err != nil {
			t.Error(err)
		}
	}
	_, _ = machine.Join(context.Background())
	// The runtime's goroutines rest without labels, whoever's call began them.
	eventually(t, "no label is left", func() bool { return labelled("request", "r1") == 0 })
}

// TestLabelsStayWithTheirTask lets tasks set labels and leave them behind: neither
// the next task nor a joiner sees them.
func TestLabelsStayWithTheirTask(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, ProfileLabels: true})
	spoil := func(ctx context.Context) (int, error) {
		pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels("spoilt", "yes")))
		if n, m := labelled("spoilt", "yes"), labelled("task", "spoiler"); n != 1 || m < 1 {
			t.Errorf("inside: %d goroutines with the own label, %d with the name", n, m)
		}
		return 0, nil
	}
	spoils := map[string]func(context.Context) (int, error){
		"return": spoil,
		"wait": func(ctx context.Context) (int, error) {
			_, _ = spoil(ctx)
			Yield(ctx)
			return 0, Sleep(ctx, time.Microsecond)
		},
		"panic": func(ctx context.Context) (int, error) { _, _ = spoil(ctx); panic("spoilt") },
		"in place, do": func(ctx context.Context) (int, error) {
			pprof.Do(ctx, pprof.Labels("spoilt", "yes"), func(ctx context.Context) { _, _ = spoil(ctx) })
			return 0, nil
		},
	}
	clean := func(what string) {
		if n := labelled("spoilt", "yes"); n != 0 {
			t.Errorf("%s: %d goroutines have another task's label", what, n)
		}
	}
	for what, f := range spoils {
		on(t, rt, func(ctx context.Context) error {
			_, _ = Go(ctx, func(ctx context.Context) (int, error) {
				pprof.Do(ctx, pprof.Labels("own", "label"), func(inner context.Context) {
					_, _ = Go(ctx, f, Name("spoiler")).Join(ctx) // in place, where that is done
					clean(what)
					if n, m := labelled("own", "label"), labelled("task", "joiner"); n != 1 || m < 1 {
						t.Errorf("%s: the joiner's label is on %d goroutines, its name on %d", what, n, m)
					}
				})
				if n := labelled("task", "joiner"); n < 1 {
					t.Errorf("%s: pprof.Do took the name away", what)
				}
				return 0, nil
			}, Name("joiner")).Join(ctx)
			h := Go(ctx, f, Name("spoiler"))
			Yield(ctx)
			<-h.Done()
			clean(what)
			return nil
		})
		clean(what + ", after it")
	}
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		_, _ = spoil(ctx)
		runtime.Goexit()
		return 0, nil
	}, Name("spoiler"))
	_, _ = h.Join(context.Background())
	eventually(t, "Goexit leaves no label", func() bool { return labelled("spoilt", "yes") == 0 && labelled("task", "spoiler") == 0 })
}

// TestBorrowedLabels borrows a goroutine that has labels: they come back.
func TestBorrowedLabels(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, ProfileLabels: true})
	pprof.Do(context.Background(), pprof.Labels("caller", "me"), func(context.Context) {
		_, err := BlockOn(context.Background(), rt, func(ctx context.Context) (int, error) {
			if n := labelled("task", ctx.(*task).name()); n < 1 {
				t.Error("BlockOn's function has no label")
			}
			return 0, Sleep(ctx, time.Microsecond)
		})
		if err != nil {
			t.Error(err)
		}
		// In race builds goroutines that helped the caller may still be ending.
		eventually(t, "the caller alone has its label", func() bool { return labelled("caller", "me") == 1 })
	})
}

// TestNoLabels does not set the option: nobody is labelled, not even by the
// goroutine whose call started the worker.
func TestNoLabels(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	pprof.Do(rt.Enter(context.Background()), pprof.Labels("request", "r2"), func(ctx context.Context) {
		_, _ = Go(ctx, func(context.Context) (int, error) {
			if gid.Labels() != nil {
				t.Error("a task has labels")
			}
			return 0, nil
		}, Name("quiet")).Join(ctx)
	})
}

// everyWay runs tasks of every kind, ended in every way, and their children.
func everyWay(t *testing.T, rt *Runtime) (names []string) {
	ways := map[string]func(context.Context) (int, error){
		"way-returns": func(context.Context) (int, error) { return 1, nil },
		"way-panics":  func(context.Context) (int, error) { panic("no") },
		"way-goexit":  func(context.Context) (int, error) { runtime.Goexit(); return 0, nil },
		"way-waits":   func(ctx context.Context) (int, error) { Yield(ctx); return 0, Sleep(ctx, time.Microsecond) },
		"way-regions": func(ctx context.Context) (int, error) {
			defer tracing.StartRegion(ctx, "way-user-region").End()
			Yield(ctx)
			_, _ = Go(ctx, func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Microsecond) }, Name("way-child")).Join(ctx)
			return 0, Run(ctx, func(s *Scope) error {
				for range 3 {
					s.Go(func(ctx context.Context) error { Yield(ctx); return nil })
				}
				return nil
			})
		},
		"way-child-goexit": func(ctx context.Context) (int, error) {
			return Go(ctx, func(context.Context) (int, error) { runtime.Goexit(); return 0, nil }).Join(ctx)
		},
	}
	ctx := rt.Enter(context.Background())
	for name, fn := range ways {
		names = append(names, name)
		for _, opts := range [][]Option{{Name(name)}, {Name(name), Pinned()}} {
			<-Go(ctx, fn, opts...).Done()
		}
		on(t, rt, func(ctx context.Context) error {
			if !strings.Contains(name, "goexit") {
				_, _ = Go(ctx, fn, Name(name)).Join(ctx)
			}
			return nil
		})
		if !strings.Contains(name, "goexit") {
			_, _ = BlockOn(ctx, rt, fn)
		}
	}
	polls := 0
	h := GoPoll(ctx, func(ctx context.Context, w Waker) (bool, error) {
		defer tracing.StartRegion(ctx, "way-user-region").End()
		Yield(ctx)
		w.Wake()
		polls++
		return polls == 5, nil
	}, Name("way-machine"))
	_, _ = h.Join(context.Background())
	return append(names, "way-machine", "way-user-region", "way-child")
}

// TestTrace takes an execution trace and looks for the tasks in it.
func TestTrace(t *testing.T) {
	if tracing.IsEnabled() {
		t.Skip("a trace is taken already")
	}
	for _, cfg := range []Config{{Parallelism: 1}, {Parallelism: 2, ProfileLabels: true}} {
		rt := start(t, cfg)
		var b bytes.Buffer
		if err := tracing.Start(&b); err != nil {
			t.Skip(err)
		}
		names := everyWay(t, rt)
		tracing.Stop()
		for _, name := range names {
			if !bytes.Contains(b.Bytes(), []byte(name)) {
				t.Errorf("%s is not in the trace", name)
			}
		}
		// Without a trace tasks take no part in one.
		h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 0, nil })
		if _, err := h.Join(context.Background()); err != nil || h.task.shown() != cfg.ProfileLabels {
			t.Errorf("without a trace: %v, shown %v", err, h.task.shown())
		}
	}
}

// TestSpansNest looks at the parents of spans: a child's is that of the task it was
// spawned by, in a scope too, and nothing older is kept.
func TestSpansNest(t *testing.T) {
	if tracing.IsEnabled() {
		t.Skip("a trace is taken already")
	}
	rt := start(t, Config{Parallelism: 1})
	var b bytes.Buffer
	if err := tracing.Start(&b); err != nil {
		t.Skip(err)
	}
	defer tracing.Stop()
	on(t, rt, func(ctx context.Context) error {
		mine := spanOf(ctx.(*task))
		var seen []*tracing.Task
		look := func(ctx context.Context) error {
			c := ctx.(*task)
			seen = append(seen, c.outerSpan())
			if w, ok := ctx.Value(spanKeyOf(t)).(*tracing.Task); !ok || w != spanOf(c) {
				t.Error("a task's context does not have its span")
			}
			return nil
		}
		if _, err := Go(ctx, func(ctx context.Context) (int, error) { return 0, look(ctx) }).Join(ctx); err != nil {
			return err
		}
		if err := Run(ctx, func(s *Scope) error { s.Go(look); return nil }); err != nil {
			return err
		}
		derived, cancel := context.WithCancel(ctx)
		defer cancel()
		h := Go(derived, func(ctx context.Context) (int, error) { return 0, look(ctx) })
		if _, err := h.Join(ctx); err != nil {
			return err
		}
		// Through a derived context runtime/trace finds it by itself.
		if !slices.Equal(seen, []*tracing.Task{mine, mine, nil}) {
			t.Errorf("parents %v, the task's own span %v", seen, mine)
		}
		return nil
	})
}

//go:norace
func spanOf(t *task) *tracing.Task { return t.shape().span }

// spanKeyOf is the key under which runtime/trace looks a span up.
func spanKeyOf(t *testing.T) (key any) {
	tracing.Log(keyCatcher{context.Background(), &key}, "", "")
	if key == nil {
		t.Fatal("runtime/trace asked for no key")
	}
	return key
}

type keyCatcher struct {
	context.Context
	key *any
}

func (c keyCatcher) Value(key any) any { *c.key = key; return nil }

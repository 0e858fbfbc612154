//go:build weftsim

package task

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// program is a use of a whole runtime: what its threads do, and what they report.
// The thread "user" ends with Shutdown.
type program struct {
	name    string
	permits int
	bound   int
	threads func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread
}

var background = context.Background()

// expect ends the run as failed unless a call ended as it should.
func expect(x *checker.Explorer, what string, v, want int, err, wantErr error) {
	if v != want || !errors.Is(err, wantErr) || (wantErr == nil && err != nil) {
		x.Fail("%s: %d, %v instead of %d, %v", what, v, err, want, wantErr)
	}
}

func shutdown(x *checker.Explorer, rt *Runtime) {
	expect(x, "shutdown", 0, 0, rt.Shutdown(background), nil)
}

func one(context.Context) (int, error) { return 1, nil }

var programs = []program{
	{"child", 1, 3, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				v, err := Go(ctx, one).Join(ctx)
				return v + 1, err
			})
			v, err := h.Join(background)
			expect(x, "join", v, 2, err, nil)
			shutdown(x, rt)
		})
	}},
	{"tidy", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		rt.running.Add(1)
		return threads("user", func() {
			v, err := Go(ctx, one).Join(background)
			expect(x, "join", v, 1, err, nil)
			shutdown(x, rt)
		}, "janitor", func() {
			defer rt.memberEnded()
			rt.janitor.trimStacks()
		})
	}},
	{"children", 2, 1, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				a, b := Go(ctx, one), Go(ctx, one)
				v, err := a.Join(ctx)
				w, err2 := b.Join(ctx)
				return v + w, errors.Join(err, err2)
			})
			v, err := h.Join(background)
			expect(x, "join", v, 2, err, nil)
			shutdown(x, rt)
		})
	}},
	{"wake", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		var w Waiter
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) { return 1, w.Wait(ctx) })
			v, err := h.Join(background)
			expect(x, "join", v, 1, err, nil)
			shutdown(x, rt)
		}, "waker", w.Wake)
	}},
	{"cancel", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				var w Waiter
				return 0, w.Wait(ctx)
			})
			h.Cancel()
			v, err := h.Join(background)
			expect(x, "join", v, 0, err, context.Canceled)
			shutdown(x, rt)
		})
	}},
	{"goexit", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				runtime.Goexit()
				return 1, nil
			})
			v, err := h.Join(background)
			expect(x, "join", v, 0, err, ErrGoexit)
			shutdown(x, rt)
		})
	}},
	{"shutdown", 1, 1, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() { shutdown(x, rt) }, "spawner", func() {
			v, err := Go(ctx, one).Join(background)
			if (v != 1 || err != nil) && !errors.Is(err, ErrClosed) && !errors.Is(err, ErrCanceled) {
				x.Fail("join: %d, %v", v, err)
			}
		}, "caller", func() {
			v, err := BlockOn(background, rt, one)
			if (v != 1 || err != nil) && !errors.Is(err, ErrClosed) {
				x.Fail("BlockOn: %d, %v", v, err)
			}
		})
	}},
	{"callers", 1, 1, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		caller := func() {
			v, err := BlockOn(background, rt, func(ctx context.Context) (int, error) { return Go(ctx, one).Join(ctx) })
			expect(x, "BlockOn", v, 1, err, nil)
		}
		var ended Waiter
		return threads("user", func() {
			caller()
			_ = ended.Wait(background)
			shutdown(x, rt)
		}, "caller", func() {
			caller()
			ended.Wake()
		})
	}},
	{"yield", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				child := Go(ctx, one)
				Yield(ctx)
				return child.Join(ctx)
			})
			v, err := h.Join(background)
			expect(x, "join", v, 1, err, nil)
			shutdown(x, rt)
		})
	}},
	{"sleep", 1, 2, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) { return 1, Sleep(ctx, 1000) })
			v, err := h.Join(background)
			expect(x, "join", v, 1, err, nil)
			shutdown(x, rt)
		})
	}},
	{"block", 1, 1, func(x *checker.Explorer, rt *Runtime, ctx context.Context) []checker.Thread {
		var other sy.Bool
		return threads("user", func() {
			h := Go(ctx, func(ctx context.Context) (int, error) {
				next := Go(ctx, func(context.Context) (int, error) { other.Store(true); return 1, nil })
				_, _ = Block(ctx, func() (int, error) {
					await(x, &other, other.Load)
					return 0, nil
				})
				return next.Join(ctx)
			})
			v, err := h.Join(background)
			expect(x, "join", v, 1, err, nil)
			shutdown(x, rt)
		})
	}},
}

// TestModelRuntime runs small programs on whole runtimes: workers, stacks, monitor
// and Shutdown. Results are as they should be, all waits end, no more tasks run than
// there are permits, and nothing is left.
func TestModelRuntime(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			prove(t, preemptions(p.bound), func(x *checker.Explorer, env *checker.Env) model {
				rt := newModelRuntime(env, p.permits, p.permits+1)
				return model{
					Model: checker.Model{
						Threads: p.threads(x, rt, rt.Enter(background)),
						Check: func() string {
							live := rt.live.Load()
							for _, l := range rt.lanes {
								live += l.shown.Load()
							}
							if rt.allStacks != nil || rt.running.Load() != 0 || live != 0 || rt.free.len() != p.permits {
								return fmt.Sprint("left: ", rt.running.Load(), " goroutines, ", live, " live, ", rt.free.len(), " free")
							}
							return ""
						},
					},
					faults: map[string]fault{
						"workers do not hear of the end": spoil(&rt.stopping, sy.Write, sy.LeftOut),
						"quiet is not noticed":           spoil(&rt.quiet, sy.Compare, sy.LeftOut),
					},
				}
			})
		})
	}
}

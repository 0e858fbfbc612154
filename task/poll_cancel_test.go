package task

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestPollCancel(t *testing.T) {
	for _, opts := range [][]Option{nil, {Pinned()}} {
		rt := start(t, Config{Parallelism: 1})
		ctx := rt.Enter(context.Background())
		check := func(what string, h *Handle[struct{}], polls *atomic.Int32) {
			t.Helper()
			if _, err := h.Join(context.Background()); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", what, err)
			}
			if n := polls.Load(); n != 2 {
				t.Errorf("%s: %d polls", what, n)
			}
		}
		h, _, polls := waiting(t, ctx, opts...)
		h.Cancel()
		check("Cancel", h, polls)

		out, cancel := context.WithCancel(ctx)
		h, _, polls = waiting(t, out, opts...)
		cancel()
		check("an outside context", h, polls)

		// The parent has ended, its own parent is cancelled.
		spawned := make(chan struct{})
		root := Go(ctx, func(ctx context.Context) (int, error) {
			_, _ = Go(ctx, func(ctx context.Context) (int, error) {
				h, _, polls = spawnWaiting(ctx, opts...)
				return 0, nil
			}).Join(ctx)
			close(spawned)
			var w Waiter
			return 0, w.Wait(ctx)
		})
		<-spawned
		eventually(t, "the grandchild waits", func() bool { return polls.Load() > 0 && h.task.waits() })
		root.Cancel()
		check("an ancestor", h, polls)
	}
}

func TestPollCancelQueued(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	on(t, rt, func(ctx context.Context) error {
		h, _, polls := spawnWaiting(ctx)
		h.Cancel()
		if _, err := h.Join(ctx); err != ErrCanceled || polls.Load() != 0 {
			t.Errorf("%v after %d polls", err, polls.Load())
		}
		return nil
	})
}

// TestPollCancelledBeforeItWaits cancels after the poll has looked, when nothing
// is linked yet, or only what a wait inside linked.
func TestPollCancelledBeforeItWaits(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	for _, sleep := range []bool{false, true} {
		for _, self := range []bool{false, true} {
			var child *Handle[struct{}]
			parent := Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
				up := ctx.(*task)
				child = GoPoll(ctx, func(ctx context.Context, _ Waker) (bool, error) {
					if err := ctx.Err(); err != nil {
						return false, err
					}
					if self {
						ctx.(*task).cancel()
					} else {
						up.cancel()
					}
					if sleep {
						_ = Sleep(context.Background(), time.Microsecond)
					}
					return false, nil
				})
				_, err := Block(ctx, func() (int, error) {
					_, err := child.Join(context.Background())
					return 0, err
				})
				return 0, err
			})
			limit, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			if _, err := parent.Join(limit); !errors.Is(err, context.Canceled) {
				t.Errorf("sleep %v, self %v: %v", sleep, self, err)
			}
			cancel()
		}
	}
}

// TestPollIgnoresCancel wants one poll for a cancel, not an endless number.
func TestPollIgnoresCancel(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	var polls atomic.Int32
	var e event
	h := GoPoll(rt.Enter(context.Background()), func(_ context.Context, w Waker) (bool, error) {
		polls.Add(1)
		return e.take(w), nil
	})
	eventually(t, "it waits", h.task.waits)
	h.Cancel()
	eventually(t, "it was polled for the cancel", func() bool { return polls.Load() == 2 && h.task.waits() })
	h.Cancel()
	eventually(t, "it was polled for the second", func() bool { return polls.Load() == 3 && h.task.waits() })
	e.fire()
	if _, err := h.Join(context.Background()); err != nil {
		t.Error(err)
	}
}

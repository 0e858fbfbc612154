package task

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"weft/internal/sy"
)

// scarce is an Env in which starting a goroutine fails every other time. Stacks
// of race builds, and the last goroutines, are spared.
type scarce struct {
	sy.Real
	n    atomic.Int32
	fail atomic.Int32
}

var errScarce = errors.New("no goroutine to be had")

func (e *scarce) Go(name string, f func()) {
	if (name == "weft worker" || name == "weft monitor" || name == "weft pinned") && e.n.Add(1)%2 == 1 {
		e.fail.Add(1)
		panic(errScarce)
	}
	go f()
}

// TestFailingSpawn runs regions whose replacements, monitor and workers cannot
// always be started. All work is done and no permit is lost.
func TestFailingSpawn(t *testing.T) {
	env := &scarce{}
	rt := start(t, Config{Parallelism: 2, Env: env, IdleExit: time.Millisecond})
	for range 20 {
		on(t, rt, func(ctx context.Context) error {
			_, err := Map(ctx, make([]int, 20), func(ctx context.Context, _ int) (int, error) {
				return Block(ctx, func() (int, error) { time.Sleep(300 * time.Microsecond); return 0, nil })
			})
			return err
		})
		h := Go(rt.Enter(context.Background()), func(context.Context) (int, error) { return 5, nil }, Pinned())
		if v, err := h.Join(context.Background()); !errors.Is(err, errScarce) && (v != 5 || err != nil) {
			t.Errorf("pinned: %d, %v", v, err)
		}
		eventually(t, "all permits are back", func() bool { return rt.free.len() == 2 })
	}
	eventually(t, "nothing is left", rt.bare)
	if env.fail.Load() == 0 {
		t.Error("nothing failed")
	}
}

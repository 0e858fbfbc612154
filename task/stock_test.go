package task

import (
	"context"
	"math/rand"
	"testing"
	"time"
)

// TestSurplusStacksEnd wakes tasks in random order, so that their stacks end up in
// each other's cells, with a pool that keeps next to none: they end, not only at
// Shutdown.
func TestSurplusStacksEnd(t *testing.T) {
	if !inPlace {
		t.Skip("no coroutines here")
	}
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	rnd := rand.New(rand.NewSource(seed))
	rt := start(t, Config{Parallelism: 2, StackPool: 16})
	for range 10 {
		if err := Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range 500 {
				d, e := time.Duration(rnd.Intn(3000)), time.Duration(rnd.Intn(3000))
				s.Go(func(ctx context.Context) error {
					_ = Sleep(ctx, d*time.Microsecond)
					return Sleep(ctx, e*time.Microsecond)
				})
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the stacks have ended", func() bool {
		n := 0
		rt.mu.Lock()
		for s := rt.allStacks; s != nil; s = s.nextAll {
			n++
		}
		rt.mu.Unlock()
		return n <= 100
	})
}

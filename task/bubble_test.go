//go:build !weftsim

package task

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestBubble runs a runtime from Start to Shutdown in virtual time: waits,
// hand-over of a permit by the monitor, idle workers and the report of a stall.
func TestBubble(t *testing.T) {
	if bubbled() {
		t.Error("outside counts as a bubble")
	}
	synctest.Test(t, func(t *testing.T) {
		if !bubbled() {
			t.Error("a bubble is not recognised")
		}
		rt, err := Start(Config{Parallelism: 1, IdleExit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		on(t, rt, func(ctx context.Context) error {
			slow := Go(ctx, func(ctx context.Context) (int, error) {
				return Block(ctx, func() (int, error) { time.Sleep(time.Hour); return 1, nil })
			})
			quick := Go(ctx, func(ctx context.Context) (int, error) { return 2, Sleep(ctx, time.Minute) })
			if v, err := quick.Join(ctx); v != 2 || err != nil || time.Since(began) >= time.Hour {
				t.Errorf("beside a region: %d, %v after %v", v, err, time.Since(began))
			}
			if v, err := slow.Join(ctx); v != 1 || err != nil || time.Since(began) < time.Hour {
				t.Errorf("the region: %d, %v after %v", v, err, time.Since(began))
			}
			time.Sleep(time.Minute) // unmarked
			return nil
		})
		if n := rt.Stats().Stalls; n != 1 {
			t.Errorf("%d stalls", n)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if !rt.bare() {
			t.Error("an idle runtime has goroutines")
		}
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// TestDefaultRefusesBubbles asks for the default runtime in a bubble.
func TestDefaultRefusesBubbles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func() {
			if v, _ := recover().(string); !strings.Contains(v, "synctest") {
				t.Errorf("recovered %q", v)
			}
		}()
		Go(context.Background(), func(context.Context) (int, error) { return 0, nil })
	})
}

package task

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt, err := Start(Config{Parallelism: 2})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		err = Run(rt.Enter(context.Background()), func(s *Scope) error {
			for range 10 {
				s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Hour) })
				s.Go(func(ctx context.Context) error {
					_, err := Block(ctx, func() (int, error) { time.Sleep(time.Minute); return 0, nil })
					return err
				})
			}
			return nil
		})
		if d := time.Since(begin); err != nil || d < time.Hour || d > time.Hour+time.Second {
			t.Errorf("%v, %v", d, err)
		}
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestConfigValidate(t *testing.T) {
	for _, c := range []Config{{Parallelism: -1}, {Parallelism: 8, MaxWorkers: 8}, {StackPool: -1}, {HandoffGrace: -1}, {CheckpointInterval: -1}} {
		if _, err := Start(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func TestTimeslice(t *testing.T) {
	rt := start(t, Config{Parallelism: 1, Timeslice: time.Microsecond, CheckpointInterval: 1})
	on(t, rt, func(ctx context.Context) error {
		var stop atomic.Bool
		h := Go(ctx, func(ctx context.Context) (int, error) { stop.Store(true); return 0, nil })
		for !stop.Load() {
			Checkpoint(ctx)
		}
		_, err := h.Join(ctx)
		return err
	})
}

package task

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"weft/internal/gid"
)

// TestManyThreadLocks runs tasks that lock their thread a thousand times in a
// process of its own, for a lock that is overlooked ends it.
func TestManyThreadLocks(t *testing.T) {
	if _, known := gid.Locked(); !known {
		t.Skip("more than a few locks are not undone here")
	}
	if os.Getenv("WEFT_THREADLOCKS") != "" {
		lockThreads(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestManyThreadLocks$")
	cmd.Env = append(os.Environ(), "WEFT_THREADLOCKS=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
}

func lockThreads(t *testing.T) {
	lock := func() {
		for range 1000 {
			runtime.LockOSThread()
		}
	}
	for name, f := range map[string]func(context.Context) (int, error){
		"returns": func(context.Context) (int, error) { lock(); return 1, nil },
		"yields":  func(ctx context.Context) (int, error) { lock(); Yield(ctx); return 1, nil },
		"sleeps":  func(ctx context.Context) (int, error) { lock(); return 1, Sleep(ctx, time.Microsecond) },
		"panics":  func(context.Context) (int, error) { lock(); panic("locked") },
		"exits":   func(context.Context) (int, error) { lock(); runtime.Goexit(); return 1, nil },
		"blocks": func(ctx context.Context) (int, error) {
			lock()
			return Block(ctx, func() (int, error) { time.Sleep(2 * time.Millisecond); return 1, nil })
		},
	} {
		var log bytes.Buffer
		rt := start(t, Config{Parallelism: 1, StallAfter: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		on(t, rt, func(ctx context.Context) error {
			other := Go(ctx, func(ctx context.Context) (int, error) { Yield(ctx); Yield(ctx); return 0, nil })
			h := Go(ctx, f, Name("it "+name))
			Yield(ctx)
			for {
				if _, done, _ := h.TryJoin(); done {
					break
				}
				_ = Sleep(ctx, 10*time.Microsecond)
			}
			_, err := other.Join(ctx)
			return err
		})
		if got := log.String(); !guests && !(strings.Contains(got, "thread locked") && strings.Contains(got, "it "+name) && strings.Contains(got, "locks=1000")) {
			t.Errorf("%s: log %q", name, got)
		}
	}
}

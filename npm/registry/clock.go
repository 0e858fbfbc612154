package registry

import (
	"context"
	"time"
)

// clock is time as the client sees it, so that tests need not wait.
type clock interface {
	Now() time.Time
	// Sleep returns early, with the context's error, when ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
	AfterFunc(d time.Duration, f func()) timer
}

// timer is the part of *time.Timer that is used.
type timer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (realClock) AfterFunc(d time.Duration, f func()) timer { return time.AfterFunc(d, f) }

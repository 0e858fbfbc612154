package task

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// rude is a context of which one method panics once it is armed.
type rude struct {
	context.Context
	method string
	armed  atomic.Bool
}

var errRude = errors.New("rude context")

func (c *rude) ask(method string) {
	if c.method == method && c.armed.Load() {
		panic(errRude)
	}
}

func (c *rude) Err() error            { c.ask("Err"); return c.Context.Err() }
func (c *rude) Done() <-chan struct{} { c.ask("Done"); return c.Context.Done() }

// Value hides the standard context inside from the context package.
func (c *rude) Value(key any) any {
	c.ask("Value")
	switch key.(type) {
	case runtimeKey, taskKey:
		return c.Context.Value(key)
	}
	return nil
}

// AfterFunc is what the context package uses to derive contexts from this one.
func (c *rude) AfterFunc(f func()) func() bool {
	c.ask("AfterFunc")
	stop := context.AfterFunc(c.Context, f)
	return func() bool { c.ask("stop"); return stop() }
}

// TestForeignContextsThatPanic has one method after another of a task's context
// panic while the runtime asks it: that is the task's own end, and no worker's.
func TestForeignContextsThatPanic(t *testing.T) {
	bodies := map[string]func(ctx context.Context) error{
		"Waiter": func(ctx context.Context) error {
			var w Waiter
			time.AfterFunc(time.Millisecond, w.Wake)
			return w.Wait(ctx)
		},
		"Sleep": func(ctx context.Context) error { return Sleep(ctx, time.Millisecond) },
		"Join": func(ctx context.Context) error {
			_, err := Go(ctx, func(ctx context.Context) (int, error) { return 0, Sleep(ctx, time.Microsecond) }).Join(ctx)
			return err
		},
		"Scope": func(ctx context.Context) error {
			return Run(ctx, func(s *Scope) error {
				s.Go(func(ctx context.Context) error { return Sleep(ctx, time.Millisecond) })
				return nil
			})
		},
	}
	for _, method := range []string{"Err", "Done", "AfterFunc", "Value", "stop"} {
		rt := start(t, Config{Parallelism: 1, ProfileLabels: method == "Value"})
		outside, cancel := context.WithCancel(rt.Enter(context.Background()))
		later := func(spawn func(ctx context.Context)) {
			c := &rude{Context: outside, method: method}
			release := occupy(t, rt)
			spawn(c)
			c.armed.Store(true)
			release()
		}
		end := func(what string, err error, must bool) {
			t.Helper()
			var p *PanicError
			if must && err == nil || err != nil && !(errors.As(err, &p) && errors.Is(err, errRude)) {
				t.Errorf("%s, %s: %v", method, what, err)
			}
		}
		for what, body := range bodies {
			for _, opts := range [][]Option{nil, {Pinned()}} {
				var h *Handle[int]
				later(func(c context.Context) {
					h = Go(c, func(ctx context.Context) (int, error) { return 0, body(ctx) }, opts...)
				})
				_, err := h.Join(context.Background())
				end(what, err, opts == nil && method == "Err")
			}
			h := Go(outside, func(context.Context) (int, error) {
				c := &rude{Context: outside, method: method}
				c.armed.Store(true)
				return 0, body(c)
			})
			_, err := h.Join(context.Background())
			end(what+" by another context", err, false)
		}
		var p *Handle[struct{}]
		polls := 0
		later(func(c context.Context) {
			p = GoPoll(c, func(_ context.Context, w Waker) (bool, error) {
				polls++
				w.Wake()
				return polls == 3, nil
			})
		})
		_, err := p.Join(context.Background())
		end("GoPoll", err, method == "Err")

		on(t, rt, func(ctx context.Context) error { // the permit is there yet
			_, err := Map(ctx, make([]int, 10), func(ctx context.Context, _ int) (int, error) { return 0, Sleep(ctx, time.Microsecond) })
			return err
		})
		cancel()
	}
}

package registry

import (
	"context"
	"sync"
	"weak"

	"weft/npm/packument"
)

// flights lets calls for the same document wait for the first of them.
type flights struct {
	mu     sync.Mutex
	flying map[string]*flight
}

type flight struct {
	done      chan struct{}
	packument *packument.Packument
	err       error
	// abandoned says that the call that did the work was cancelled or
	// panicked, which is no answer for the others.
	abandoned bool
}

// do calls work unless a call with the same key is under way, whose result it
// shares. A waiter's own context ends its wait only.
func (f *flights) do(ctx context.Context, key string, work func() (*packument.Packument, error)) (*packument.Packument, error) {
	for {
		f.mu.Lock()
		other := f.flying[key]
		if other == nil {
			own := &flight{done: make(chan struct{}), abandoned: true}
			if f.flying == nil {
				f.flying = map[string]*flight{}
			}
			f.flying[key] = own
			f.mu.Unlock()
			return f.lead(ctx, key, own, work)
		}
		f.mu.Unlock()
		select {
		case <-other.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !other.abandoned {
			return other.packument, other.err
		}
	}
}

func (f *flights) lead(ctx context.Context, key string, own *flight, work func() (*packument.Packument, error)) (*packument.Packument, error) {
	defer func() {
		f.mu.Lock()
		delete(f.flying, key)
		f.mu.Unlock()
		close(own.done)
	}()
	own.packument, own.err = work()
	own.abandoned = own.err != nil && ctx.Err() != nil
	return own.packument, own.err
}

// recent remembers packuments for as long as somebody else uses them, so that
// asking twice in one run costs nothing and pins nothing.
type recent struct {
	mu   sync.Mutex
	seen map[string]weak.Pointer[packument.Packument]
}

func (r *recent) get(key string) *packument.Packument {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[key].Value()
}

func (r *recent) put(key string, p *packument.Packument) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[string]weak.Pointer[packument.Packument]{}
	}
	r.seen[key] = weak.Make(p)
}

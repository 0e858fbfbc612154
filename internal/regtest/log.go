package regtest

import (
	"context"
	"net/http"
	"time"
)

// Host tells which of the two servers was asked.
type Host string

// The two servers.
const (
	Main  Host = "main"
	Other Host = "other"
)

// Request is one request that a server has seen.
type Request struct {
	Method string
	Host   Host
	// Path is decoded and has no leading slash.
	Path string
	// Package is the package that the path is about.
	Package string
	// Tarball says that it asked for a tarball rather than a packument.
	Tarball bool
	Header  http.Header
	// Status is the answer's, 0 while there is none.
	Status int
	At     time.Time
}

// Requests lists what was asked since the start or the last Reset, in order of
// arrival. A request stands here before it is answered.
func (r *Registry) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Request, len(r.log))
	for i, q := range r.log {
		list[i] = *q
	}
	return list
}

// Await blocks until at least n requests stand in the log, or until ctx ends,
// whose error it then returns.
func (r *Registry) Await(ctx context.Context, n int) error {
	for {
		r.mu.Lock()
		count, arrived := len(r.log), r.arrived
		r.mu.Unlock()
		if count >= n {
			return nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Reset forgets the requests and how often each fault has struck.
func (r *Registry) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = nil
	for _, list := range r.faults {
		for _, f := range list {
			f.struck = 0
		}
	}
}

// note logs a request and returns a function that adds its status.
func (r *Registry) note(q Request) (answered func(status int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, &q)
	close(r.arrived)
	r.arrived = make(chan struct{})
	return func(status int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		q.Status = status
	}
}

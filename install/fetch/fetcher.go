package fetch

import (
	"context"
	"runtime"

	"weft/install/report"
	"weft/install/schedule"
	"weft/install/store"
	"weft/npm/registry"
	"weft/npm/tarball"
)

// The lanes of an install's scheduler.
const (
	LanePackument schedule.Lane = iota // documents asked from a registry
	LanePick                           // versions chosen ahead of placement
	LaneTarball                        // packages downloaded and unpacked
	LaneLink                           // folders put into node_modules; the pipeline's
)

// Lanes gives the limits of the lanes, in their order. requests is how many the
// registry's client has on the wire at once; jobs beyond that would only hold
// memory while they wait for each other there. Documents have twice as many, so
// that the wire is busy while some are parsed.
func Lanes(requests int) []int {
	requests = min(max(requests, 1), 256) // a registry that is asked more at once only queues it
	cpus := runtime.GOMAXPROCS(0)
	return []int{LanePackument: 2 * requests, LanePick: cpus, LaneTarball: requests, LaneLink: 2 * cpus}
}

// Options are a Fetcher's parts. Scheduler, Registry and Store are needed.
type Options struct {
	Scheduler *schedule.Scheduler // with the lanes of Lanes
	Registry  *registry.Client
	Store     *store.Store
	Report    *report.Reporter // may be nil
	// Limits bound each tarball; the zero value is the default of npm/tarball.
	Limits tarball.Limits
	// Ahead chooses versions ahead of placement; nil fetches only what is asked.
	Ahead *Ahead
}

// Fetcher gets packuments and packages. Its methods may be called from any task
// or goroutine.
type Fetcher struct {
	o    Options
	used usage
	lost losses
}

// New returns a Fetcher.
func New(o Options) *Fetcher {
	return &Fetcher{o: o, used: usage{speculative: make(map[string]bool)}}
}

// wait is schedule.Wait with the job's type.
func wait[T any](ctx context.Context, s *schedule.Scheduler, k schedule.Key) (T, error) {
	v, err := s.Wait(ctx, k)
	if err != nil {
		var zero T
		return zero, err
	}
	return v.(T), nil
}

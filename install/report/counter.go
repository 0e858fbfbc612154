package report

import "sync/atomic"

// Counter names a number that grows while an install goes on.
type Counter int

// The counters. A Wanted counter is the total as known so far, of which its
// partner is done.
const (
	PackumentsWanted Counter = iota // metadata documents to be had
	PackumentsDone
	Resolved // packages given a place in the tree
	TarballsWanted
	TarballsDone
	BytesFetched // bytes that came over the network, of both kinds
	LinksWanted  // packages to be put into node_modules
	LinksDone
	counterCount
)

// counters are read by the renderer while tasks add to them; each stands in a
// cache line of its own, so that two workers counting different things do not
// share one.
type counters [counterCount]struct {
	n atomic.Int64
	_ [56]byte
}

func (c *counters) read() (v [counterCount]int64) {
	for i := range c {
		v[i] = c[i].n.Load()
	}
	return v
}

package registry

import "time"

// EventKind says what an [Event] tells of.
type EventKind int

const (
	// Fetched: a body came, or the answer that the stored one is still good
	// (Status 304).
	Fetched EventKind = iota
	// Retried: an attempt failed with Err and another follows after Pause.
	Retried
	// CacheHit: a document was taken from the cache without asking.
	CacheHit
	// CacheStale: the registry could not be asked (Err), and the stored
	// document is used although it is not fresh.
	CacheStale
	// CacheFailed: a document could not be stored. Nothing else suffers.
	CacheFailed
)

// Event is something that happened, for progress displays and logs. It never
// holds a credential.
type Event struct {
	Kind    EventKind
	Package string // "" where the tarball's package was not said
	Tarball bool   // a tarball; else a document
	URL     string // without user, query and fragment
	Status  int
	Bytes   int           // of the body, decoded
	Attempt int           // counted from 1
	Pause   time.Duration // before the next attempt
	Err     error
}

func (c *Client) observe(e Event) {
	if c.observeFn != nil {
		c.observeFn(e)
	}
}

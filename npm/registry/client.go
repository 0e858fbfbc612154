package registry

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"weft/npm/npmrc"
)

// Options say how a client works. Only Config is needed.
type Options struct {
	// Config gives registries, credentials, proxies, certificates, timeouts
	// and retries.
	Config *npmrc.Config
	// CacheDir is the folder of the metadata cache, made where it is missing.
	// Empty means no cache.
	CacheDir string
	// UserAgent is sent with each request. Empty means "weft".
	UserAgent string
	// MaxRequests is how many requests are on the wire at once. 0 means the
	// setting maxsockets where somebody set it, and 64 otherwise.
	MaxRequests int
	// HTTP2 lets servers choose HTTP/2 over TLS. See the package comment for
	// why it is off.
	HTTP2 bool
	// DocumentMax and TarballMax limit bodies, in bytes, decoded ones too. 0
	// means 512 MiB and 2 GiB.
	DocumentMax, TarballMax int64
	// Observe, where set, is told what happens. It is called from many
	// goroutines at once and must not block.
	Observe func(Event)
	// Transport replaces net/http's, for tests. Proxy and TLS settings are
	// then its own affair.
	Transport http.RoundTripper

	clock clock // nil means the real one
}

// Client asks registries. Make one with [New] and end it with [Client.Close].
// All methods may be called from any goroutine.
type Client struct {
	cfg       *npmrc.Config
	agent     string
	mode      npmrc.CacheMode
	backoff   backoff
	stall     time.Duration
	docMax    int64
	tarMax    int64
	observeFn func(Event)
	clock     clock

	transports transports
	places     chan struct{}
	cache      cache
	writer     writer
	flights    flights
	recent     recent
	plainFull  origins // registries that refuse the abbreviated form

	bytes  atomic.Int64
	closed atomic.Bool
}

// New makes a client. It touches nothing but the cache folder.
func New(o Options) (*Client, error) {
	if o.Config == nil {
		return nil, errors.New("new registry client: no settings")
	}
	c := &Client{
		cfg: o.Config, agent: o.UserAgent, mode: o.Config.CacheMode(), backoff: backoffOf(o.Config),
		stall: o.Config.Duration("fetch-timeout"), docMax: o.DocumentMax, tarMax: o.TarballMax,
		observeFn: o.Observe, clock: o.clock,
	}
	if c.agent == "" {
		c.agent = "weft"
	}
	if c.stall <= 0 {
		c.stall = 30 * time.Second
	}
	if c.docMax <= 0 {
		c.docMax = 512 << 20
	}
	if c.tarMax <= 0 {
		c.tarMax = 2 << 30
	}
	if c.clock == nil {
		c.clock = realClock{}
	}
	places := o.MaxRequests
	if places <= 0 {
		if places = 64; !o.Config.IsDefault("maxsockets") {
			places = min(max(o.Config.Int("maxsockets"), 1), 1024)
		}
	}
	c.places = make(chan struct{}, places)
	c.transports = transports{cfg: o.Config, http2: o.HTTP2, idle: places, fixed: o.Transport}
	c.writer.do, c.writer.idle.L = c.store, &c.writer.mu
	if o.CacheDir != "" {
		c.cache.dir = o.CacheDir
		if err := os.MkdirAll(c.cache.temporary(), 0o700); err != nil {
			return nil, fmt.Errorf("new registry client: make cache folder: %w", err)
		}
	}
	return c, nil
}

// MaxRequests is how many requests are on the wire at once at most.
func (c *Client) MaxRequests() int { return cap(c.places) }

// Bytes is how many bytes of bodies came over the wire so far, as they were
// sent. It grows while bodies arrive.
func (c *Client) Bytes() int64 { return c.bytes.Load() }

// Close waits until the metadata cache is written and drops idle connections.
// Calls made afterwards fail with [ErrClosed]; calls under way should have
// ended before. It may be called more than once.
func (c *Client) Close() error {
	first := !c.closed.Swap(true)
	c.writer.drain()
	if first && c.cache.dir != "" {
		c.cache.sweep(c.clock.Now())
	}
	c.transports.close()
	return nil
}

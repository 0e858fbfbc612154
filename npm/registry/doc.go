// Package registry talks to npm registries.
//
//	client, err := registry.New(registry.Options{Config: cfg, CacheDir: dir})
//	defer client.Close()
//	p, err := client.Packument(ctx, "@scope/name", false)
//	t, err := client.Tarball(ctx, dist.Tarball, registry.TarballOptions{Package: "@scope/name"})
//	defer t.Release()
//
// Calls block the goroutine they are made from and may be made from any number
// of goroutines at once; at most Options.MaxRequests are on the wire. The
// methods start no goroutines of their own except one that writes the metadata
// cache, which [Client.Close] waits for, and those of net/http.
//
// # One request
//
// A call is made of attempts (attempt.go), and an attempt of hops, one for each
// redirect (hop.go). What passes between them:
//
//	call     picks the registry and the credentials, asks the cache
//	retry    waits and tries again: 408, 420, 425, 429, 5xx, broken connections,
//	         cut bodies, stalls (retry.go)
//	attempt  takes a place among the requests in flight, starts the stall watch
//	hop      sends one request; on a redirect checks where it leads
//	body     reads everything into one buffer, within a limit (body.go, gzip.go)
//
// A stall is fetch-timeout without a single byte, while connecting, while
// waiting for the answer or within the body. Nothing limits how long a slow but
// living download takes.
//
// # Retries
//
// Where the settings say fetch-retries, fetch-retry-mintimeout and so on, they
// are npm's: after attempt i the wait is mintimeout × factor^(i-1), at most
// maxtimeout. Where nobody set them, weft tries sooner and once more than npm:
// after 0.3, 3 and 30 seconds (npm: 10 and 60), each spread by a quarter, so
// that a reset connection costs a third of a second. A Retry-After that is
// longer than the wait is obeyed, up to a minute or maxtimeout, whichever is
// longer; beyond that the call fails at once and says so.
//
// # Tokens
//
// Credentials are chosen by host, port and path (npmrc.Config.Auth), go to that
// origin only, are dropped for good at the first redirect to another scheme,
// host or port, and are never sent along a redirect from https to http: that
// fails. They are in no error and no event; addresses in those have user, query
// and fragment removed.
//
// # The metadata cache
//
// One file a document (cache.go), for abbreviated and full documents and for
// each credential apart, so that nobody is shown what only another token may
// see. Freshness follows Cache-Control, Expires and Last-Modified as npm's
// private cache does (freshness.go); a stale document is asked for again with
// If-None-Match, and used as it is where the registry cannot be reached.
// Writing is put off to a goroutine of its own and costs the caller nothing.
//
// # HTTP/1.1 or HTTP/2
//
// Options.HTTP2 is off, though bench_test.go (700 requests, 64 at once, TLS over
// loopback, two busy cores) shows no clear winner: a pool of HTTP/1.1 connections
// that are already open carries more than one HTTP/2 connection does, while
// opening 64 of them costs handshakes that HTTP/2 spares. What decides is
// failure: with a pool, a connection that breaks, stalls or loses packets costs
// one request and not all of them. Turn it on where handshakes are dear or a
// proxy allows few connections, and measure.
package registry

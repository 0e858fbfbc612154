package registry

import (
	"context"
	"fmt"
	"net/url"
	"sync"

	"weft/npm/npmrc"
)

// TarballOptions say how one tarball is fetched. The zero value is fine.
type TarballOptions struct {
	// Package is the name that the tarball belongs to. It decides which
	// registry relative addresses and credentials belong to.
	Package string
	// Fresh asks every cache on the way to step aside. Set it to try again
	// after what came did not match its hash.
	Fresh bool
	// Progress is told how many bytes came so far and how many are expected,
	// -1 if unknown. It runs on the calling goroutine.
	Progress func(done, total int64)
}

// Tarball is a package as it came.
type Tarball struct {
	// Data is the whole body. It must not be used after Release.
	Data []byte
	// URL is where it was asked for, without user, query and fragment.
	URL string

	once sync.Once
}

// Release gives the buffer back. It may be called more than once, and is not
// needed for correctness.
func (t *Tarball) Release() {
	t.once.Do(func() {
		give(t.Data)
		t.Data = nil
	})
}

// Tarball fetches a tarball whole. The address is a packument's dist.tarball or
// a lockfile's resolved, taken as [Client.TarballURL] says. It blocks on the
// network. What came is not verified: that is package integrity's task, and the
// caller's to repeat with Fresh.
//
// Errors: *[StatusError] ([ErrNotFound] for 404), *[NetworkError],
// *[RedirectError], *[LimitError], [ErrOffline], [ErrClosed], the context's.
func (c *Client) Tarball(ctx context.Context, address string, o TarballOptions) (*Tarball, error) {
	u, err := c.tarballURL(address, o.Package)
	if err != nil {
		return nil, err
	}
	if c.mode == npmrc.CacheOffline {
		return nil, fmt.Errorf("fetch %s: %w", shown(u), ErrOffline)
	}
	to := c.targetFor(u, o.Package)
	h := c.headers(o.Fresh)
	h.Set("Accept", "*/*")
	h.Set("Accept-Encoding", "identity")
	ans, err := c.fetch(ctx, &request{
		target: to.target, header: h, elsewhere: to.elsewhere, pkg: o.Package,
		sink: sink{alloc: take, free: give, limit: c.tarMax, progress: o.Progress},
	})
	if err != nil {
		return nil, err
	}
	t := &Tarball{Data: ans.body, URL: shown(to.url)}
	c.observe(Event{Kind: Fetched, Package: o.Package, Tarball: true, URL: t.URL, Status: ans.status, Bytes: len(t.Data), Attempt: ans.attempts})
	return t, nil
}

// TarballURL gives the address that a tarball is really fetched from: a
// relative address is taken from the package's registry, and hosts are replaced
// as the setting replace-registry-host says (npmrc.Config.ReplaceHost). Only
// http and https addresses pass.
func (c *Client) TarballURL(address, pkg string) (string, error) {
	u, err := c.tarballURL(address, pkg)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func (c *Client) tarballURL(address, pkg string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err == nil && !u.IsAbs() {
		var base *url.URL
		if base, err = parseAddress(c.cfg.RegistryFor(pkg)); err == nil {
			u = base.ResolveReference(u)
		}
	}
	if err == nil {
		u, err = parseAddress(c.cfg.ReplaceHost(u.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("fetch tarball %s: %w", shownText(address), errAddress)
	}
	return u, nil
}

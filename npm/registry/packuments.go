package registry

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"weft/npm/npmrc"
	"weft/npm/packument"
)

// What a document is asked for as. The abbreviated form lacks publishing
// times, libc and scripts, and is a fraction of the size.
const (
	acceptAbbreviated = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*"
	acceptFull        = "application/json"
	abbreviatedType   = "application/vnd.npm.install-v1+json"
)

// nameMax bounds a package's name in an address.
const nameMax = 512

// Packument gives a package's metadata, the full document if asked for and the
// abbreviated one otherwise (or the full one, from a registry that knows no
// other). It blocks on the network and the cache. Calls for the same package at
// the same time share one request.
//
// Errors: [ErrName], *[StatusError] ([ErrNotFound] for 404), *[NetworkError],
// *[RedirectError], *[LimitError], *[DocumentError], [ErrOffline], [ErrClosed],
// the context's.
func (c *Client) Packument(ctx context.Context, name string, full bool) (*packument.Packument, error) {
	u, err := c.documentURL(name)
	if err != nil {
		return nil, err
	}
	key := runKey(u, full)
	if p := c.recent.get(key); p != nil {
		return p, nil
	}
	return c.flights.do(ctx, key, func() (*packument.Packument, error) {
		if c.closed.Load() {
			return nil, ErrClosed
		}
		d := &document{client: c, name: name, full: full, to: c.targetFor(u, name)}
		p, err := d.get(ctx)
		if err != nil {
			return nil, err
		}
		c.recent.put(key, p)
		return p, nil
	})
}

// runKey names a document within one run.
func runKey(u *url.URL, full bool) string {
	if full {
		return "full " + u.String()
	}
	return "abbreviated " + u.String()
}

// documentURL is the address of a package's metadata.
func (c *Client) documentURL(name string) (*url.URL, error) {
	bare := name[strings.IndexByte(name, '/')+1:]
	scoped := strings.HasPrefix(name, "@") && len(bare) < len(name)
	if bare == "" || bare == "." || bare == ".." || len(name) > nameMax ||
		!scoped && bare != name || strings.ContainsAny(bare, "/\\") || strings.HasPrefix(name, "@/") {
		return nil, fmt.Errorf("fetch metadata of %q: %w", name, ErrName)
	}
	registry := c.cfg.RegistryFor(name)
	u, err := parseAddress(registry + strings.ReplaceAll(url.PathEscape(name), "%2F", "%2f"))
	if err != nil {
		return nil, fmt.Errorf("fetch metadata of %s: registry %q: %w", name, shownText(registry), err)
	}
	return u, nil
}

var errAddress = errors.New("not an http or https address")

func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, errAddress
	}
	return u, nil
}

// credentials is a target with what else is known about it.
type credentials struct {
	target
	elsewhere string
}

// targetFor finds the credentials for an address. A user part in the address
// counts where the settings have none.
func (c *Client) targetFor(u *url.URL, pkg string) credentials {
	plain := *u
	plain.User, plain.Fragment, plain.RawFragment = nil, "", ""
	a := c.cfg.Auth(plain.String(), pkg)
	t := target{url: &plain, secret: a.Header, id: identity{a.CertFile, a.KeyFile}}
	if t.secret == "" && u.User != nil {
		password, _ := u.User.Password()
		t.secret = "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
	}
	return credentials{t, a.ElsewhereKey}
}

// document is one call for a package's metadata.
type document struct {
	client *Client
	name   string
	full   bool
	to     credentials
	stored *entry
	old    *packument.Packument // what stored holds, once parsed
}

func (d *document) address() string { return shown(d.to.url) }

func (d *document) key(full bool) cacheKey {
	secret := d.to.secret
	if d.to.id != (identity{}) {
		secret += "\x00" + d.to.id.certFile + "\x00" + d.to.id.keyFile
	}
	return cacheKey{full: full, address: d.to.url.String(), secret: secret}
}

// get answers from the cache where the settings and the document's age allow,
// and asks otherwise.
func (d *document) get(ctx context.Context) (*packument.Packument, error) {
	c := d.client
	d.load()
	use := false
	switch c.mode {
	case npmrc.CacheOffline:
		if d.stored == nil {
			return nil, fmt.Errorf("fetch %s: %w", d.address(), ErrOffline)
		}
		use = true
	case npmrc.CachePreferOffline:
		use = d.stored != nil
	case npmrc.CacheNormal:
		use = d.stored != nil && d.stored.validity.fresh(c.clock.Now())
	}
	if use {
		c.observe(Event{Kind: CacheHit, Package: d.name, URL: d.address(), Bytes: len(d.stored.body)})
		return d.old, nil
	}
	return d.ask(ctx)
}

// load finds and parses the stored document. One that does not parse is as
// good as none. What was asked for in the abbreviated form and came in full
// serves both.
func (d *document) load() {
	for _, full := range []bool{d.full, false} {
		e := d.client.cache.read(d.key(full))
		if e == nil {
			continue
		}
		p, err := packument.Parse(e.body)
		if err == nil && (full == d.full || cameInFull(e.validity, p)) {
			d.stored, d.old = e, p
			return
		}
	}
}

// cameInFull reports whether an answer to a request for the abbreviated form
// is the full document: some registries and gateways ignore the request.
func cameInFull(v validity, p *packument.Packument) bool {
	return p.HasTimes() && !strings.HasPrefix(v.ContentType, abbreviatedType)
}

// ask goes to the registry: for the form that is wanted, and, where the
// registry refuses it or answers with something else, once more for the full
// document past all caches.
func (d *document) ask(ctx context.Context) (*packument.Packument, error) {
	c := d.client
	origin := d.to.url.Scheme + "://" + d.to.url.Host
	abbreviated := !d.full && !c.plainFull.has(origin)
	p, err := d.once(ctx, abbreviated, false)
	var status *StatusError
	var nonsense *DocumentError
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.As(err, &nonsense):
		p, err = d.once(ctx, false, true)
	case errors.As(err, &status) && abbreviated && refusesForm(status.Status):
		if p, err = d.once(ctx, false, false); err == nil && status.Status != http.StatusNotFound {
			c.plainFull.add(origin)
		}
	}
	if err != nil && d.stored != nil && ctx.Err() == nil && d.mayUseStale(err) {
		c.observe(Event{Kind: CacheStale, Package: d.name, URL: d.address(), Bytes: len(d.stored.body), Err: err})
		return d.old, nil
	}
	return p, err
}

// refusesForm tells the answers of registries that know only full documents;
// npm takes a 404 for one too.
func refusesForm(status int) bool {
	return status == http.StatusNotAcceptable || status == http.StatusUnsupportedMediaType || status == http.StatusNotFound
}

// mayUseStale reports whether the stored document may stand in for a failure:
// always where the registry cannot be reached, and within stale-if-error where
// it is broken.
func (d *document) mayUseStale(err error) bool {
	v := d.stored.validity
	var network *NetworkError
	var status *StatusError
	switch {
	case v.mustRevalidate():
		return false
	case errors.As(err, &network):
		return true
	case errors.As(err, &status):
		s := status.Status
		return (s == 500 || s >= 502 && s <= 504) && v.usableOnError(d.client.clock.Now())
	}
	return false
}

// once makes one request. anew asks every cache on the way to step aside.
func (d *document) once(ctx context.Context, abbreviated, anew bool) (*packument.Packument, error) {
	c := d.client
	h := c.headers(anew)
	h.Set("Accept", acceptFull)
	if abbreviated {
		h.Set("Accept", acceptAbbreviated)
	}
	h.Set("Accept-Encoding", "gzip")
	if d.stored != nil && !anew {
		if v := d.stored.validity; v.ETag != "" {
			h.Set("If-None-Match", v.ETag)
		} else if v.LastModified != "" {
			h.Set("If-Modified-Since", v.LastModified)
		}
	}
	ans, err := c.fetch(ctx, &request{
		target: d.to.target, header: h, elsewhere: d.to.elsewhere, pkg: d.name,
		sink: sink{alloc: plain, limit: c.docMax},
	})
	if err != nil {
		return nil, err
	}
	v := validityOf(ans.header, c.clock.Now())
	c.observe(Event{Kind: Fetched, Package: d.name, URL: d.address(), Status: ans.status, Bytes: len(ans.body), Attempt: ans.attempts})
	if ans.status == http.StatusNotModified {
		if d.stored == nil || anew {
			return nil, &DocumentError{URL: d.address(), Err: errors.New("not modified, but nothing was asked to be compared")}
		}
		d.save(entry{validity: d.stored.validity.refreshed(v), body: d.stored.body}, true)
		return d.old, nil
	}
	p, err := packument.Parse(ans.body)
	if err != nil {
		return nil, &DocumentError{URL: d.address(), ContentType: v.ContentType, Bytes: len(ans.body), Err: err}
	}
	if !d.full && cameInFull(v, p) {
		c.recent.put(runKey(d.to.url, true), p)
	}
	d.save(entry{validity: v, body: ans.body}, false)
	return p, nil
}

// headers are those of every request.
func (c *Client) headers(anew bool) http.Header {
	h := http.Header{"User-Agent": {c.agent}}
	if anew {
		h.Set("Cache-Control", "no-cache")
		h.Set("Pragma", "no-cache")
	}
	return h
}

// save hands a document to the cache's writer; refresh says that the body is
// the stored one.
func (d *document) save(e entry, refresh bool) {
	c := d.client
	if c.cache.dir == "" || !e.validity.storable() {
		return
	}
	c.writer.add(job{key: d.key(d.full), entry: e, refresh: refresh, address: d.address(), name: d.name})
}

// origins is a set of "scheme://host".
type origins struct{ m sync.Map }

func (o *origins) has(origin string) bool { _, found := o.m.Load(origin); return found }
func (o *origins) add(origin string)      { o.m.Store(origin, true) }

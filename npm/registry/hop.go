package registry

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// redirectsMax is how many redirects one attempt follows.
const redirectsMax = 20

// target is where a request goes and what it may carry there.
type target struct {
	url    *url.URL // without a user part
	secret string   // the Authorization header, "" for none
	id     identity
}

// follow sends a request and follows redirects until an answer that is none.
// The caller closes its body.
func (c *Client) follow(ctx context.Context, to target, header http.Header) (*http.Response, error) {
	seen := map[string]bool{}
	for range redirectsMax + 1 {
		resp, err := c.hop(ctx, to, header)
		if err != nil {
			return nil, err
		}
		location := resp.Header.Get("Location")
		if !isRedirect(resp.StatusCode) || location == "" {
			return resp, nil
		}
		discard(resp.Body)
		seen[to.url.String()] = true
		next, err := to.redirected(location)
		if err != nil {
			return nil, err
		}
		if seen[next.url.String()] {
			return nil, &RedirectError{URL: shown(to.url), Location: shown(next.url), Reason: "a loop"}
		}
		to = next
	}
	return nil, &RedirectError{URL: shown(to.url), Location: "yet another address", Reason: "more than 20 in a row"}
}

// hop sends one request.
func (c *Client) hop(ctx context.Context, to target, header http.Header) (*http.Response, error) {
	tr, err := c.transports.get(to.id)
	if err != nil {
		return nil, err
	}
	h := header.Clone()
	if to.secret != "" {
		h.Set("Authorization", to.secret)
	}
	req := &http.Request{
		Method: http.MethodGet, URL: to.url, Host: to.url.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	return tr.RoundTrip(req.WithContext(ctx))
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// discard reads a small body to its end, so that the connection can be used
// again, and closes it.
func discard(body io.ReadCloser) {
	io.CopyN(io.Discard, body, 64<<10)
	body.Close()
}

// redirected is where a redirect leads. Credentials stay behind where scheme,
// host or port change.
func (t target) redirected(location string) (target, error) {
	refuse := func(where, reason string) (target, error) {
		return target{}, &RedirectError{URL: shown(t.url), Location: where, Reason: reason}
	}
	u, err := t.url.Parse(location)
	if err != nil {
		return refuse("(unreadable)", "not an address")
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return refuse(shown(u), "not an http or https address")
	}
	if sameOrigin(t.url, u) {
		return target{url: u, secret: t.secret, id: t.id}, nil
	}
	if t.url.Scheme == "https" && u.Scheme == "http" && (t.secret != "" || t.id != identity{}) {
		return refuse(shown(u), "it leaves https, and the request has credentials")
	}
	return target{url: u}, nil
}

// sameOrigin compares scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

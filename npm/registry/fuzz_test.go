package registry

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzDecodeEntry(f *testing.F) {
	e := entry{validity: validity{ETag: `"x"`, CacheControl: "max-age=1", Received: time.UnixMilli(5)}, body: []byte("{}")}
	f.Add(append(encodeHead("http://h/a", e, 0), e.body...), "http://h/a")
	f.Add([]byte(cacheMagic), "")
	f.Fuzz(func(t *testing.T, data []byte, address string) {
		got, err := decodeEntry(data, address)
		if err != nil {
			return
		}
		again, err := decodeEntry(append(encodeHead(address, *got, 0), got.body...), address)
		if err != nil || again.validity != got.validity || !bytes.Equal(again.body, got.body) {
			t.Fatalf("%+v became %+v, %v", got, again, err)
		}
	})
}

func FuzzEntryRoundTrip(f *testing.F) {
	f.Add("http://h/a", "etag", "max-age=1", []byte("body"), int64(1))
	f.Fuzz(func(t *testing.T, address, etag, control string, body []byte, received int64) {
		if len(address)+len(etag)+len(control) > 10_000 {
			return
		}
		e := entry{validity: validity{ETag: etag, CacheControl: control, Received: time.UnixMilli(received)}, body: body}
		data := append(encodeHead(address, e, 0), body...)
		got, err := decodeEntry(data, address)
		if err != nil || got.validity != e.validity || !bytes.Equal(got.body, body) {
			t.Fatalf("%+v became %+v, %v", e, got, err)
		}
		if _, err := decodeEntry(data, address+"x"); err == nil {
			t.Fatal("another address's entry was taken")
		}
	})
}

func FuzzValidity(f *testing.F) {
	f.Add("max-age=1, no-cache", "0", "x", "*", "1")
	f.Add("pre-check=1,post-check", "Thu, 01 Jan 1970 00:00:00 GMT", "no-cache", "", "Fri, 31 Dec 9999 23:59:59 GMT")
	f.Fuzz(func(t *testing.T, control, expires, pragma, vary, retry string) {
		now := time.Unix(1e9, 0)
		v := validity{CacheControl: control, Expires: expires, Pragma: pragma, Vary: vary, Date: expires, LastModified: pragma, Received: now}
		if v.lifetime() < 0 {
			t.Fatalf("lifetime %v", v.lifetime())
		}
		if v.fresh(now) && v.mustRevalidate() {
			t.Fatal("fresh though it must be revalidated")
		}
		v.storable()
		v.usableOnError(now)
		if d := retryAfter(http.Header{"Retry-After": {retry}}, now); d < 0 {
			t.Fatalf("retry after %v", d)
		}
	})
}

func FuzzGunzip(f *testing.F) {
	f.Add(packed([]byte("hello")))
	f.Add(packed(bytes.Repeat([]byte("x"), 5000)))
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 4096
		out, err := gunzip(data, take, limit)
		if err == nil && len(out) > limit {
			t.Fatalf("%d bytes", len(out))
		}
		whole, err := gunzip(packed(data), plain, int64(len(data)))
		if err != nil || !bytes.Equal(whole, data) {
			t.Fatalf("round trip: %v", err)
		}
	})
}

func FuzzRedirected(f *testing.F) {
	f.Add("https://h/a", "//x/y")
	f.Add("https://h:443/a", "https://H/b")
	f.Add("http://h/a", "/\\evil/x")
	f.Fuzz(func(t *testing.T, from, location string) {
		u, err := parseAddress(from)
		if err != nil {
			return
		}
		got, err := target{url: u, secret: "s"}.redirected(location)
		if err != nil {
			return
		}
		if got.secret != "" && (!strings.EqualFold(got.url.Hostname(), u.Hostname()) || got.url.Scheme != u.Scheme || port(got.url) != port(u)) {
			t.Fatalf("%s took the credentials to %s", from, got.url)
		}
		if got.url.Scheme != "http" && got.url.Scheme != "https" || got.url.User != nil {
			t.Fatalf("led to %s", got.url)
		}
	})
}

func FuzzShown(f *testing.F) {
	f.Add("http://h/a?b")
	f.Fuzz(func(t *testing.T, path string) {
		if strings.Contains(path, "sesame") {
			return
		}
		u, err := url.Parse("http://u:sesame@h/" + path + "?k=sesame#sesame")
		if err != nil {
			return
		}
		if s := shown(u); strings.Contains(s, "sesame") {
			t.Fatal(s)
		}
		message([]byte(path))
	})
}

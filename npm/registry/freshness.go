package registry

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// validity is what an answer said about how long it may be used. It is stored
// with the document.
type validity struct {
	ETag, LastModified    string
	CacheControl, Expires string
	Date, Pragma, Vary    string
	ContentType           string
	Received              time.Time
}

func validityOf(h http.Header, now time.Time) validity {
	return validity{
		ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified"),
		CacheControl: strings.Join(h.Values("Cache-Control"), ", "), Expires: h.Get("Expires"),
		Date: h.Get("Date"), Pragma: h.Get("Pragma"), Vary: strings.Join(h.Values("Vary"), ", "),
		ContentType: h.Get("Content-Type"), Received: now,
	}
}

// refreshed is v after a 304 with the headers of fresh: what the new answer
// does not say stays.
func (v validity) refreshed(fresh validity) validity {
	keep := func(is *string, was string) {
		if *is == "" {
			*is = was
		}
	}
	keep(&fresh.ETag, v.ETag)
	keep(&fresh.LastModified, v.LastModified)
	keep(&fresh.CacheControl, v.CacheControl)
	keep(&fresh.Expires, v.Expires)
	keep(&fresh.Date, v.Date)
	keep(&fresh.Pragma, v.Pragma)
	keep(&fresh.Vary, v.Vary)
	fresh.ContentType = v.ContentType // the body is the old one
	return fresh
}

// directives reads Cache-Control. Names are lower case; a directive without a
// value has "". Headers that carry pre-check and post-check are copied from an
// old example, and their prohibitions are not meant.
func (v validity) directives() map[string]string {
	d := map[string]string{}
	for part := range strings.SplitSeq(v.CacheControl, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			d[name] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	_, pre := d["pre-check"]
	_, post := d["post-check"]
	if pre && post {
		for _, name := range []string{"pre-check", "post-check", "no-cache", "no-store", "must-revalidate"} {
			delete(d, name)
		}
	}
	if v.CacheControl == "" && strings.Contains(v.Pragma, "no-cache") {
		d["no-cache"] = ""
	}
	return d
}

func has(d map[string]string, name string) bool {
	_, found := d[name]
	return found
}

// storable reports whether the document may be kept at all.
func (v validity) storable() bool { return !has(v.directives(), "no-store") }

// mustRevalidate reports whether the document may never be used unasked.
func (v validity) mustRevalidate() bool { return has(v.directives(), "must-revalidate") }

// fresh reports whether the document may be used without asking. A time of
// receipt in the future, which a clock set back leaves behind, is not fresh.
func (v validity) fresh(now time.Time) bool {
	age := now.Sub(v.Received)
	return age >= 0 && !v.mustRevalidate() && age < v.lifetime()
}

// lifetime is how long the document is fresh: max-age, or the time until
// Expires, or a tenth of its age when it was sent.
func (v validity) lifetime() time.Duration {
	d := v.directives()
	if has(d, "no-store") || has(d, "no-cache") || strings.TrimSpace(v.Vary) == "*" {
		return 0
	}
	if text, found := d["max-age"]; found {
		return seconds(text)
	}
	var least time.Duration
	if has(d, "immutable") {
		least = 24 * time.Hour
	}
	sent := v.Received
	if t, err := http.ParseTime(v.Date); err == nil {
		sent = t
	}
	if v.Expires != "" {
		expires, err := http.ParseTime(v.Expires)
		if err != nil || expires.Before(sent) {
			return 0
		}
		return max(least, expires.Sub(sent))
	}
	if modified, err := http.ParseTime(v.LastModified); err == nil && sent.After(modified) {
		return max(least, sent.Sub(modified)/10)
	}
	return least
}

// staleIfError is how long after its end the document may stand in for an
// answer of 500, 502, 503 or 504.
func (v validity) staleIfError() time.Duration {
	text, found := v.directives()["stale-if-error"]
	if !found {
		return 0
	}
	return seconds(text)
}

// usableOnError reports whether the document may stand in for a server error.
func (v validity) usableOnError(now time.Time) bool {
	return now.Sub(v.Received) < v.lifetime()+v.staleIfError() && v.staleIfError() > 0
}

// seconds reads a whole number of seconds from 0 to ten years; anything else
// is 0.
func seconds(text string) time.Duration {
	const most = 10 * 365 * 24 * time.Hour
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0
	}
	if n > uint64(most/time.Second) {
		return most
	}
	return time.Duration(n) * time.Second
}

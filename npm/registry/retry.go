package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"weft/npm/npmrc"
)

// backoff says how often and after how long a request is tried again.
type backoff struct {
	retries  int
	min, max time.Duration
	factor   float64
	spread   float64 // part of the wait that is left to chance
}

// retriesMax bounds the setting fetch-retries.
const retriesMax = 100

// backoffOf reads the settings; see the package comment for what holds where
// they are silent.
func backoffOf(cfg *npmrc.Config) backoff {
	b := backoff{retries: 3, min: 300 * time.Millisecond, factor: 10, spread: 0.25}
	b.max = cfg.Duration("fetch-retry-maxtimeout")
	if !cfg.IsDefault("fetch-retries") {
		b.retries = min(max(cfg.Int("fetch-retries"), 0), retriesMax)
	}
	if f := cfg.Float("fetch-retry-factor"); !cfg.IsDefault("fetch-retry-factor") && f >= 0 {
		b.factor = f
	}
	if !cfg.IsDefault("fetch-retry-mintimeout") {
		b.min, b.spread = max(cfg.Duration("fetch-retry-mintimeout"), time.Millisecond), 0
	}
	return b
}

// wait is the pause after an attempt, counted from 1.
func (b backoff) wait(attempt int) time.Duration {
	d := float64(b.min) * math.Pow(b.factor, float64(attempt-1))
	if b.spread > 0 {
		d *= 1 + b.spread*(2*rand.Float64()-1)
	}
	if !(d < float64(b.max)) {
		return b.max
	}
	return time.Duration(d)
}

// after decides what follows a failed attempt: the pause before the next one,
// or ok = false where there is none. asked is the server's Retry-After.
func (b backoff) after(attempt int, asked time.Duration, mostTries int) (pause time.Duration, ok bool) {
	if attempt > min(b.retries, mostTries) {
		return 0, false
	}
	if asked > max(b.max, time.Minute) {
		return 0, false
	}
	return max(b.wait(attempt), asked), true
}

// retriable reports whether a status may be another one next time.
func retriable(status int) bool {
	switch status {
	case http.StatusRequestTimeout, 420, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// retryAfter reads the header, a number of seconds or a date; 0 where there is
// none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		if !(n > 0) {
			return 0
		}
		return time.Duration(min(n, 1e6) * float64(time.Second))
	}
	if t, err := http.ParseTime(text); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// triesFor bounds the retries by the kind of error: none where the next
// attempt would end alike, one for a name that does not exist (resolvers
// sometimes say so in error), all otherwise.
func triesFor(err error) int {
	var (
		redirect    *RedirectError
		limit       *LimitError
		certificate *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		hostname    x509.HostnameError
		dns         *net.DNSError
		settings    *settingsError
	)
	switch {
	case errors.As(err, &redirect), errors.As(err, &limit), errors.As(err, &settings),
		errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &hostname):
		return 0
	case errors.As(err, &dns) && dns.IsNotFound:
		return 1
	case errors.Is(err, context.Canceled):
		return 0
	}
	return retriesMax
}

// settingsError is a setting that cannot be used, such as a proxy's address.
type settingsError struct{ err error }

func (e *settingsError) Error() string { return e.err.Error() }
func (e *settingsError) Unwrap() error { return e.err }

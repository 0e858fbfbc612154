package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Conditions that callers may ask for with errors.Is.
var (
	// ErrNotFound is in the chain of a *[StatusError] of 404.
	ErrNotFound = errors.New("not found")
	// ErrStalled says that no byte came for fetch-timeout.
	ErrStalled = errors.New("no data")
	// ErrOffline says that the setting offline forbids asking, and the cache
	// has no answer.
	ErrOffline = errors.New("offline, and not in the cache")
	// ErrClosed says that the client was closed.
	ErrClosed = errors.New("registry client is closed")
	// ErrName says that a text cannot be a package's name.
	ErrName = errors.New("not a package name")
)

// StatusError is an answer other than 200.
type StatusError struct {
	URL    string // without user, query and fragment
	Status int
	// Message is what the registry said in its JSON, "" where nothing.
	Message string
	// Authorized tells whether credentials were sent: a 401 without and a
	// 403 with them need different advice.
	Authorized bool
	// Elsewhere is where the settings have credentials for the package's
	// scope, on another host than this one.
	Elsewhere string
	// Attempts is how often it was tried.
	Attempts int
	// RetryAfter is what the registry asked to wait, 0 where nothing.
	RetryAfter time.Duration
}

// Error names the address, the status, the registry's words and the attempts.
func (e *StatusError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fetch %s: %d %s", e.URL, e.Status, strings.ToLower(http.StatusText(e.Status)))
	if e.Message != "" {
		fmt.Fprintf(&b, " (%s)", e.Message)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", asked to wait %v", e.RetryAfter)
	}
	b.WriteString(attempts(e.Attempts))
	return b.String()
}

// Is makes errors.Is(err, ErrNotFound) hold for 404.
func (e *StatusError) Is(target error) bool {
	return target == ErrNotFound && e.Status == http.StatusNotFound
}

// NetworkError is a failure to get an answer: no connection, a broken one, a
// cut body, a stall ([ErrStalled]).
type NetworkError struct {
	URL      string
	Attempts int
	Err      error // of the last attempt
}

// Error names the address, the cause and the attempts.
func (e *NetworkError) Error() string {
	return fmt.Sprintf("fetch %s: %v%s", e.URL, e.Err, attempts(e.Attempts))
}

// Unwrap gives the last attempt's error.
func (e *NetworkError) Unwrap() error { return e.Err }

// DocumentError is an answer of 200 that is no packument: a page of a proxy
// that wants a sign-in, JSON that was cut.
type DocumentError struct {
	URL         string
	ContentType string
	Bytes       int
	Err         error
}

// Error names the address, what kind of text came and what is wrong with it.
func (e *DocumentError) Error() string {
	kind := e.ContentType
	if kind == "" {
		kind = "no content type"
	}
	return fmt.Sprintf("read %s: %d bytes of %s are not the package's metadata: %v", e.URL, e.Bytes, kind, e.Err)
}

// Unwrap gives the parser's error.
func (e *DocumentError) Unwrap() error { return e.Err }

// RedirectError is a redirect that was not followed.
type RedirectError struct {
	URL      string // that gave it
	Location string
	Reason   string
}

// Error names both ends and the reason.
func (e *RedirectError) Error() string {
	return fmt.Sprintf("fetch %s: redirect to %s: %s", e.URL, e.Location, e.Reason)
}

// LimitError is a body larger than allowed.
type LimitError struct {
	URL   string
	Limit int64 // bytes
}

// Error names the address and the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("fetch %s: larger than %d bytes", e.URL, e.Limit)
}

func attempts(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(", after %d attempts", n)
}

// ended is the error for a context that ended.
func ended(ctx context.Context, address string) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause != nil && !errors.Is(err, cause) && !errors.Is(cause, err) {
		return fmt.Errorf("fetch %s: %w: %w", address, err, cause)
	}
	return fmt.Errorf("fetch %s: %w", address, err)
}

// shown is an address as messages may have it: a query may be a signature, the
// user part a password.
func shown(u *url.URL) string {
	plain := *u
	plain.User, plain.RawQuery, plain.Fragment, plain.RawFragment, plain.ForceQuery = nil, "", "", "", false
	return plain.String()
}

// shownText is shown for a text that may be no address.
func shownText(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable address)"
	}
	return shown(u)
}

// stallError is an attempt that the stall watch ended.
type stallError struct{ limit time.Duration }

func (e *stallError) Error() string { return fmt.Sprintf("no data for %v", e.limit) }

func (e *stallError) Is(target error) bool { return target == ErrStalled }

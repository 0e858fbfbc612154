package report

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"weft/install/link"
	"weft/install/store"
	"weft/npm/registry"
)

// TestRemoteProblems tells of everything that goes wrong on the way to the
// registry, and of the store and node_modules.
func TestRemoteProblems(t *testing.T) {
	const address = "http://registry.test/a"
	status := func(code int, change func(*registry.StatusError)) error {
		e := &registry.StatusError{URL: address, Status: code, Attempts: 1}
		if change != nil {
			change(e)
		}
		return ForPackage(e, "a@1.0.0", "the project")
	}
	network := func(err error) error {
		return &registry.NetworkError{URL: address, Attempts: 3, Err: err}
	}
	authorized := func(e *registry.StatusError) { e.Authorized = true }
	for name, err := range map[string]error{
		"status-404":            status(404, nil),
		"status-404-authorized": status(404, authorized),
		"status-401":            status(401, nil),
		"status-401-authorized": status(401, authorized),
		"status-401-elsewhere":  status(401, func(e *registry.StatusError) { e.Elsewhere = "http://other.test/" }),
		"status-403":            status(403, func(e *registry.StatusError) { e.Authorized, e.Message = true, "not for you" }),
		"status-403-anonymous":  status(403, nil),
		"status-407":            status(407, nil),
		"status-429":            status(429, func(e *registry.StatusError) { e.RetryAfter = 90 * time.Second }),
		"status-503":            status(503, func(e *registry.StatusError) { e.Attempts = 3 }),
		"status-418":            status(418, nil),
		"net-refused":           network(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}),
		"net-dns":               network(&net.DNSError{Err: "no such host", Name: "registry.test", IsNotFound: true}),
		"net-certificate":       network(x509.UnknownAuthorityError{}),
		"net-stalled":           network(fmt.Errorf("%w for 5m0s", registry.ErrStalled)),
		"net-reset":             network(syscall.ECONNRESET),
		"net-canceled":          network(errCanceled{}),
		"document":              &registry.DocumentError{URL: address, ContentType: "text/html", Bytes: 12, Err: errors.New("unexpected '<'")},
		"redirect":              &registry.RedirectError{URL: address, Location: "http://other.test/", Reason: "the third time"},
		"limit":                 &registry.LimitError{URL: address, Limit: 5},
		"offline":               ForPackage(fmt.Errorf("fetch a: %w", registry.ErrOffline), "a@1"),
		"bad-name":              fmt.Errorf("fetch %q: %w", "../a", registry.ErrName),
		"store-altered":         ForPackage(&store.CorruptError{Key: "sha512-AAAA", Files: []store.Damage{{Path: "index.js"}}}, "a@1.0.0"),
		"store-key":             ForPackage(fmt.Errorf("%w: %q", store.ErrKey, "sha512-AAAA"), "a@1.0.0"),
		"blocked":               fmt.Errorf("place node_modules/a: %w", link.ErrBlocked),
		"location":              fmt.Errorf("place ../a: %w", link.ErrLocation),
		"bin":                   fmt.Errorf("link a: %w", link.ErrBin),
	} {
		_, stderr := say(Options{}, func(r *Reporter) { r.Fail(err) })
		golden(t, "problem/"+name+".txt", stderr+fmt.Sprintf("exit %d\n", Diagnose(err).Exit))
	}
}

package regtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/internal/jsonval"
	"weft/internal/regtest/document"
)

// ErrUnknown is the error for a package or version that was not added.
var ErrUnknown = errors.New("no such package")

// Registry is a running registry. Its methods may be called from any
// goroutine, also while requests are being answered; but for
// Close, none of them waits for a client.
type Registry struct {
	main, other string // addresses with a final slash
	servers     []*http.Server
	// closed ends the requests that hang on purpose.
	closed  context.Context
	closing context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	entries map[string]*entry
	texts   map[string][]byte // full packuments made so far
	faults  map[string][]*Fault
	auth    map[string]string // by name, "" for all
	gateway bool
	log     []*Request
	arrived chan struct{} // closed and replaced when a request is logged
}

// New starts a registry that is closed when the test ends.
func New(t testing.TB) *Registry {
	t.Helper()
	r, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Start starts a registry outside a test; the caller closes it.
func Start() (*Registry, error) {
	r := &Registry{
		entries: map[string]*entry{}, texts: map[string][]byte{},
		faults: map[string][]*Fault{}, auth: map[string]string{},
		arrived: make(chan struct{}),
	}
	r.closed, r.closing = context.WithCancel(context.Background())
	for _, host := range []Host{Main, Other} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("start registry: %w", err)
		}
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("start registry: %w", err)
		}
		if host == Main {
			r.main = "http://127.0.0.1:" + port + "/"
		} else {
			r.other = "http://localhost:" + port + "/"
		}
		s := &http.Server{
			ReadHeaderTimeout: time.Minute,
			Handler:           http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.serve(w, q, host) }),
		}
		r.servers = append(r.servers, s)
		r.running.Go(func() { _ = s.Serve(l) }) // ends when Close closes it
	}
	return r, nil
}

// Close ends the servers and every request that still runs, and waits for
// them. It may be called again.
func (r *Registry) Close() {
	r.closing()
	for _, s := range r.servers {
		_ = s.Close() // its listener and connections; nothing to do about an error
	}
	r.running.Wait()
}

// URL is the registry's address, with a final slash. The same registry answers
// below any folder of one name, such as URL()+"npm/".
func (r *Registry) URL() string { return r.main }

// OtherURL is the address of the second server, which has another host name.
func (r *Registry) OtherURL() string { return r.other }

// Add publishes packages. It panics if one cannot be published, which is a
// mistake in the test. A version added again replaces the earlier one.
func (r *Registry) Add(packages ...Package) {
	for _, p := range packages {
		if err := r.publish(p); err != nil {
			panic(fmt.Sprintf("regtest: add %s: %v", p, err))
		}
	}
}

func (r *Registry) publish(p Package) error {
	if p.Name == "" || p.Version == "" {
		return errors.New("name and version are needed")
	}
	tgz, err := p.tarball()
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[p.Name]
	if e == nil {
		e = &entry{}
		r.entries[p.Name] = e
	}
	delete(r.texts, p.Name)
	rel := &release{pkg: p, tgz: tgz, published: p.Published}
	if rel.published.IsZero() {
		rel.published = time.Date(2020, time.January, 1+len(e.versions), 0, 0, 0, 0, time.UTC)
	}
	if old := e.find(p.Version); old != nil {
		*old = *rel
	} else {
		e.versions = append(e.versions, rel)
	}
	for _, tag := range p.Tags {
		e.tag(tag, p.Version)
	}
	_, err = r.versionManifest(rel)
	return err
}

func (e *entry) tag(tag, version string) {
	e.tags = document.Merge(e.tags, []document.Member{{Key: tag, Value: jsonval.AppendString(nil, version)}})
}

// Tag sets a dist-tag, also to a version that does not exist. It panics for an
// unknown package.
func (r *Registry) Tag(name, tag, version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries[name]
	if e == nil {
		panic("regtest: tag " + name + ": " + ErrUnknown.Error())
	}
	e.tag(tag, version)
	delete(r.texts, name)
}

// Tarball gives a version's tarball as it was added, past all faults.
func (r *Registry) Tarball(name, version string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.entries[name]; e != nil {
		if rel := e.find(version); rel != nil {
			return rel.tgz, nil
		}
	}
	return nil, fmt.Errorf("tarball of %s@%s: %w", name, version, ErrUnknown)
}

// Packument gives a package's packument as it is served, past all faults.
func (r *Registry) Packument(name string, full bool) ([]byte, error) {
	r.mu.Lock()
	text, err := r.text(name)
	r.mu.Unlock()
	if err != nil || full {
		return text, err
	}
	return document.Abbreviate(text)
}

// text is the full packument. The caller holds the lock.
func (r *Registry) text(name string) ([]byte, error) {
	if text, ok := r.texts[name]; ok {
		return text, nil
	}
	e := r.entries[name]
	if e == nil {
		return nil, fmt.Errorf("packument of %s: %w", name, ErrUnknown)
	}
	text, err := r.packument(name, e)
	if err == nil {
		r.texts[name] = text
	}
	return text, err
}

// SetGateway makes the registry answer as some gateways do: it ignores the
// abbreviated Accept, compresses nothing, and sends no ETag.
func (r *Registry) SetGateway(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gateway = on
}

// RequireAuth demands that requests for the named packages, or for all if none
// is named, carry exactly this Authorization header. Others get 401.
func (r *Registry) RequireAuth(header string, names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		r.auth[name] = header
	}
}

// allowed reports whether a request may see the package. The caller holds the
// lock.
func (r *Registry) allowed(name, header string) bool {
	want, ok := r.auth[name]
	if !ok {
		want, ok = r.auth[""]
	}
	return !ok || strings.TrimSpace(header) == want
}

// Package serve answers as an npm registry does, from memory: packuments full
// and abbreviated, gzip made beforehand, ETag and 304, tarballs. It is built to
// be no bottleneck when installers are compared with each other.
//
// What it serves comes from a [Source]; an archive is one. [Handler.Preload]
// reads a whole archive, after which no request touches the disk.
package serve

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"weft/bench/registry/archive"
)

// Source gives the documents that a Handler serves. Its methods may block and
// are called from many goroutines; an absent thing is archive.ErrAbsent.
type Source interface {
	Doc(ctx context.Context, name string) (*archive.Doc, error)
	Tarball(ctx context.Context, path string) ([]byte, error)
}

// Options adjust a Handler. The zero value is the default.
type Options struct {
	// Delay is added to every request before it is answered; 0 adds nothing.
	Delay time.Duration
	// Failed, when set, hears of each request that could not be answered for
	// another reason than an absent document.
	Failed func(path string, err error)
}

// Handler is the registry as an http.Handler. Make it with [New].
type Handler struct {
	source Source
	origin string
	opts   Options

	mu       sync.RWMutex
	rendered map[string]*rendered // by host and name
	tarballs map[string][]byte

	requests atomic.Int64
	sent     atomic.Int64
}

// New makes a handler that serves source, whose tarball addresses begin with
// origin.
func New(source Source, origin string, opts Options) *Handler {
	return &Handler{
		source: source, origin: origin, opts: opts,
		rendered: map[string]*rendered{}, tarballs: map[string][]byte{},
	}
}

// ServeHTTP answers one request. It is safe for concurrent use.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == StatsPath {
		h.stats(w)
		return
	}
	h.requests.Add(1)
	if h.opts.Delay > 0 {
		select {
		case <-time.After(h.opts.Delay):
		case <-r.Context().Done():
			return
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusNotFound)
		return
	}
	path, err := url.PathUnescape(strings.Trim(r.URL.EscapedPath(), "/"))
	if err != nil {
		refuse(w, http.StatusBadRequest)
		return
	}
	switch name, rest := splitName(path); {
	case name == "":
		refuse(w, http.StatusNotFound)
	case rest == "":
		err = h.packument(w, r, name)
	case strings.HasPrefix(rest, "-/"):
		err = h.tarball(w, r, path)
	default:
		err = h.version(w, r, name, rest)
	}
	switch {
	case err == nil:
	case errors.Is(err, archive.ErrAbsent), errors.Is(err, fs.ErrInvalid):
		refuse(w, http.StatusNotFound)
	default:
		if h.opts.Failed != nil {
			h.opts.Failed(path, err)
		}
		refuse(w, http.StatusBadGateway)
	}
}

// splitName cuts a request's path into the package's name and what follows.
// Paths below "-/" (audits, keys, search) belong to no package.
func splitName(path string) (name, rest string) {
	parts := strings.SplitN(path, "/", 3)
	switch {
	case parts[0] == "-":
		return "", ""
	case strings.HasPrefix(path, "@"):
		if len(parts) < 2 {
			return "", ""
		}
		name = parts[0] + "/" + parts[1]
	default:
		name = parts[0]
	}
	return name, strings.TrimPrefix(path[len(name):], "/")
}

func (h *Handler) packument(w http.ResponseWriter, r *http.Request, name string) error {
	doc, err := h.render(r.Context(), name, r.Host)
	if err != nil {
		return err
	}
	f, contentType := &doc.full, "application/json"
	if strings.Contains(r.Header.Get("Accept"), "application/vnd.npm.install-v1+json") {
		f, contentType = &doc.short, "application/vnd.npm.install-v1+json"
	}
	head := w.Header()
	head.Set("Content-Type", contentType)
	head.Set("Cache-Control", "public, max-age=300")
	head.Set("Vary", "accept-encoding, accept")
	return h.body(w, r, f)
}

func (h *Handler) version(w http.ResponseWriter, r *http.Request, name, version string) error {
	doc, err := h.render(r.Context(), name, r.Host)
	if err != nil {
		return err
	}
	f, err := doc.version(version)
	if err != nil {
		return err
	}
	head := w.Header()
	head.Set("Content-Type", "application/json")
	head.Set("Cache-Control", "public, max-age=300")
	head.Set("Vary", "accept-encoding, accept")
	return h.body(w, r, f)
}

func (h *Handler) tarball(w http.ResponseWriter, r *http.Request, path string) error {
	h.mu.RLock()
	data, ok := h.tarballs[path]
	h.mu.RUnlock()
	if !ok {
		var err error
		if data, err = h.source.Tarball(r.Context(), path); err != nil {
			return err
		}
		h.mu.Lock()
		h.tarballs[path] = data
		h.mu.Unlock()
	}
	head := w.Header()
	head.Set("Content-Type", "application/octet-stream")
	head.Set("Cache-Control", "public, immutable, max-age=31557600")
	h.write(w, r, data)
	return nil
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"error":"` + http.StatusText(status) + `"}`)) // the client may be gone
}

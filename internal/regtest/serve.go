package regtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"weft/internal/regtest/document"
)

// shortType is the media type of abbreviated packuments.
const shortType = "application/vnd.npm.install-v1+json"

// serve answers one request.
func (r *Registry) serve(w http.ResponseWriter, q *http.Request, host Host) {
	r.running.Add(1) // never the first: the server's own goroutine counts too
	defer r.running.Done()
	path, err := url.PathUnescape(strings.Trim(q.URL.EscapedPath(), "/"))
	if err != nil {
		refuse(w, http.StatusBadRequest, "")
		return
	}
	req := Request{Method: q.Method, Host: host, Path: path, Header: q.Header.Clone(), At: time.Now()}
	var file string
	r.mu.Lock()
	req.Package, file = r.locate(path)
	req.Tarball = file != ""
	r.mu.Unlock()

	rec := &recorder{ResponseWriter: w}
	answered := r.note(req)
	defer func() { answered(rec.status) }()
	r.answer(rec, q, req, file)
}

// locate finds the package that a path is about and the tarball's name if it
// names one. A first folder that is no package is the registry's own. The
// caller holds the lock.
func (r *Registry) locate(path string) (name, file string) {
	name, file, _ = strings.Cut(path, "/-/")
	if r.entries[name] == nil {
		if _, rest, ok := strings.Cut(name, "/"); ok && r.entries[rest] != nil {
			name = rest
		}
	}
	return name, file
}

func (r *Registry) answer(w *recorder, q *http.Request, req Request, file string) {
	r.mu.Lock()
	e := r.entries[req.Package]
	allowed := r.allowed(req.Package, q.Header.Get("Authorization"))
	gateway := r.gateway
	var fault *Fault
	if e != nil && allowed {
		fault = r.strike(req)
	}
	r.mu.Unlock()
	switch {
	case !allowed:
		w.Header().Set("Www-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "")
	case e == nil || (q.Method != http.MethodGet && q.Method != http.MethodHead):
		refuse(w, http.StatusNotFound, "")
	case fault != nil && r.instead(w, q, req, fault):
	case req.Tarball:
		r.sendTarball(w, q, req.Package, file, fault)
	default:
		r.sendPackument(w, q, req.Package, gateway, fault)
	}
}

// instead carries out the faults that send no document, and reports whether
// this is one.
func (r *Registry) instead(w *recorder, q *http.Request, req Request, f *Fault) bool {
	switch f.Kind {
	case Answer:
		refuse(w, f.Status, f.RetryAfter)
	case Hang:
		r.hang(q)
	case RedirectOther:
		w.Header().Set("Location", strings.TrimSuffix(r.OtherURL(), "/")+q.URL.EscapedPath())
		refuse(w, http.StatusFound, "")
	case RedirectLoop:
		w.Header().Set("Location", q.URL.EscapedPath())
		refuse(w, http.StatusFound, "")
	case SignIn:
		w.Header().Set("Content-Type", "text/html")
		w.send([]byte("<html><body>Sign in to the network</body></html>\n"))
	case NotAcceptable:
		accept := q.Header.Get("Accept")
		if req.Tarball || !strings.Contains(accept, shortType) ||
			strings.Contains(accept, "application/json") || strings.Contains(accept, "*/*") {
			return false
		}
		refuse(w, http.StatusNotAcceptable, "")
	default:
		return false
	}
	return true
}

// hang waits until the client gives up or the registry closes.
func (r *Registry) hang(q *http.Request) {
	select {
	case <-q.Context().Done():
	case <-r.closed.Done():
		panic(http.ErrAbortHandler)
	}
}

func (r *Registry) sendPackument(w *recorder, q *http.Request, name string, gateway bool, f *Fault) {
	full := gateway || !strings.Contains(q.Header.Get("Accept"), shortType) || f != nil && f.Kind == NotAcceptable
	r.mu.Lock()
	text, err := r.text(name)
	r.mu.Unlock()
	if err == nil && !full {
		text, err = document.Abbreviate(text)
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "")
		return
	}
	head := w.Header()
	head.Set("Content-Type", "application/json")
	if !full {
		head.Set("Content-Type", shortType)
	}
	if f != nil && f.Kind == BadJSON {
		w.send(text[:len(text)/2])
		return
	}
	if !gateway {
		sum := sha256.Sum256(text)
		tag := `"` + hex.EncodeToString(sum[:16]) + `"`
		head.Set("ETag", tag)
		head.Set("Cache-Control", "public, max-age=300")
		head.Set("Vary", "accept-encoding, accept")
		if strings.Contains(q.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if strings.Contains(q.Header.Get("Accept-Encoding"), "gzip") {
			head.Set("Content-Encoding", "gzip")
			text = compress(text)
		}
	}
	r.spoil(w, q, text, f)
}

func (r *Registry) sendTarball(w *recorder, q *http.Request, name, file string, f *Fault) {
	r.mu.Lock()
	var tgz []byte
	for _, rel := range r.entries[name].versions {
		if fileName(name, rel.pkg.Version) == file {
			tgz = rel.tgz
		}
	}
	r.mu.Unlock()
	if tgz == nil {
		refuse(w, http.StatusNotFound, "")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	if f != nil && f.Kind == Encoded {
		w.Header().Set("Content-Encoding", "gzip")
		tgz = compress(tgz)
	}
	r.spoil(w, q, tgz, f)
}

// spoil sends a body, damaged as the fault says.
func (r *Registry) spoil(w *recorder, q *http.Request, body []byte, f *Fault) {
	kind := Kind(-1)
	if f != nil {
		kind = f.Kind
	}
	half := body[:len(body)/2]
	switch kind {
	case Short:
		w.send(half)
	case Corrupt:
		bad := bytes.Clone(body)
		if len(bad) > 0 {
			bad[len(bad)/2] ^= 0xff
		}
		w.send(bad)
	case Truncate, HangBody, Drop:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.part(half)
		switch kind {
		case HangBody:
			r.hang(q)
		case Drop:
			reset(w)
		}
		panic(http.ErrAbortHandler) // closes the connection without a word in the log
	case Slow:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		step := max(1, (len(body)+9)/10)
		for len(body) > 0 {
			n := min(step, len(body))
			w.part(body[:n])
			body = body[n:]
			select {
			case <-time.After(f.Pause):
			case <-q.Context().Done():
				return
			}
		}
	default:
		w.send(body)
	}
}

func compress(data []byte) []byte {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	// A Buffer takes everything.
	_, _ = zw.Write(data)
	_ = zw.Close()
	return buf.Bytes()
}

func refuse(w http.ResponseWriter, status int, retryAfter string) {
	w.Header().Set("Content-Type", "application/json")
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%q}`, http.StatusText(status))
}

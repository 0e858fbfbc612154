package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"weft/bench/registry/archive"
)

// form is one representation of a document, compressed once. The plain text
// is not kept: whoever asks without gzip gets it inflated again.
type form struct {
	gz   []byte
	etag string
}

// rendered is a packument whose tarball addresses name one host.
type rendered struct {
	full, short form
}

// render gives the packument of name as seen from host, from memory if it was
// asked for before.
func (h *Handler) render(ctx context.Context, name, host string) (*rendered, error) {
	key := host + "/" + name
	h.mu.RLock()
	r, ok := h.rendered[key]
	h.mu.RUnlock()
	if ok {
		return r, nil
	}
	doc, err := h.source.Doc(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err = renderDoc(doc, h.origin, "http://"+host+"/")
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	h.mu.Lock()
	h.rendered[key] = r
	h.mu.Unlock()
	return r, nil
}

func renderDoc(doc *archive.Doc, from, to string) (*rendered, error) {
	full, err := newForm(archive.Rewrite(doc.Full, from, to))
	if err != nil {
		return nil, err
	}
	short, err := newForm(archive.Rewrite(doc.Short, from, to))
	if err != nil {
		return nil, err
	}
	return &rendered{full: full, short: short}, nil
}

func newForm(text []byte) (form, error) {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	if _, err := zw.Write(text); err != nil {
		return form{}, err
	}
	if err := zw.Close(); err != nil {
		return form{}, err
	}
	sum := sha256.Sum256(text)
	return form{gz: bytes.Clone(buf.Bytes()), etag: `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
}

func (f *form) plain() ([]byte, error) {
	zr, err := gzip.NewReader(bytes.NewReader(f.gz))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zr)
}

// version finds one version's manifest, by number or by dist-tag, in the full
// form, as GET /name/version asks for.
func (r *rendered) version(want string) (*form, error) {
	text, err := r.full.plain()
	if err != nil {
		return nil, err
	}
	var doc struct {
		Tags     map[string]string          `json:"dist-tags"`
		Versions map[string]json.RawMessage `json:"versions"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if tagged, ok := doc.Tags[want]; ok {
		want = tagged
	}
	manifest, ok := doc.Versions[want]
	if !ok {
		return nil, archive.ErrAbsent
	}
	f, err := newForm(manifest)
	return &f, err
}

// body sends a form under the conditions and in the encoding that the request
// names.
func (h *Handler) body(w http.ResponseWriter, r *http.Request, f *form) error {
	head := w.Header()
	head.Set("ETag", f.etag)
	if strings.Contains(r.Header.Get("If-None-Match"), f.etag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	data := f.gz
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		head.Set("Content-Encoding", "gzip")
	} else {
		var err error
		if data, err = f.plain(); err != nil {
			return err
		}
	}
	h.write(w, r, data)
	return nil
}

func (h *Handler) write(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method == http.MethodHead {
		return
	}
	n, _ := w.Write(data) // the client may be gone
	h.sent.Add(int64(n))
}

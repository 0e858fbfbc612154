package tarball

import (
	"fmt"
	"math"
	"runtime"
)

// maxMetaBytes bounds a PAX or long-name body; larger ones are skipped with their effect.
const maxMetaBytes = 1 << 20

// reader walks the blocks of one tar and puts its files into a tree.
type reader struct {
	data  []byte
	pos   int
	strip int
	tree  *tree

	ex, gex *extension // pending for the next entry, and for all

	begun     bool // something was recognised: an entry that moves the reader, or the end
	sawValid  bool // one entry was valid and whole
	sawNull   bool // the block before was empty
	unclaimed bool // the last entry's body was left to be read as headers
	ignores   map[string]bool
}

func newReader(data []byte, strip, maxFiles int) *reader {
	return &reader{data: data, strip: strip, tree: newTree(maxFiles, runtime.GOOS == "windows")}
}

// run reads to the end of the archive or of the data.
func (r *reader) run() error {
	for r.pos+blockBytes <= len(r.data) {
		block := r.data[r.pos : r.pos+blockBytes]
		r.pos += blockBytes
		h, err := decodeHeader(block, r.ex, r.gex)
		if err != nil {
			continue
		}
		if h.null {
			if r.sawNull {
				r.begun = true
				break
			}
			r.sawNull = true
			continue
		}
		r.sawNull = false
		if !acceptable(h) {
			continue
		}
		if err := r.entry(h); err != nil {
			return err
		}
	}
	if r.unclaimed {
		return ErrTruncated
	}
	if !r.begun || !r.sawValid {
		return ErrFormat
	}
	return nil
}

// acceptable says whether a header counts at all. Where it does not, its body is not skipped.
func acceptable(h header) bool {
	if !h.valid || h.path == "" {
		return false
	}
	switch h.typ {
	case typeLink, typeSymlink:
		return h.link != ""
	case typePax, typePaxGlobal:
		return true
	}
	return h.link == ""
}

// entry handles one valid header and its body.
func (r *reader) entry(h header) error {
	e := r.overridden(h)
	r.unclaimed = false
	switch h.typ {
	case typePax, typePaxOld, typePaxGlobal, typeLongPath, typeLongLink, typeLongOld:
		switch {
		case e.size > maxMetaBytes:
			r.begun = true
			_, err := r.body(h)
			return err
		case e.size > 0:
			r.begun = true
			body, err := r.body(h)
			if err == nil {
				r.extend(h.typ, decodeUTF8(body))
			}
			return err
		}
		// A pending size record of zero hides this body from npm, which goes on with it as if it were headers.
		r.unclaimed = h.size > 0
		r.sawValid = r.sawValid || h.size == 0
		return nil
	}
	r.begun = true
	r.ex = nil
	body, err := r.body(h)
	if err != nil {
		return err
	}
	if h.typ == typeFile || h.typ == typeContiguous {
		return r.file(e, body)
	}
	return nil
}

// entry is a header with the extensions laid over it a second time, as npm does: there a path replaces the ustar
// prefix too, and a global link path reaches files.
type entry struct {
	path, linkpath string
	size           float64
	typ            byte
	mode           int64
}

func (r *reader) overridden(h header) entry {
	e := entry{path: h.path, linkpath: h.link, size: h.size, typ: h.typ, mode: h.mode}
	for _, x := range []*extension{r.ex, r.gex} {
		if x.has(fieldPath) && x == r.ex {
			e.path = x.path
		}
		if x.has(fieldLinkpath) {
			e.linkpath = x.linkpath
		}
		if x.has(fieldSize) {
			e.size = x.size
		}
	}
	return e
}

// body returns the entry's bytes and moves past its blocks.
func (r *reader) body(h header) ([]byte, error) {
	blocks := blockBytes * math.Ceil(h.size/blockBytes)
	if blocks > float64(len(r.data)-r.pos) {
		return nil, fmt.Errorf("%w: %q needs %.0f bytes, %d are left", ErrTruncated, h.path, blocks, len(r.data)-r.pos)
	}
	end := r.pos + int(h.size)
	body := r.data[r.pos:end:end]
	r.pos += int(blocks)
	r.sawValid = true
	return body, nil
}

// extend applies the body of an extension entry.
func (r *reader) extend(typ byte, body string) {
	switch typ {
	case typePax, typePaxOld:
		r.ex = mergePax(r.ex, body)
	case typePaxGlobal:
		r.gex = mergePax(r.gex, body)
	case typeLongPath, typeLongOld:
		r.ex = r.ex.withPath(cutNUL(body))
	case typeLongLink:
		r.ex = r.ex.withLinkpath(cutNUL(body))
	}
}

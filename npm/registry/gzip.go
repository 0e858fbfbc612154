package registry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

var errTooLarge = errors.New("too large")

// inflateRatioMax is DEFLATE's best: a match of 258 bytes in two bits.
const inflateRatioMax = 1032

// inflater is a gzip reader with its source, pooled together.
type inflater struct {
	src bytes.Reader
	gz  gzip.Reader
}

var inflaters sync.Pool

// gunzip decodes packed into one buffer of alloc. A stream that ends early is
// io.ErrUnexpectedEOF, more than limit bytes are errTooLarge.
func gunzip(packed []byte, alloc func(int) []byte, limit int64) ([]byte, error) {
	in, _ := inflaters.Get().(*inflater)
	if in == nil {
		in = new(inflater)
	}
	defer inflaters.Put(in)
	in.src.Reset(packed)
	if err := in.gz.Reset(&in.src); err != nil {
		return nil, fmt.Errorf("decode gzip: %w", noEOF(err))
	}
	out := alloc(sizeHint(packed, limit))
	for {
		if len(out) == cap(out) {
			var probe [1]byte
			n, err := in.gz.Read(probe[:])
			if n > 0 {
				bigger := alloc(int(min(2*int64(cap(out))+64, limit+1)))
				out = append(append(bigger, out...), probe[0])
			}
			if int64(len(out)) > limit {
				return nil, errTooLarge
			}
			if err == io.EOF {
				return out, nil
			}
			if err != nil {
				return nil, fmt.Errorf("decode gzip: %w", noEOF(err))
			}
			continue
		}
		n, err := in.gz.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if int64(len(out)) > limit {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode gzip: %w", noEOF(err))
		}
	}
}

// sizeHint takes the decoded size from the trailer, which is right for the one
// member that servers send and must be believed no further than DEFLATE can
// reach.
func sizeHint(packed []byte, limit int64) int {
	if len(packed) < 18 {
		return 64
	}
	size := int64(binary.LittleEndian.Uint32(packed[len(packed)-4:]))
	most := min(inflateRatioMax*int64(len(packed)), limit)
	if size > most || size < int64(len(packed))/2 {
		size = min(4*int64(len(packed)), limit)
	}
	return int(size)
}

// noEOF keeps an early end from being taken for a good one.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// isGzip looks at the magic bytes.
func isGzip(b []byte) bool { return len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b }

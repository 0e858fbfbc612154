package registry

import (
	"errors"
	"fmt"
	"io"
	"math"

	"weft/internal/inflate"
)

var errTooLarge = errors.New("too large")

// gunzip decodes packed into one buffer of alloc. A stream that ends early is
// io.ErrUnexpectedEOF, more than limit bytes are errTooLarge. What follows a
// zero byte behind the stream is dropped, as node drops it.
func gunzip(packed []byte, alloc func(int) []byte, limit int64) ([]byte, error) {
	most := int(min(limit, math.MaxInt))
	out, _, err := inflate.Gunzip(alloc(inflate.SizeHint(packed, most)), packed, most)
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, inflate.ErrTooLarge):
		return nil, errTooLarge
	case errors.Is(err, inflate.ErrTruncated):
		return nil, fmt.Errorf("decode gzip: %w", io.ErrUnexpectedEOF)
	}
	return nil, fmt.Errorf("decode gzip: %w", err)
}

// isGzip looks at the magic bytes.
func isGzip(b []byte) bool { return len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b }

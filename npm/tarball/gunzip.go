package tarball

import (
	"errors"
	"fmt"
	"math"

	"weft/internal/inflate"
)

func isGzip(b []byte) bool { return len(b) >= 4 && b[0] == 0x1f && b[1] == 0x8b }

// gunzip inflates every member of src into one pooled buffer, which the caller owns. What follows a zero byte behind a
// member is left alone, as node does.
func gunzip(src []byte, limits Limits) ([]byte, error) {
	limit := int(min(limits.UnpackedBytes, limits.Ratio*int64(len(src)), math.MaxInt))
	dst := buffers.get(inflate.SizeHint(src, limit))
	out, _, err := inflate.Gunzip(dst, src, limit)
	if cap(out) != cap(dst) { // it was grown
		buffers.put(dst)
	}
	if err == nil {
		return out, nil
	}
	buffers.put(out)
	if errors.Is(err, inflate.ErrTooLarge) {
		return nil, fmt.Errorf("%w: more than %d bytes inflated", ErrTooLarge, limit)
	}
	return nil, fmt.Errorf("%w: %v", ErrGzip, err)
}

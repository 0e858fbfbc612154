package tarball

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// The gzip framing of RFC 1952. It is done here, and not by a gzip package, because what follows a member must be
// treated as node's zlib does, and because header strings of any length are legal.
const (
	gzipHeaderBytes  = 10
	gzipTrailerBytes = 8

	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagReserved  = 0xe0
)

func isGzip(b []byte) bool { return len(b) >= 4 && b[0] == 0x1f && b[1] == 0x8b }

// inflaters holds flate decoders; each carries a window and tables of some 40 KiB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// gunzip inflates every member of src into one pooled buffer, which the caller owns.
func gunzip(src []byte, limits Limits) ([]byte, error) {
	limit := limits.UnpackedBytes
	ratioLimit := limits.Ratio * int64(len(src))
	dst := buffers.get(sizeGuess(src, min(limit, ratioLimit)))
	inflater := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(inflater)
	for rest := src; ; {
		var err error
		if dst, rest, err = appendMember(dst, rest, inflater, min(limit, ratioLimit)); err != nil {
			buffers.put(dst)
			return nil, err
		}
		if len(rest) == 0 || rest[0] == 0 {
			return dst, nil
		}
	}
}

// sizeGuess reads the length field of the last member. It is a hint of an unknown sender, so it only counts up to limit.
func sizeGuess(src []byte, limit int64) int {
	guess := int64(len(src)) * 4
	if len(src) >= gzipHeaderBytes+gzipTrailerBytes {
		guess = int64(binary.LittleEndian.Uint32(src[len(src)-4:]))
	}
	return int(min(guess, limit)) + 1 // one more, so that the last Read can report the end
}

// appendMember inflates the member at the head of src onto dst and returns what follows it.
func appendMember(dst, src []byte, inflater io.ReadCloser, limit int64) (out, rest []byte, err error) {
	body, err := skipGzipHeader(src)
	if err != nil {
		return dst, nil, err
	}
	in := bytes.NewReader(body)
	if err := inflater.(flate.Resetter).Reset(in, nil); err != nil {
		return dst, nil, fmt.Errorf("%w: %v", ErrGzip, err)
	}
	start := len(dst)
	for {
		if len(dst) == cap(dst) {
			dst = grow(dst)
		}
		n, err := inflater.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if int64(len(dst)) > limit {
			return dst, nil, fmt.Errorf("%w: more than %d bytes inflated", ErrTooLarge, limit)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return dst, nil, fmt.Errorf("%w: %v", ErrGzip, err)
		}
	}
	rest = body[len(body)-in.Len():]
	if len(rest) < gzipTrailerBytes {
		return dst, nil, fmt.Errorf("%w: the trailer is cut", ErrGzip)
	}
	member := dst[start:]
	if binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(member) {
		return dst, nil, fmt.Errorf("%w: the checksum does not match", ErrGzip)
	}
	if binary.LittleEndian.Uint32(rest[4:]) != uint32(len(member)) {
		return dst, nil, fmt.Errorf("%w: the length does not match", ErrGzip)
	}
	return dst, rest[gzipTrailerBytes:], nil
}

func grow(b []byte) []byte {
	bigger := append(buffers.get(2*cap(b)+4096), b...)
	buffers.put(b)
	return bigger
}

// skipGzipHeader returns what follows the header of the member at the head of src.
func skipGzipHeader(src []byte) ([]byte, error) {
	cut := fmt.Errorf("%w: the header is cut", ErrGzip)
	if len(src) < gzipHeaderBytes {
		return nil, cut
	}
	flags := src[3]
	if src[0] != 0x1f || src[1] != 0x8b || src[2] != 8 || flags&flagReserved != 0 {
		return nil, fmt.Errorf("%w: not a gzip header", ErrGzip)
	}
	rest := src[gzipHeaderBytes:]
	if flags&flagExtra != 0 {
		if len(rest) < 2 {
			return nil, cut
		}
		n := 2 + int(binary.LittleEndian.Uint16(rest))
		if len(rest) < n {
			return nil, cut
		}
		rest = rest[n:]
	}
	for _, flag := range []byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		end := bytes.IndexByte(rest, 0)
		if end < 0 {
			return nil, cut
		}
		rest = rest[end+1:]
	}
	if flags&flagHeaderCRC != 0 {
		if len(rest) < 2 {
			return nil, cut
		}
		header := src[:len(src)-len(rest)]
		if binary.LittleEndian.Uint16(rest) != uint16(crc32.ChecksumIEEE(header)) {
			return nil, fmt.Errorf("%w: the header checksum does not match", ErrGzip)
		}
		rest = rest[2:]
	}
	return rest, nil
}

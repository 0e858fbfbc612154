package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"sync"
)

// Conditions under which input is refused. Errors of this package wrap one of them; test with errors.Is.
var (
	// ErrHeader means that a member does not begin with a gzip header that node accepts.
	ErrHeader = errors.New("not a gzip header")
	// ErrTruncated means that the input ends before its last member does.
	ErrTruncated = errors.New("the input is cut")
	// ErrCorrupt means that the compressed data break a rule of DEFLATE.
	ErrCorrupt = errors.New("damaged data")
	// ErrChecksum means that a member does not have the checksum or the length that its trailer states.
	ErrChecksum = errors.New("checksum or length does not match")
	// ErrTooLarge means that the output would pass the caller's limit.
	ErrTooLarge = errors.New("output is larger than allowed")
)

// decoders holds decoders, whose tables take some 40 KiB.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Gunzip inflates the gzip members at the head of src and appends them to dst, at most limit bytes in all. It returns
// the extended slice and what follows the last member, which is empty or begins with a zero byte: as in node, anything
// else after a member must be another one, or the whole is an error.
//
// dst's array is used as long as it has room, all of its capacity up to the limit may be written to, and it is replaced
// by a larger one as append does it. Capacity for exactly the output is enough (see [SizeHint]). dst must not overlap
// src, which is only read.
//
// On an error out is dst, perhaps in a larger array, so that the caller can use the memory again, and rest is nil; the
// error wraps [ErrHeader], [ErrTruncated], [ErrCorrupt], [ErrChecksum] or [ErrTooLarge]. Gunzip blocks on nothing but
// the CPU and any number of goroutines may call it.
func Gunzip(dst, src []byte, limit int) (out, rest []byte, err error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.start(dst, src, limit)
	for {
		if err := d.member(); err != nil {
			return d.finish(len(dst)), nil, fmt.Errorf("inflate: %w", err)
		}
		if rest := src[d.inPos:]; len(rest) == 0 || rest[0] == 0 {
			return d.finish(d.outPos), rest, nil
		}
	}
}

// member decodes one member and leaves inPos behind it.
func (d *decoder) member() error {
	n, err := headerBytes(d.in[d.inPos:])
	if err != nil {
		return err
	}
	d.inPos += n
	if err := d.inflate(); err != nil {
		return err
	}
	trailer, content := d.in[d.inPos:], d.out[d.floor:d.outPos]
	switch {
	case len(trailer) >= 4 && binary.LittleEndian.Uint32(trailer) != crc32.ChecksumIEEE(content):
		return ErrChecksum
	case len(trailer) < trailerBytes:
		return ErrTruncated
	case binary.LittleEndian.Uint32(trailer[4:]) != uint32(len(content)):
		return ErrChecksum
	}
	d.inPos += trailerBytes
	return nil
}

// A stated length is taken at its word up to this expansion. Packages of npm expand five times on average and fifteen
// times at most, its documents up to thirty; what expands more than this is grown into.
const (
	hintRatioMax = 64
	hintBytesMin = 64 << 10
)

// SizeHint guesses the length of Gunzip's output, for a first buffer: exact for an honest input of one member that does
// not expand extremely, and never more than limit, nor than a small multiple of src. It looks at the last four bytes.
func SizeHint(src []byte, limit int) int {
	if len(src) < headerFixedBytes+trailerBytes {
		return 0
	}
	stated := int64(binary.LittleEndian.Uint32(src[len(src)-4:]))
	believed := max(hintRatioMax*int64(len(src)), hintBytesMin)
	return int(min(stated, believed, int64(max(limit, 0)), math.MaxInt))
}

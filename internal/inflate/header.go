package inflate

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// The framing of RFC 1952.
const (
	headerFixedBytes = 10
	trailerBytes     = 8

	methodDeflate = 8

	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagReserved  = 0xe0
)

// headerBytes measures the gzip header at the head of b.
func headerBytes(b []byte) (int, error) {
	if err := checkFixed(b); err != nil {
		return 0, err
	}
	flags := b[3]
	n := headerFixedBytes
	if flags&flagExtra != 0 {
		if len(b)-n < 2 {
			return 0, ErrTruncated
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
		if len(b) < n {
			return 0, ErrTruncated
		}
	}
	for _, flag := range [...]byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		length := bytes.IndexByte(b[n:], 0)
		if length < 0 {
			return 0, ErrTruncated
		}
		n += length + 1
	}
	if flags&flagHeaderCRC != 0 {
		if len(b)-n < 2 {
			return 0, ErrTruncated
		}
		if binary.LittleEndian.Uint16(b[n:]) != uint16(crc32.ChecksumIEEE(b[:n])) {
			return 0, ErrHeader
		}
		n += 2
	}
	return n, nil
}

// checkFixed judges the part that every header has. What is there of a cut one may already be wrong.
func checkFixed(b []byte) error {
	if len(b) > 0 && b[0] != 0x1f || len(b) > 1 && b[1] != 0x8b || len(b) > 2 && b[2] != methodDeflate || len(b) > 3 && b[3]&flagReserved != 0 {
		return ErrHeader
	}
	if len(b) < headerFixedBytes {
		return ErrTruncated
	}
	return nil
}

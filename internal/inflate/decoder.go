package inflate

import (
	"encoding/binary"
	"math"
)

// decoder is the state of one call. The tables in it are written before they are read, so that a used decoder needs no
// cleaning.
type decoder struct {
	in    []byte // all of the input
	inPos int    // the next byte to go into bb

	out    []byte // the output buffer at the length that may be written to now, at most limit
	outPos int    // the next byte to write
	floor  int    // where the member began: no distance reaches below
	limit  int    // outPos must not pass it

	bb uint64 // bits that were read and not used, the next one lowest; those from nb up are zero outside of the fast loop
	nb uint   // how many bits of bb are valid, at most 63

	tables  *tables // of the current block: own, or the fixed ones
	own     tables
	lengths lengthTable
	codes   codes
	lens    [maxLitCodes + maxDistCodes]uint8
}

func (d *decoder) start(dst, src []byte, limit int) {
	d.in, d.inPos = src, 0
	d.bb, d.nb = 0, 0
	d.outPos, d.floor = len(dst), len(dst)
	d.limit = len(dst) + min(max(limit, 0), math.MaxInt-len(dst))
	d.out = dst[:min(cap(dst), d.limit)]
}

// finish gives the output buffer up to length and forgets the caller's memory.
func (d *decoder) finish(length int) []byte {
	out := d.out[:length]
	d.in, d.out, d.tables = nil, nil, nil
	return out
}

// inflate decodes one DEFLATE stream and leaves inPos on the first byte after it.
func (d *decoder) inflate() error {
	d.floor = d.outPos
	for {
		d.refill()
		if d.nb < 3 {
			return ErrTruncated
		}
		head := d.take(3)
		var err error
		switch head >> 1 {
		case 0:
			err = d.stored()
		case 1:
			d.tables = fixedTables()
			err = d.block()
		case 2:
			if err = d.readCodes(); err == nil {
				d.tables = &d.own
				err = d.block()
			}
		default:
			err = ErrCorrupt
		}
		if err != nil {
			return err
		}
		if head&1 != 0 {
			d.alignByte()
			return nil
		}
	}
}

// outcome says why a loop over symbols came back without an error.
type outcome int

const (
	atEdge  outcome = iota // too little slack in one of the buffers; nothing else has happened
	atEnd                  // the end-of-block code was taken
	invalid                // a code without a symbol, or a distance too far
)

// block decodes symbols until the end of a block.
func (d *decoder) block() error {
	for {
		if d.hasSlack() {
			switch d.fast() {
			case atEnd:
				return nil
			case invalid:
				return ErrCorrupt
			}
		}
		if end, err := d.careful(); end || err != nil {
			return err
		}
	}
}

// stored copies a block that is not compressed.
func (d *decoder) stored() error {
	d.alignByte()
	head := d.in[d.inPos:]
	if len(head) < 4 {
		return ErrTruncated
	}
	size := binary.LittleEndian.Uint16(head)
	if ^size != binary.LittleEndian.Uint16(head[2:]) {
		return ErrCorrupt
	}
	body := head[4:]
	body = body[:min(len(body), int(size))]
	if err := d.room(len(body)); err != nil {
		return err
	}
	copy(d.out[d.outPos:], body)
	d.outPos += len(body)
	d.inPos += 4 + len(body)
	if len(body) < int(size) {
		return ErrTruncated
	}
	return nil
}

// room sees to it that n more bytes can be written.
func (d *decoder) room(n int) error {
	if n <= len(d.out)-d.outPos {
		return nil
	}
	if n > d.limit-d.outPos {
		return ErrTooLarge
	}
	const least = 32 << 10
	size := d.limit
	if double := 2*uint64(d.outPos+n) + least; double < uint64(size) {
		size = int(double)
	}
	bigger := make([]byte, size)
	copy(bigger, d.out[:d.outPos])
	d.out = bigger
	return nil
}

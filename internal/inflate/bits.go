package inflate

import "encoding/binary"

// refill tops the bit buffer up to at least 56 bits, or to all that is left.
func (d *decoder) refill() {
	if rest := d.in[d.inPos:]; len(rest) >= 8 {
		n := (63 - d.nb) >> 3
		d.bb |= binary.LittleEndian.Uint64(rest) << (d.nb & 63)
		d.nb += n * 8
		d.bb &= 1<<(d.nb&63) - 1
		d.inPos += int(n)
		return
	}
	for d.nb < 56 && d.inPos < len(d.in) {
		d.bb |= uint64(d.in[d.inPos]) << (d.nb & 63)
		d.inPos++
		d.nb += 8
	}
}

// take removes n bits, which must be there.
func (d *decoder) take(n uint) uint64 {
	bits := d.bb & (1<<(n&63) - 1)
	d.bb >>= n & 63
	d.nb -= n
	return bits
}

// alignByte drops the bits up to the next byte of the input and gives back the whole bytes behind them.
func (d *decoder) alignByte() {
	d.inPos -= int(d.nb / 8)
	d.bb, d.nb = 0, 0
}

package inflate

// lengthTable decodes the code lengths of a block: the symbol above four bits of its code's length, by the next seven
// bits.
type lengthTable [1 << lengthCodeBits]uint16

const (
	lengthCodes    = 19
	lengthCodeBits = 7

	repeatLast     = 16
	repeatZero     = 17
	repeatZeroLong = 18
)

// lengthOrder is the order in which the lengths of the length code come.
var lengthOrder = [lengthCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the head of a block that brings its own codes, and builds their tables.
func (d *decoder) readCodes() error {
	d.refill()
	if d.nb < 14 {
		return ErrTruncated
	}
	lits, dists, lengths := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if lits > 286 || dists > 30 {
		return ErrCorrupt
	}
	var lens [lengthCodes]uint8
	for _, symbol := range lengthOrder[:lengths] {
		if d.nb < 3 {
			d.refill()
			if d.nb < 3 {
				return ErrTruncated
			}
		}
		lens[symbol] = uint8(d.take(3))
	}
	if d.codes.assign(lens[:]) != complete {
		return ErrCorrupt
	}
	d.lengths.set(&d.codes)
	if err := d.readLengths(d.lens[:lits+dists]); err != nil {
		return err
	}
	if d.lens[endOfBlock] == 0 || !d.own.setLit(&d.codes, d.lens[:lits]) || !d.own.setDist(&d.codes, d.lens[lits:lits+dists]) {
		return ErrCorrupt
	}
	return nil
}

func (t *lengthTable) set(c *codes) {
	for l := 1; l <= lengthCodeBits; l++ {
		symbols, code := c.ofLength(l)
		for i, s := range symbols {
			for at := int(code[i]); at < len(t); at += 1 << l {
				t[at] = s<<4 | uint16(l)
			}
		}
	}
}

// readLengths fills lens. A repetition may reach from the literals' lengths into the distances', not past the end.
func (d *decoder) readLengths(lens []uint8) error {
	for i := 0; i < len(lens); {
		if d.nb < lengthCodeBits+7 {
			d.refill()
		}
		e := d.lengths[d.bb&(1<<lengthCodeBits-1)]
		if uint(e&15) > d.nb {
			return ErrTruncated
		}
		d.take(uint(e & 15))
		symbol := uint8(e >> 4)
		if symbol < repeatLast {
			lens[i] = symbol
			i++
			continue
		}
		value, extra, times := uint8(0), uint(2), 3
		switch {
		case symbol == repeatZero:
			extra = 3
		case symbol == repeatZeroLong:
			extra, times = 7, 11
		case i == 0:
			return ErrCorrupt
		default:
			value = lens[i-1]
		}
		if extra > d.nb {
			return ErrTruncated
		}
		times += int(d.take(extra))
		if times > len(lens)-i {
			return ErrCorrupt
		}
		for end := i + times; i < end; i++ {
			lens[i] = value
		}
	}
	return nil
}

package inflate

// careful decodes one symbol, with every check: that the bits were in the input, that the output has room, and that a
// distance stays within the member. It is true at the end of the block.
func (d *decoder) careful() (end bool, err error) {
	d.refill()
	e := d.tables.lit[d.bb&litMask]
	if e.literals() > 0 {
		if e.firstBits() > d.nb {
			return false, ErrTruncated
		}
		d.take(e.firstBits())
		return false, d.putLiteral(e.literal())
	}
	if e.link() {
		if d.nb < litBits {
			return false, ErrTruncated
		}
		d.take(litBits)
		if e = d.tables.lit[e.linked(d.bb)]; e.literals() > 0 {
			if e.drop() > d.nb {
				return false, ErrTruncated
			}
			d.take(e.drop())
			return false, d.putLiteral(e.literal())
		}
	}
	if e.drop() > d.nb {
		return false, ErrTruncated
	}
	if e.special() {
		d.take(e.drop())
		if e.end() {
			return true, nil
		}
		return false, ErrCorrupt
	}
	length := e.length(d.bb)
	d.take(e.drop())
	distance, err := d.distance()
	if err != nil {
		return false, err
	}
	return false, d.putMatch(distance, length)
}

// distance decodes the distance that follows a length. At most 15 codes' and 5 extra bits were taken since the refill,
// which leaves the 28 that this can take.
func (d *decoder) distance() (int, error) {
	e := d.tables.dist[d.bb&distMask]
	if e.link() {
		if d.nb < distBits {
			return 0, ErrTruncated
		}
		d.take(distBits)
		e = d.tables.dist[e.linked(d.bb)]
	}
	if e.drop() > d.nb {
		return 0, ErrTruncated
	}
	if e.special() {
		return 0, ErrCorrupt
	}
	distance := int(e.distance(d.bb))
	d.take(e.drop())
	if distance > d.outPos-d.floor {
		return 0, ErrCorrupt
	}
	return distance, nil
}

func (d *decoder) putLiteral(b byte) error {
	if d.outPos >= len(d.out) {
		if err := d.room(1); err != nil {
			return err
		}
	}
	d.out[d.outPos] = b
	d.outPos++
	return nil
}

// putMatch repeats what stands distance back. Where the two overlap, what can be copied doubles each time.
func (d *decoder) putMatch(distance, length int) error {
	if err := d.room(length); err != nil {
		return err
	}
	from, end := d.outPos-distance, d.outPos+length
	for d.outPos < end {
		d.outPos += copy(d.out[d.outPos:end], d.out[from:d.outPos])
	}
	return nil
}

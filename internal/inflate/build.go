package inflate

// A root table is built in rounds. After round l the first 2^l entries are right for strings of l bits: those that begin
// with a code of at most l bits hold its entry, and the round before has left the rest to be written later. Between
// rounds what is there is copied behind itself, because the next bit does not matter to it. So every entry is written in
// passes over memory in order, and what a round adds is exactly the codes, and pairs of codes, of l bits together.

// setLit builds the literal/length table. It is false where lens are not a code that zlib takes.
func (t *tables) setLit(c *codes, lens []uint8) bool {
	use := c.assign(lens)
	if use != complete && use != single {
		return false
	}
	tab := &t.lit
	tab[0], tab[1] = litSpecial+litPerBit, litSpecial+litPerBit
	var literals [maxCodeBits + 1]int // the codes of each length that are literals, which come first
	for l := 1; l <= litBits; l++ {
		symbols, code := c.ofLength(l)
		for i, s := range symbols {
			tab[code[i]&(litSize-1)] = litSymbols[s] + litEntry(l)*litPerBit
			if s < endOfBlock {
				literals[l]++
			}
		}
		for la := 1; la < l; la++ {
			if literals[la] > 0 {
				t.setPairs(c, la, literals[la], l-la, literals[l-la])
			}
		}
		if l < litBits {
			copy(tab[1<<l:2<<l], tab[:1<<l])
		}
	}
	return link(tab[:], c, litSymbols[:], litBits, litPerBit, func(start, bits int) litEntry {
		return litSpecial | litLink | litEntry(start)<<14 | litEntry(bits)<<8 | litBits
	})
}

// setPairs enters what a literal of la bits makes with a code of lb bits behind it. Of each length the first codes, na
// and nb of them, are literals.
func (t *tables) setPairs(c *codes, la, na, lb, nb int) {
	tab := &t.lit
	firsts, firstCode := c.ofLength(la)
	seconds, secondCode := c.ofLength(lb)
	secondCode = secondCode[:len(seconds)]
	both := litEntry(la + lb)
	for i, a := range firsts[:na] {
		head := litEntry(a)<<32 + litEntry(la)<<50 + both
		for j, b := range seconds[:nb] {
			at := firstCode[i] | secondCode[j]<<la
			tab[at&(litSize-1)] = litOnly | litTwo | head + litEntry(b)<<40
		}
		for j := nb; j < len(seconds); j++ {
			if e := litSymbols[seconds[j]&511%maxLitCodes]; e&litSpecial == 0 {
				at := firstCode[i] | secondCode[j]<<la
				tab[at&(litSize-1)] = (litOne | head + both<<8) + e
			}
		}
	}
}

// setDist builds the distance table. It is false where lens are not a code that zlib takes.
func (t *tables) setDist(c *codes, lens []uint8) bool {
	if c.assign(lens) == refused {
		return false
	}
	tab := &t.dist
	tab[0], tab[1] = distSpecial+distPerBit, distSpecial+distPerBit
	for l := 1; l <= distBits; l++ {
		symbols, code := c.ofLength(l)
		for i, s := range symbols {
			tab[code[i]&(distSize-1)] = distSymbols[s&(maxDistCodes-1)] + distEntry(l)*distPerBit
		}
		if l < distBits {
			copy(tab[1<<l:2<<l], tab[:1<<l])
		}
	}
	return link(tab[:], c, distSymbols[:], distBits, distPerBit, func(start, bits int) distEntry {
		return distSpecial | distLink | distEntry(start)<<32 | distEntry(bits)<<8 | distBits
	})
}

// link enters the codes that are longer than the root's index into subtables behind it. Codes with the same head are
// neighbours in order, so each subtable is sized and filled in one go. It is false if the table is too small, which
// does not happen to complete codes.
func link[E ~uint64](tab []E, c *codes, symbols []E, rootBits int, perBit E, pointer func(start, bits int) E) bool {
	free := 1 << rootBits
	head, start, bits := -1, 0, 0
	for l := rootBits + 1; l <= maxCodeBits; l++ {
		list, code := c.ofLength(l)
		for i, s := range list {
			if h := int(code[i]) & (1<<rootBits - 1); h != head {
				head, start, bits = h, free, c.subtableBits(l, len(list)-i, rootBits)
				free += 1 << bits
				if free > len(tab) {
					return false
				}
				tab[head] = pointer(start, bits)
			}
			e := symbols[s] + E(l-rootBits)*perBit
			for at := int(code[i]) >> rootBits; at < 1<<bits; at += 1 << (l - rootBits) {
				tab[start+at] = e
			}
		}
	}
	return true
}

// subtableBits sizes the subtable that begins with a code of l bits, of which there are left more: as many bits as it
// takes until the codes in order fill all of it.
func (c *codes) subtableBits(l, left, rootBits int) int {
	room := 1<<(l-rootBits) - left
	for room > 0 && l < maxCodeBits {
		l++
		room = room<<1 - c.count[l]
	}
	return l - rootBits
}

//go:build !purego && (amd64 || arm64)

package inflate

import "unsafe"

// The fast loop reads and writes through pointers that are not checked one by one. What makes that safe:
//
//  1. A turn begins only where at least inSlack bytes of input and outSlack bytes of output follow the pointers in and
//     out; hasSlack says so before the first turn and the comparison with inLast and outLast before each other one.
//  2. A turn reads input three times at most, eight bytes each, and between two reads in advances by at most 7: it reads
//     to in+22 and leaves in at most 21 further. The read before the first turn is counted as one of them.
//  3. A turn writes at most three entries of literals, two bytes each, and one match: 6 bytes, then at most 258, copied
//     in pieces of at most 48, which end at most 47 too far, and starting at most 6 in: less than out+6+288. What is
//     written too far is written again or lies past outPos.
//  4. A match is read from between floor and out, since its distance is compared with out-floor first, and forwards by
//     no more than is written: below out+6+288.
//  5. Indexes into tables are masked to their size, so that they need no check to be in range.
//  6. inLast and outLast are pointers into the same arrays as in and out, never past them, and are kept as pointers, so
//     that they stay right whatever the runtime moves.
//
// The bit buffer has at least 56 bits at the begin of a turn. Two entries of literals take 22, the third entry at most 20
// with its link and extra bits: 14 are left, and before a distance, which takes 28 at most, the buffer is filled unless
// 28 are there.
//
// nb is kept in the low six bits of a word: subtracting a whole entry subtracts its low six bits, bits 6 and 7 of which
// are zero, and what is borrowed from or left above does not matter.
const (
	inSlack  = 32
	outSlack = 320
)

// hasSlack reports whether the fast loop may run.
func (d *decoder) hasSlack() bool {
	return len(d.in)-d.inPos >= inSlack && len(d.out)-d.outPos >= outSlack
}

// fast decodes while there is slack, to the end of the block at most. hasSlack must be true.
func (d *decoder) fast() outcome {
	t := d.tables
	in, inLast := at(d.in, d.inPos), at(d.in, len(d.in)-inSlack)
	out, outLast, floor := at(d.out, d.outPos), at(d.out, len(d.out)-outSlack), at(d.out, d.floor)
	result := atEdge
	bb, nb, in := fill(d.bb, d.nb, in)
	e := t.lit[bb&litMask]
	for {
		out = put(out, e)
		if e.onlyLiterals() {
			bb, nb = bb>>(e&63), nb-uint(e)
			e = t.lit[bb&litMask]
			out = put(out, e)
			if e.onlyLiterals() {
				bb, nb = bb>>(e&63), nb-uint(e)
				e = t.lit[bb&litMask]
				out = put(out, e)
			}
		}
		if e.special() && e.link() {
			bb, nb = bb>>(e&63), nb-uint(e)
			e = t.lit[e.linked(bb)]
			out = put(out, e)
		}
		if e.onlyLiterals() {
			bb, nb = bb>>(e&63), nb-uint(e)
			if uintptr(in) > uintptr(inLast) || uintptr(out) > uintptr(outLast) {
				break
			}
			bb, nb, in = fill(bb, nb, in)
			e = t.lit[bb&litMask]
			continue
		}
		if e.special() {
			bb, nb = bb>>(e&63), nb-uint(e)
			if result = invalid; e.end() {
				result = atEnd
			}
			break
		}
		length := uint(e.length(bb))
		bb, nb = bb>>(e&63), nb-uint(e)
		if uint8(nb) < 28 {
			bb, nb, in = fill(bb, nb, in)
		}
		f := t.dist[bb&distMask]
		if f.special() && f.link() {
			bb, nb = bb>>(f&63), nb-uint(f)
			f = t.dist[f.linked(bb)]
		}
		distance := f.distance(bb)
		if f.special() || distance > uint(uintptr(out)-uintptr(floor)) {
			result = invalid
			break
		}
		bb, nb = bb>>(f&63), nb-uint(f)
		to := out
		out = unsafe.Add(out, length)
		bb, nb, in = fill(bb, nb, in) // the next look-up does not wait for the copy
		e = t.lit[bb&litMask]
		if distance >= 16 {
			copyFar(to, distance, length)
		} else {
			copyNear(to, distance, length)
		}
		if uintptr(in) > uintptr(inLast) || uintptr(out) > uintptr(outLast) {
			break
		}
	}
	d.nb = nb & 63
	d.bb = bb & (1<<d.nb - 1)
	d.inPos = len(d.in) - inSlack - int(uintptr(inLast)-uintptr(in))
	d.outPos = len(d.out) - outSlack - int(uintptr(outLast)-uintptr(out))
	return result
}

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// fill tops the bit buffer up to at least 56 bits. What lies above nb afterwards are bits of the input in their places,
// so that the next fill may add them again.
func fill(bb uint64, nb uint, in unsafe.Pointer) (uint64, uint, unsafe.Pointer) {
	return bb | *(*uint64)(in)<<(nb&63), nb | 56, unsafe.Add(in, 7-(nb>>3)&7)
}

// put writes the literals of e: always two bytes, of which as many count as there are.
func put(out unsafe.Pointer, e litEntry) unsafe.Pointer {
	*(*uint16)(out) = uint16(e >> 32)
	return unsafe.Add(out, e.literals())
}

//go:build !purego && (amd64 || arm64)

package inflate

import "unsafe"

// The fast loop reads and writes through pointers that are not checked one by one. What makes that safe:
//
//  1. A turn begins only where at least inSlack bytes of input follow the pointer in, and outSlack bytes of output the
//     pointer out: the comparison with inLast and outLast stands at the head of the loop. hasSlack says that inLast and
//     outLast exist, and that the first filling, which comes before the first comparison, has its bytes.
//  2. A turn fills the bit buffer twice at most. A filling reads eight bytes and moves in by at most 7, so a turn reads
//     below in+15 and ends at most at in+14, which is inside the input.
//  3. A turn writes at most three entries of literals, or two and a linked one, two bytes each; then one match of at
//     most 258 bytes, which match.go copies with less than 48 bytes too many. All of it lies below out+6+258+48, and
//     out ends at most at out+6+258. What is written behind out is written again or not part of the output. The output
//     buffer ends where the limit does, so that even this does not pass it.
//  4. A match is read from between floor and out, since its distance is compared with out-floor first, and forwards as
//     far as it is written, so below the same bound.
//  5. Indexes into tables are masked to their size: they need no check to be in range, and the compiler makes none.
//  6. inLast, outLast and floor are kept as pointers into the same arrays as in and out, never past their ends, and are
//     only compared as numbers. They stay right whatever the runtime moves.
//
// The bit buffer has at least 56 bits at the head of a turn. Two entries of literals take 22 of them at most, the third
// entry 20 with its link and extra bits. Before a distance, which takes 28 at most, the buffer is filled unless 28 bits
// are there.
//
// Of nb only the low byte counts. Subtracting a whole entry from it subtracts the bits to drop, which are at most what
// it has, and zeros above them (bits 6 and 7 of an entry); what happens in the bytes above does not matter.
const (
	inSlack  = 32
	outSlack = 320
)

// hasSlack reports whether the fast loop may run.
func (d *decoder) hasSlack() bool {
	return len(d.in)-d.inPos >= inSlack && len(d.out)-d.outPos >= outSlack
}

// fast decodes while there is slack, to the end of the block at most. hasSlack must be true.
func (d *decoder) fast() (result outcome) {
	t := d.tables
	in, inLast := at(d.in, d.inPos), at(d.in, len(d.in)-inSlack)
	out, outLast, floor := at(d.out, d.outPos), at(d.out, len(d.out)-outSlack), at(d.out, d.floor)
	bb, nb, in := fill(d.bb, d.nb, in)
	e := t.lit[bb&litMask]
	for uintptr(in) <= uintptr(inLast) && uintptr(out) <= uintptr(outLast) {
		out = put(out, e)
		if e.onlyLiterals() {
			bb, nb = bb>>(e&63), nb-uint(e)
			e = t.lit[bb&litMask]
			out = put(out, e)
			if e.onlyLiterals() {
				bb, nb = bb>>(e&63), nb-uint(e)
				e = t.lit[bb&litMask]
				out = put(out, e)
				if e.onlyLiterals() {
					bb, nb, in = fill(bb>>(e&63), nb-uint(e), in)
					e = t.lit[bb&litMask]
					continue
				}
			}
		}
		if e.special() {
			if e.link() {
				bb, nb = bb>>(e&63), nb-uint(e)
				e = t.lit[e.linked(bb)]
				out = put(out, e)
				if e.onlyLiterals() {
					bb, nb, in = fill(bb>>(e&63), nb-uint(e), in)
					e = t.lit[bb&litMask]
					continue
				}
			}
			if e.special() {
				bb, nb = bb>>(e&63), nb-uint(e)
				result = e.outcome()
				break
			}
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
		to := out
		out = unsafe.Add(out, length)
		bb, nb, in = fill(bb>>(f&63), nb-uint(f), in) // the next look-up does not wait for the copy
		e = t.lit[bb&litMask]
		if distance >= 16 && length <= 48 {
			copy48(to, distance)
		} else {
			copyMatch(to, distance, length)
		}
	}
	d.nb = nb & 63
	d.bb = bb & (1<<d.nb - 1) // as the careful loop wants it
	d.inPos, d.outPos = index(d.in, in), index(d.out, out)
	return result
}

func at(b []byte, i int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// index is at the other way round.
func index(b []byte, p unsafe.Pointer) int { return int(uintptr(p) - uintptr(at(b, 0))) }

// outcome is what an entry without a symbol to write means.
func (e litEntry) outcome() outcome {
	if e.end() {
		return atEnd
	}
	return invalid
}

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

//go:build !purego && (amd64 || arm64)

package inflate

import "unsafe"

// copy48 repeats 48 bytes from distance back, which is 16 or more: three steps without a question, in an order in which
// each may read what the one before wrote. Most matches are shorter than that and need nothing else.
func copy48(to unsafe.Pointer, distance uint) {
	from := unsafe.Add(to, -int(distance))
	*(*[16]byte)(to) = *(*[16]byte)(from)
	*(*[16]byte)(unsafe.Add(to, 16)) = *(*[16]byte)(unsafe.Add(from, 16))
	*(*[16]byte)(unsafe.Add(to, 32)) = *(*[16]byte)(unsafe.Add(from, 32))
}

// copyMatch repeats length bytes from distance back, whatever they are.
func copyMatch(to unsafe.Pointer, distance, length uint) {
	switch {
	case distance < 8:
		copyWord(to, distance, length)
	case distance < 16 && length <= 32:
		copy8(to, distance, length)
	default:
		copyLong(to, distance, length)
	}
}

// copyLong repeats length bytes from distance back. Where the two overlap, what is there to copy doubles each time:
// small steps would each wait for the memory that the one before has just written.
func copyLong(to unsafe.Pointer, distance, length uint) {
	from := unsafe.Add(to, -int(distance))
	for {
		n := min(distance, length)
		copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
		if length -= n; length == 0 {
			return
		}
		to, distance = unsafe.Add(to, n), 2*distance
	}
}

// copy8 repeats length bytes from distance back, which is 8 or more, in pieces of 8 bytes.
func copy8(to unsafe.Pointer, distance, length uint) {
	from := unsafe.Add(to, -int(distance))
	for {
		*(*uint64)(to) = *(*uint64)(from)
		if length <= 8 {
			return
		}
		to, from, length = unsafe.Add(to, 8), unsafe.Add(from, 8), length-8
	}
}

// copyWord repeats length bytes from distance back, which is 7 or less, in pieces of 8 bytes. Nothing is read but the
// first.
func copyWord(to unsafe.Pointer, distance, length uint) {
	from := unsafe.Add(to, -int(distance))
	r := &repeats[distance&7]
	word, step := *(*uint64)(from)&r.mask*r.times, r.step
	for {
		*(*uint64)(to) = word
		if length <= step {
			return
		}
		to, length = unsafe.Add(to, step), length-step
	}
}

// repeat makes a period of less than 8 bytes fill a word, and says how far the word may be moved to meet itself.
type repeat struct {
	mask, times uint64
	step        uint
}

var repeats = [8]repeat{
	1: {0xff, 0x0101010101010101, 8},
	2: {0xffff, 0x0001000100010001, 8},
	3: {0xffffff, 0x0001000001000001, 6},
	4: {0xffffffff, 0x0000000100000001, 8},
	5: {0xffffffffff, 0x0000010000000001, 5},
	6: {0xffffffffffff, 0x0001000000000001, 6},
	7: {0xffffffffffffff, 0x0100000000000001, 7},
}

//go:build !purego && (amd64 || arm64)

package inflate

import "unsafe"

// copyFar repeats length bytes from distance back, which is 16 or more, in pieces of 48 bytes.
func copyFar(to unsafe.Pointer, distance, length uint) {
	from := unsafe.Add(to, -int(distance))
	copy48(to, from)
	for length > 48 {
		to, from, length = unsafe.Add(to, 48), unsafe.Add(from, 48), length-48
		copy48(to, from)
	}
}

// copy48 copies in three steps in this order, each of which may read what the one before wrote.
func copy48(to, from unsafe.Pointer) {
	*(*[16]byte)(to) = *(*[16]byte)(from)
	*(*[16]byte)(unsafe.Add(to, 16)) = *(*[16]byte)(unsafe.Add(from, 16))
	*(*[16]byte)(unsafe.Add(to, 32)) = *(*[16]byte)(unsafe.Add(from, 32))
}

// copyNear repeats length bytes from distance back, which is 15 or less, in pieces of 8 bytes.
func copyNear(to unsafe.Pointer, distance, length uint) {
	from := unsafe.Add(to, -int(distance))
	if distance >= 8 {
		for {
			*(*uint64)(to) = *(*uint64)(from)
			if length <= 8 {
				return
			}
			to, from, length = unsafe.Add(to, 8), unsafe.Add(from, 8), length-8
		}
	}
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

package task

import (
	"math/bits"

	"weft/internal/sy"
)

// bitmap is a set of small numbers that any goroutine may change without a lock.
// Whoever clears a bit owns what it stands for; there is no pointer to reuse, so
// nothing can be taken twice.
type bitmap struct{ words []sy.Uint64 }

func (b *bitmap) init(n int) { b.words = make([]sy.Uint64, (n+63)/64) }

func (b *bitmap) any() bool {
	for i := range b.words {
		if b.words[i].Load() != 0 {
			return true
		}
	}
	return false
}

func (b *bitmap) set(i int) { b.words[i/64].Or(1 << (i % 64)) }

// clear removes i and reports whether it was there.
func (b *bitmap) clear(i int) bool {
	bit := uint64(1) << (i % 64)
	return b.words[i/64].And(^bit)&bit != 0
}

// take removes the lowest member and returns it, or -1.
func (b *bitmap) take() int {
	for i := range b.words {
		for w := b.words[i].Load(); w != 0; w = b.words[i].Load() {
			if b.words[i].CompareAndSwap(w, w&(w-1)) {
				return i*64 + bits.TrailingZeros64(w)
			}
		}
	}
	return -1
}

// len counts the members.
func (b *bitmap) len() int {
	n := 0
	for i := range b.words {
		n += bits.OnesCount64(b.words[i].Load())
	}
	return n
}

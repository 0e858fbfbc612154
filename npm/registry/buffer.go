package registry

import (
	"math/bits"
	"sync"
)

// Pooled buffers come in powers of two from 4 KiB to 64 MiB; larger ones are
// left to the collector.
const (
	smallestClass = 12
	largestClass  = 26
)

var pools [largestClass + 1]sync.Pool

// classOf is the smallest class that holds size bytes.
func classOf(size int) int {
	return max(smallestClass, bits.Len(uint(max(size-1, 0))))
}

// take gives a buffer of length 0 that holds at least size bytes.
func take(size int) []byte {
	class := classOf(size)
	if class > largestClass {
		return make([]byte, 0, size)
	}
	if p, ok := pools[class].Get().(*[]byte); ok {
		return (*p)[:0]
	}
	return make([]byte, 0, 1<<class)
}

// give returns a buffer that take made. Nobody may use it afterwards.
func give(b []byte) {
	size := cap(b)
	if size < 1<<smallestClass || size > 1<<largestClass || size&(size-1) != 0 {
		return
	}
	b = b[:0]
	pools[classOf(size)].Put(&b)
}

// plain allocates without a pool, for bytes that are kept for long.
func plain(size int) []byte { return make([]byte, 0, size) }

package tarball

import "sync"

// The pool keeps a few large buffers rather than many: at most keepCount of them, keepBytes together. Installs open a
// handful of tarballs at a time, and sync.Pool would drop the buffers at every collection, which is when they are warm.
const (
	keepCount = 8
	keepBytes = 96 << 20
)

var buffers bufferPool

// bufferPool lends byte slices by capacity, the smallest that suffices first. The zero value is ready for use.
type bufferPool struct {
	mu    sync.Mutex
	free  [][]byte
	bytes int
}

// get returns an empty slice with room for at least size bytes.
func (p *bufferPool) get(size int) []byte {
	p.mu.Lock()
	best := -1
	for i, b := range p.free {
		if cap(b) >= size && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		p.mu.Unlock()
		return make([]byte, 0, roundUp(size))
	}
	b := p.free[best]
	p.removeAt(best)
	p.mu.Unlock()
	return b[:0]
}

// put takes a slice back. Where the pool is full, the smallest buffers go: a large one serves every wish.
func (p *bufferPool) put(b []byte) {
	if cap(b) == 0 || cap(b) > keepBytes {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b[:0])
	p.bytes += cap(b)
	for len(p.free) > keepCount || p.bytes > keepBytes {
		least := 0
		for i, b := range p.free {
			if cap(b) < cap(p.free[least]) {
				least = i
			}
		}
		p.removeAt(least)
	}
}

func (p *bufferPool) removeAt(i int) {
	last := len(p.free) - 1
	p.bytes -= cap(p.free[i])
	p.free[i] = p.free[last]
	p.free[last] = nil
	p.free = p.free[:last]
}

// roundUp keeps sizes coarse so that a buffer fits the next archive of about the same size.
func roundUp(size int) int {
	const step = 256 << 10
	return (size + step) / step * step
}

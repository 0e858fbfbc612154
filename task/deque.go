package task

import "weft/internal/sy"

// deque is a bounded ring. One owner pushes at the tail; owner and thieves take
// from the head, so that what waited longest runs first.
//
// Invariants: tail-head (mod 2^32) is the length and at most len(ring). Only the
// owner writes tail and the ring's cells in [tail, head+len). Head only moves
// forward, by compare-and-swap, and whoever moved it from h to h+n owns the tasks
// that were in h..h+n-1. A taker reads the cells before it swaps head: the owner
// cannot have reused them as long as head is still h, because a push that would
// reach cell h again sees the ring full. The store of tail comes after that of
// the cell, and a taker loads tail before the cell, so it never uses one that is
// not yet filled. That order is what makes plain words enough for the cells.
//
// Rejected: last-in-first-out at the owner's end (Chase and Lev) saves the
// owner's compare-and-swap but starves what was spawned first; the slot beside
// the ring gives the locality. Growing rings need garbage-safe replacement for a
// case that the injector serves as well.
//
// A cell that was taken keeps its pointer until the owner finds the ring empty and
// clears it: a stale pointer keeps a task alive, with its result and all its
// ancestors. Thieves cannot clear, since the owner may have used the cell again,
// and clearing at each pop would cost a store for what the next push does anyway.
type deque struct {
	head  sy.Uint32
	_     [60]byte
	tail  sy.Uint32
	_     [60]byte
	ring  []sy.Word[task]
	swept uint32 // the owner's: cells before it are clear
}

func (d *deque) init(size int) { d.ring = make([]sy.Word[task], size) }

func (d *deque) mask() uint32 { return uint32(len(d.ring) - 1) }

// len is exact for the owner when nobody steals, else a recent value.
func (d *deque) len() int { return int(d.tail.Load() - d.head.Load()) }

// push is the owner's. It reports false when the ring is full.
func (d *deque) push(t *task) bool {
	tail := d.tail.Load()
	if tail-d.head.Load() >= uint32(len(d.ring)) {
		return false
	}
	d.ring[tail&d.mask()].Store(t)
	d.tail.Store(tail + 1)
	return true
}

// pop is the owner's.
func (d *deque) pop() *task {
	for {
		h := d.head.Load()
		if h == d.tail.Load() {
			if h != d.swept {
				d.sweep(h)
			}
			return nil
		}
		t := d.ring[h&d.mask()].Load()
		if d.head.CompareAndSwap(h, h+1) {
			return t
		}
	}
}

// sweep is the owner's: it clears the cells of an empty ring whose head is h.
func (d *deque) sweep(h uint32) {
	if h-d.swept > uint32(len(d.ring)) {
		d.swept = h - uint32(len(d.ring))
	}
	for ; d.swept != h; d.swept++ {
		d.ring[d.swept&d.mask()].Store(nil)
	}
}

// stealInto moves half of what d holds, rounded up, to the empty deque of the
// calling owner and returns one more of them to run now.
func (d *deque) stealInto(own *deque) *task {
	for {
		h := d.head.Load()
		n := d.tail.Load() - h
		if n == 0 {
			return nil
		}
		if n > uint32(len(d.ring)) {
			continue // head moved between the loads
		}
		n -= n / 2
		tail := own.tail.Load()
		for i := range n {
			own.ring[(tail+i)&own.mask()].Store(d.ring[(h+i)&d.mask()].Load())
		}
		if d.head.CompareAndSwap(h, h+n) {
			last := &own.ring[(tail+n-1)&own.mask()]
			first := last.Load()
			last.Store(nil)
			own.tail.Store(tail + n - 1)
			return first
		}
	}
}

// spill takes the older half of a full ring, linked through next, for the
// injector. It returns nil when thieves made room meanwhile.
func (d *deque) spill() (first, last *task, n int) {
	h := d.head.Load()
	half := uint32(len(d.ring) / 2)
	if d.tail.Load()-h < uint32(len(d.ring)) {
		return nil, nil, 0
	}
	if !d.head.CompareAndSwap(h, h+half) {
		return nil, nil, 0
	}
	// The cells stay ours until tail passes them, which only we can do.
	for i := range half {
		t := d.ring[(h+i)&d.mask()].Load()
		t.next = nil
		if first == nil {
			first = t
		} else {
			last.next = t
		}
		last = t
	}
	return first, last, int(half)
}

//go:build !race && !weftsim

package sy

import "sync/atomic"

// Word is a pointer that many may read while one writes, without any order
// between the two: readers see some value that was written. It costs a plain
// load or store, where an atomic store costs a locked instruction on amd64. The
// Go memory model allows it for machine words; race and simulator builds use an
// atomic instead. Order it by an atomic of its own where a reader must not see
// what a fresh pointer points to half made.
type Word[T any] struct{ p *T }

// Load returns a value that was stored.
func (w *Word[T]) Load() *T { return w.p }

// Store sets the value.
func (w *Word[T]) Store(p *T) { w.p = p }

// Count is a counter of one writer, read by anybody as Word is.
type Count struct{ n uint64 }

// Load returns a recent value.
func (c *Count) Load() uint64 { return c.n }

// Inc adds one. Only the writer may call it.
func (c *Count) Inc() { c.n++ }

// Flag is a small number that anybody may change atomically. Put is for a moment
// at which the caller alone may change it: it is ordered like a plain store, that
// is, before the caller's next atomic operation. A plain store costs
// nothing where an atomic one is a locked instruction.
type Flag struct{ v uint32 }

// Load returns the value.
func (f *Flag) Load() uint32 { return atomic.LoadUint32(&f.v) }

// Store sets the value.
func (f *Flag) Store(v uint32) { atomic.StoreUint32(&f.v, v) }

// CompareAndSwap sets the value if it is old.
func (f *Flag) CompareAndSwap(old, new uint32) bool {
	return atomic.CompareAndSwapUint32(&f.v, old, new)
}

// Put sets the value.
func (f *Flag) Put(v uint32) { f.v = v }

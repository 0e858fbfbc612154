//go:build race || weftsim

package sy

// Word is a pointer that many may read while one writes; see word_plain.go.
type Word[T any] struct{ p Pointer[T] }

// Load returns a value that was stored.
func (w *Word[T]) Load() *T { return w.p.Load() }

// Store sets the value.
func (w *Word[T]) Store(p *T) { w.p.Store(p) }

// Count is a counter of one writer, read by anybody as Word is.
type Count struct{ n Uint64 }

// Load returns a recent value.
func (c *Count) Load() uint64 { return c.n.Load() }

// Inc adds one. Only the writer may call it.
func (c *Count) Inc() { c.n.Add(1) }

// Flag is a small number that anybody may change atomically; see word_plain.go.
type Flag struct{ v Uint32 }

// Load returns the value.
func (f *Flag) Load() uint32 { return f.v.Load() }

// Store sets the value.
func (f *Flag) Store(v uint32) { f.v.Store(v) }

// CompareAndSwap sets the value if it is old.
func (f *Flag) CompareAndSwap(old, new uint32) bool { return f.v.CompareAndSwap(old, new) }

// Put sets the value.
func (f *Flag) Put(v uint32) { f.v.Store(v) }

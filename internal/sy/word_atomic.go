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

//go:build weftsim

package sy

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Simulated reports whether this build lets a simulator take every operation.
const Simulated = true

// Hook, when set, is called before every operation of this package. A simulator
// sets it before the program under test starts and clears it after; it is not
// safe to change while other goroutines run.
var Hook func()

// Point marks a place where a simulator may switch to another thread.
func Point() {
	if Hook != nil {
		Hook()
	}
}

// Mutex is a lock whose waiters spin through Point, so that a simulator that
// runs one thread at a time can always go on.
type Mutex struct{ mu sync.Mutex }

// Lock takes the lock.
func (m *Mutex) Lock() {
	Point()
	for !m.mu.TryLock() {
		if Hook == nil {
			runtime.Gosched()
		}
		Point()
	}
}

// TryLock takes the lock if it is free.
func (m *Mutex) TryLock() bool {
	Point()
	return m.mu.TryLock()
}

// Unlock gives the lock up.
func (m *Mutex) Unlock() {
	m.mu.Unlock()
	Point()
}

// Bool is atomic.Bool with a Point before each operation.
type Bool struct{ v atomic.Bool }

// Load returns the value.
func (b *Bool) Load() bool { Point(); return b.v.Load() }

// Store sets the value.
func (b *Bool) Store(v bool) { Point(); b.v.Store(v) }

// Swap sets the value and returns the one before.
func (b *Bool) Swap(v bool) bool { Point(); return b.v.Swap(v) }

// CompareAndSwap sets the value if it is old.
func (b *Bool) CompareAndSwap(old, new bool) bool { Point(); return b.v.CompareAndSwap(old, new) }

// Pointer is atomic.Pointer with a Point before each operation.
type Pointer[T any] struct{ v atomic.Pointer[T] }

// Load returns the pointer.
func (p *Pointer[T]) Load() *T { Point(); return p.v.Load() }

// Store sets the pointer.
func (p *Pointer[T]) Store(v *T) { Point(); p.v.Store(v) }

// Swap sets the pointer and returns the one before.
func (p *Pointer[T]) Swap(v *T) *T { Point(); return p.v.Swap(v) }

// CompareAndSwap sets the pointer if it is old.
func (p *Pointer[T]) CompareAndSwap(old, new *T) bool { Point(); return p.v.CompareAndSwap(old, new) }

// Int32 is atomic.Int32 with a Point before each operation.
type Int32 struct{ v atomic.Int32 }

// Load returns the value.
func (i *Int32) Load() int32 { Point(); return i.v.Load() }

// Store sets the value.
func (i *Int32) Store(v int32) { Point(); i.v.Store(v) }

// Add adds delta and returns the sum.
func (i *Int32) Add(delta int32) int32 { Point(); return i.v.Add(delta) }

// Swap sets the value and returns the one before.
func (i *Int32) Swap(v int32) int32 { Point(); return i.v.Swap(v) }

// And keeps only the bits of mask and returns the value before.
func (i *Int32) And(mask int32) int32 { Point(); return i.v.And(mask) }

// Or sets the bits of mask and returns the value before.
func (i *Int32) Or(mask int32) int32 { Point(); return i.v.Or(mask) }

// CompareAndSwap sets the value if it is old.
func (i *Int32) CompareAndSwap(old, new int32) bool { Point(); return i.v.CompareAndSwap(old, new) }

// Int64 is atomic.Int64 with a Point before each operation.
type Int64 struct{ v atomic.Int64 }

// Load returns the value.
func (i *Int64) Load() int64 { Point(); return i.v.Load() }

// Store sets the value.
func (i *Int64) Store(v int64) { Point(); i.v.Store(v) }

// Add adds delta and returns the sum.
func (i *Int64) Add(delta int64) int64 { Point(); return i.v.Add(delta) }

// Swap sets the value and returns the one before.
func (i *Int64) Swap(v int64) int64 { Point(); return i.v.Swap(v) }

// And keeps only the bits of mask and returns the value before.
func (i *Int64) And(mask int64) int64 { Point(); return i.v.And(mask) }

// Or sets the bits of mask and returns the value before.
func (i *Int64) Or(mask int64) int64 { Point(); return i.v.Or(mask) }

// CompareAndSwap sets the value if it is old.
func (i *Int64) CompareAndSwap(old, new int64) bool { Point(); return i.v.CompareAndSwap(old, new) }

// Uint32 is atomic.Uint32 with a Point before each operation.
type Uint32 struct{ v atomic.Uint32 }

// Load returns the value.
func (u *Uint32) Load() uint32 { Point(); return u.v.Load() }

// Store sets the value.
func (u *Uint32) Store(v uint32) { Point(); u.v.Store(v) }

// Add adds delta and returns the sum.
func (u *Uint32) Add(delta uint32) uint32 { Point(); return u.v.Add(delta) }

// Swap sets the value and returns the one before.
func (u *Uint32) Swap(v uint32) uint32 { Point(); return u.v.Swap(v) }

// And keeps only the bits of mask and returns the value before.
func (u *Uint32) And(mask uint32) uint32 { Point(); return u.v.And(mask) }

// Or sets the bits of mask and returns the value before.
func (u *Uint32) Or(mask uint32) uint32 { Point(); return u.v.Or(mask) }

// CompareAndSwap sets the value if it is old.
func (u *Uint32) CompareAndSwap(old, new uint32) bool { Point(); return u.v.CompareAndSwap(old, new) }

// Uint64 is atomic.Uint64 with a Point before each operation.
type Uint64 struct{ v atomic.Uint64 }

// Load returns the value.
func (u *Uint64) Load() uint64 { Point(); return u.v.Load() }

// Store sets the value.
func (u *Uint64) Store(v uint64) { Point(); u.v.Store(v) }

// Add adds delta and returns the sum.
func (u *Uint64) Add(delta uint64) uint64 { Point(); return u.v.Add(delta) }

// Swap sets the value and returns the one before.
func (u *Uint64) Swap(v uint64) uint64 { Point(); return u.v.Swap(v) }

// And keeps only the bits of mask and returns the value before.
func (u *Uint64) And(mask uint64) uint64 { Point(); return u.v.And(mask) }

// Or sets the bits of mask and returns the value before.
func (u *Uint64) Or(mask uint64) uint64 { Point(); return u.v.Or(mask) }

// CompareAndSwap sets the value if it is old.
func (u *Uint64) CompareAndSwap(old, new uint64) bool { Point(); return u.v.CompareAndSwap(old, new) }

// Uintptr is atomic.Uintptr with a Point before each operation.
type Uintptr struct{ v atomic.Uintptr }

// Load returns the value.
func (u *Uintptr) Load() uintptr { Point(); return u.v.Load() }

// Store sets the value.
func (u *Uintptr) Store(v uintptr) { Point(); u.v.Store(v) }

// Add adds delta and returns the sum.
func (u *Uintptr) Add(delta uintptr) uintptr { Point(); return u.v.Add(delta) }

// Swap sets the value and returns the one before.
func (u *Uintptr) Swap(v uintptr) uintptr { Point(); return u.v.Swap(v) }

// And keeps only the bits of mask and returns the value before.
func (u *Uintptr) And(mask uintptr) uintptr { Point(); return u.v.And(mask) }

// Or sets the bits of mask and returns the value before.
func (u *Uintptr) Or(mask uintptr) uintptr { Point(); return u.v.Or(mask) }

// CompareAndSwap sets the value if it is old.
func (u *Uintptr) CompareAndSwap(old, new uintptr) bool { Point(); return u.v.CompareAndSwap(old, new) }

// LoadUint32 is atomic.LoadUint32 with a Point before it.
func LoadUint32(p *uint32) uint32 { Point(); return atomic.LoadUint32(p) }

// StoreUint32 is atomic.StoreUint32 with a Point before it.
func StoreUint32(p *uint32, v uint32) { Point(); atomic.StoreUint32(p, v) }

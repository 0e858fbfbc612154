//go:build weftsim

package sy

import (
	"sync/atomic"
	"unsafe"
)

// Bool is atomic.Bool with a step before each operation.
type Bool struct{ v atomic.Bool }

// Load returns the value.
func (b *Bool) Load() bool {
	if step(unsafe.Pointer(b), Read) == LeftOut {
		return false
	}
	return b.v.Load()
}

// Store sets the value.
func (b *Bool) Store(v bool) {
	if step(unsafe.Pointer(b), Write) != LeftOut {
		b.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (b *Bool) Swap(v bool) bool {
	if step(unsafe.Pointer(b), Write) == LeftOut {
		return b.v.Load()
	}
	return b.v.Swap(v)
}

// CompareAndSwap sets the value if it is old.
func (b *Bool) CompareAndSwap(old, new bool) bool {
	if swapped, done := compare(unsafe.Pointer(b), &b.v, new); done {
		return swapped
	}
	return b.v.CompareAndSwap(old, new)
}

// Pointer is atomic.Pointer with a step before each operation.
type Pointer[T any] struct{ v atomic.Pointer[T] }

// Load returns the pointer.
func (p *Pointer[T]) Load() *T {
	if step(unsafe.Pointer(p), Read) == LeftOut {
		return nil
	}
	return p.v.Load()
}

// Store sets the pointer.
func (p *Pointer[T]) Store(v *T) {
	if step(unsafe.Pointer(p), Write) != LeftOut {
		p.v.Store(v)
	}
}

// Swap sets the pointer and returns the one before.
func (p *Pointer[T]) Swap(v *T) *T {
	if step(unsafe.Pointer(p), Write) == LeftOut {
		return p.v.Load()
	}
	return p.v.Swap(v)
}

// CompareAndSwap sets the pointer if it is old.
func (p *Pointer[T]) CompareAndSwap(old, new *T) bool {
	if swapped, done := compare(unsafe.Pointer(p), &p.v, new); done {
		return swapped
	}
	return p.v.CompareAndSwap(old, new)
}

// Int32 is atomic.Int32 with a step before each operation.
type Int32 struct{ v atomic.Int32 }

// Load returns the value.
func (i *Int32) Load() int32 {
	if step(unsafe.Pointer(i), Read) == LeftOut {
		return 0
	}
	return i.v.Load()
}

// Store sets the value.
func (i *Int32) Store(v int32) {
	if step(unsafe.Pointer(i), Write) != LeftOut {
		i.v.Store(v)
	}
}

// Add adds delta and returns the sum.
func (i *Int32) Add(delta int32) int32 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Add(delta)
}

// Swap sets the value and returns the one before.
func (i *Int32) Swap(v int32) int32 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Swap(v)
}

// And keeps only the bits of mask and returns the value before.
func (i *Int32) And(mask int32) int32 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.And(mask)
}

// Or sets the bits of mask and returns the value before.
func (i *Int32) Or(mask int32) int32 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Or(mask)
}

// CompareAndSwap sets the value if it is old.
func (i *Int32) CompareAndSwap(old, new int32) bool {
	if swapped, done := compare(unsafe.Pointer(i), &i.v, new); done {
		return swapped
	}
	return i.v.CompareAndSwap(old, new)
}

// Int64 is atomic.Int64 with a step before each operation.
type Int64 struct{ v atomic.Int64 }

// Load returns the value.
func (i *Int64) Load() int64 {
	if step(unsafe.Pointer(i), Read) == LeftOut {
		return 0
	}
	return i.v.Load()
}

// Store sets the value.
func (i *Int64) Store(v int64) {
	if step(unsafe.Pointer(i), Write) != LeftOut {
		i.v.Store(v)
	}
}

// Add adds delta and returns the sum.
func (i *Int64) Add(delta int64) int64 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Add(delta)
}

// Swap sets the value and returns the one before.
func (i *Int64) Swap(v int64) int64 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Swap(v)
}

// And keeps only the bits of mask and returns the value before.
func (i *Int64) And(mask int64) int64 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.And(mask)
}

// Or sets the bits of mask and returns the value before.
func (i *Int64) Or(mask int64) int64 {
	if step(unsafe.Pointer(i), Write) == LeftOut {
		return i.v.Load()
	}
	return i.v.Or(mask)
}

// CompareAndSwap sets the value if it is old.
func (i *Int64) CompareAndSwap(old, new int64) bool {
	if swapped, done := compare(unsafe.Pointer(i), &i.v, new); done {
		return swapped
	}
	return i.v.CompareAndSwap(old, new)
}

// Uint32 is atomic.Uint32 with a step before each operation.
type Uint32 struct{ v atomic.Uint32 }

// Load returns the value.
func (u *Uint32) Load() uint32 {
	if step(unsafe.Pointer(u), Read) == LeftOut {
		return 0
	}
	return u.v.Load()
}

// Store sets the value.
func (u *Uint32) Store(v uint32) {
	if step(unsafe.Pointer(u), Write) != LeftOut {
		u.v.Store(v)
	}
}

// Add adds delta and returns the sum.
func (u *Uint32) Add(delta uint32) uint32 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Add(delta)
}

// Swap sets the value and returns the one before.
func (u *Uint32) Swap(v uint32) uint32 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Swap(v)
}

// And keeps only the bits of mask and returns the value before.
func (u *Uint32) And(mask uint32) uint32 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.And(mask)
}

// Or sets the bits of mask and returns the value before.
func (u *Uint32) Or(mask uint32) uint32 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Or(mask)
}

// CompareAndSwap sets the value if it is old.
func (u *Uint32) CompareAndSwap(old, new uint32) bool {
	if swapped, done := compare(unsafe.Pointer(u), &u.v, new); done {
		return swapped
	}
	return u.v.CompareAndSwap(old, new)
}

// Uint64 is atomic.Uint64 with a step before each operation.
type Uint64 struct{ v atomic.Uint64 }

// Load returns the value.
func (u *Uint64) Load() uint64 {
	if step(unsafe.Pointer(u), Read) == LeftOut {
		return 0
	}
	return u.v.Load()
}

// Store sets the value.
func (u *Uint64) Store(v uint64) {
	if step(unsafe.Pointer(u), Write) != LeftOut {
		u.v.Store(v)
	}
}

// Add adds delta and returns the sum.
func (u *Uint64) Add(delta uint64) uint64 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Add(delta)
}

// Swap sets the value and returns the one before.
func (u *Uint64) Swap(v uint64) uint64 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Swap(v)
}

// And keeps only the bits of mask and returns the value before.
func (u *Uint64) And(mask uint64) uint64 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.And(mask)
}

// Or sets the bits of mask and returns the value before.
func (u *Uint64) Or(mask uint64) uint64 {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Or(mask)
}

// CompareAndSwap sets the value if it is old.
func (u *Uint64) CompareAndSwap(old, new uint64) bool {
	if swapped, done := compare(unsafe.Pointer(u), &u.v, new); done {
		return swapped
	}
	return u.v.CompareAndSwap(old, new)
}

// Uintptr is atomic.Uintptr with a step before each operation.
type Uintptr struct{ v atomic.Uintptr }

// Load returns the value.
func (u *Uintptr) Load() uintptr {
	if step(unsafe.Pointer(u), Read) == LeftOut {
		return 0
	}
	return u.v.Load()
}

// Store sets the value.
func (u *Uintptr) Store(v uintptr) {
	if step(unsafe.Pointer(u), Write) != LeftOut {
		u.v.Store(v)
	}
}

// Add adds delta and returns the sum.
func (u *Uintptr) Add(delta uintptr) uintptr {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Add(delta)
}

// Swap sets the value and returns the one before.
func (u *Uintptr) Swap(v uintptr) uintptr {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Swap(v)
}

// And keeps only the bits of mask and returns the value before.
func (u *Uintptr) And(mask uintptr) uintptr {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.And(mask)
}

// Or sets the bits of mask and returns the value before.
func (u *Uintptr) Or(mask uintptr) uintptr {
	if step(unsafe.Pointer(u), Write) == LeftOut {
		return u.v.Load()
	}
	return u.v.Or(mask)
}

// CompareAndSwap sets the value if it is old.
func (u *Uintptr) CompareAndSwap(old, new uintptr) bool {
	if swapped, done := compare(unsafe.Pointer(u), &u.v, new); done {
		return swapped
	}
	return u.v.CompareAndSwap(old, new)
}

// LoadUint32 is atomic.LoadUint32 with a step before it.
func LoadUint32(p *uint32) uint32 {
	if step(unsafe.Pointer(p), Read) == LeftOut {
		return 0
	}
	return atomic.LoadUint32(p)
}

// StoreUint32 is atomic.StoreUint32 with a step before it.
func StoreUint32(p *uint32, v uint32) {
	if step(unsafe.Pointer(p), Write) != LeftOut {
		atomic.StoreUint32(p, v)
	}
}

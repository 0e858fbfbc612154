//go:build !weftsim

package sy

import (
	"sync"
	"sync/atomic"
)

// Simulated reports whether this build lets a simulator take every operation.
const Simulated = false

type (
	// Mutex is sync.Mutex.
	Mutex = sync.Mutex
	// Bool is atomic.Bool.
	Bool = atomic.Bool
	// Int32 is atomic.Int32.
	Int32 = atomic.Int32
	// Int64 is atomic.Int64.
	Int64 = atomic.Int64
	// Uint32 is atomic.Uint32.
	Uint32 = atomic.Uint32
	// Uint64 is atomic.Uint64.
	Uint64 = atomic.Uint64
	// Uintptr is atomic.Uintptr.
	Uintptr = atomic.Uintptr
	// Pointer is atomic.Pointer.
	Pointer[T any] = atomic.Pointer[T]
)

// Point marks a place where a simulator may switch; here it does nothing.
func Point() {}

// Hold keeps a simulator from switching until Release; here it does nothing.
func Hold() {}

// Release ends Hold.
func Release() {}

// LoadUint32 is atomic.LoadUint32, for words whose first store is a plain one.
func LoadUint32(p *uint32) uint32 { return atomic.LoadUint32(p) }

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(p *uint32, v uint32) { atomic.StoreUint32(p, v) }

//go:build weftsim

package sy

import (
	"sync"
	"unsafe"
)

// Simulated reports whether this build lets a simulator take every operation.
const Simulated = true

// Kind is what an operation does to its object. Operations on one object commute
// if both are Reads.
type Kind uint8

// Kinds of operation.
const (
	Mark    Kind = iota // touches nothing: a Point, the start of a thread
	Read                // Load
	Write               // Store, Add, Swap, And, Or
	Compare             // CompareAndSwap
	Lock                // of a Mutex
	TryLock             // of a Mutex
	Unlock              // of a Mutex
	Park                // of an Env's Parker
	Unpark              // of an Env's Parker
)

var kindNames = [...]string{"mark", "read", "write", "compare-and-swap", "lock", "try-lock", "unlock", "park", "unpark"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Gate says whether an operation can go on. It is asked while no thread runs and
// must not use this package.
type Gate interface{ Open() bool }

// Op is an operation that is about to happen.
type Op struct {
	At   unsafe.Pointer // the object, nil for Mark
	Kind Kind
	Gate Gate // nil, or what the thread waits for
}

// Effect is what the simulator lets an operation do. All but Whole are faults,
// planted to see whether a test notices them.
type Effect uint8

// Effects of an operation.
const (
	Whole   Effect = iota // as it should be
	LeftOut               // nothing: a read returns zero, others what they would have
	Blind                 // a CompareAndSwap that does not compare, a Lock that excludes nobody
)

// Hook, when set, is called before every operation of this package and returns
// when the operation may happen: its Gate, if any, is open then. A simulator runs
// one thread at a time. It sets Hook before the program under test starts and
// clears it after; it is not safe to change while other goroutines run.
var Hook func(Op) Effect

// held counts Hold without Release. Only simulated threads touch it.
var held int

// Hold keeps a simulator from switching until Release, so that what lies between
// is one step. It is for code that is out of question, and must not wait.
func Hold() {
	if Hook != nil {
		held++
	}
}

// Release ends Hold.
func Release() {
	if Hook != nil {
		held--
	}
}

// Point marks a place where a simulator may switch to another thread.
func Point() { step(nil, Mark) }

func step(at unsafe.Pointer, kind Kind) Effect {
	if Hook == nil || held > 0 {
		return Whole
	}
	return Hook(Op{At: at, Kind: kind})
}

// compare is the step of a CompareAndSwap. done says that a fault took its place.
func compare[T any](at unsafe.Pointer, v interface{ Store(T) }, new T) (swapped, done bool) {
	switch step(at, Compare) {
	case LeftOut:
		return true, true
	case Blind:
		v.Store(new)
		return true, true
	}
	return false, false
}

// Mutex is a lock. A simulated thread that must wait for it does so in Hook.
type Mutex struct {
	mu    sync.Mutex
	taken bool // in place of mu, under a simulator
}

// Open reports that a simulated thread could take the lock.
func (m *Mutex) Open() bool { return !m.taken }

// Lock takes the lock.
func (m *Mutex) Lock() {
	if Hook == nil {
		m.mu.Lock()
		return
	}
	if held == 0 && Hook(Op{At: unsafe.Pointer(m), Kind: Lock, Gate: m}) != Whole {
		return
	}
	m.taken = true
}

// TryLock takes the lock if it is free.
func (m *Mutex) TryLock() bool {
	if Hook == nil {
		return m.mu.TryLock()
	}
	step(unsafe.Pointer(m), TryLock)
	was := m.taken
	m.taken = true
	return !was
}

// Unlock gives the lock up.
func (m *Mutex) Unlock() {
	if Hook == nil {
		m.mu.Unlock()
		return
	}
	step(unsafe.Pointer(m), Unlock)
	m.taken = false
}

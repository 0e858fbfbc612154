package sy

import (
	"math/rand/v2"
	"time"

	"weft/internal/gid"
)

// Env is all that the runtime asks of the outside world. Real is the one of
// production; a simulator supplies another in which it decides every answer.
type Env interface {
	// Go starts f on a thread of its own (a goroutine). name is for people.
	Go(name string, f func())
	// NewParker makes a parking place for one thread.
	NewParker() Parker
	// Now is a monotonic clock in nanoseconds.
	Now() int64
	// Rand is a number in [0, n), n > 0.
	Rand(n uint32) uint32
	// Timer calls f once after d. stop reports whether it came in time.
	Timer(d time.Duration, f func()) (stop func() bool)
}

// Parker holds one token. Unpark leaves it, Park waits for it and takes it.
// One thread parks, any thread may unpark; more than one Unpark before a Park
// leaves one token only.
type Parker interface {
	Park()
	Unpark()
}

// Real is the environment of production builds.
type Real struct{}

// epoch anchors Now; only differences of Now mean anything.
var epoch = time.Now()

// Go starts a goroutine. It does not inherit the caller's profiler labels, as it
// will work for others.
func (Real) Go(_ string, f func()) {
	go func() {
		gid.SetLabels(nil)
		f()
	}()
}

// NewParker returns a parking place made of a channel.
func (Real) NewParker() Parker { return make(chanParker, 1) }

// Now reads the monotonic clock, in about the time of one vDSO call.
func (Real) Now() int64 { return int64(time.Since(epoch)) }

// Rand draws from Go's own seeded generator.
func (Real) Rand(n uint32) uint32 { return rand.Uint32N(n) }

// Timer is time.AfterFunc.
func (Real) Timer(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }

type chanParker chan struct{}

func (p chanParker) Park() { <-p }

func (p chanParker) Unpark() {
	select {
	case p <- struct{}{}:
	default:
	}
}

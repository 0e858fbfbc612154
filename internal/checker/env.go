//go:build weftsim

package checker

import (
	"fmt"
	"time"
	"unsafe"

	"weft/internal/sy"
)

// Env is the outside world of a model: sy.Env, with threads and parking places of
// the explorer. One belongs to one run; make it in the model's maker.
type Env struct {
	// Clock is what Now returns; threads of the model may advance it.
	Clock sy.Int64
	// Random makes Rand try every number; else it is always 0.
	Random bool

	x     *Explorer
	count map[string]int
}

// Env returns a new environment for the present run.
func (x *Explorer) Env() *Env { return &Env{x: x, count: map[string]int{}} }

// Go starts a thread. Its name gets a number.
func (e *Env) Go(name string, f func()) {
	if e.x.ending {
		return
	}
	e.count[name]++
	e.x.start(fmt.Sprintf("%s %d", name, e.count[name]), f, e.x.current)
}

// Now is Clock.
func (e *Env) Now() int64 { return e.Clock.Load() }

// Rand is 0, or with Random every number in turn.
func (e *Env) Rand(n uint32) uint32 {
	if e.Random {
		return uint32(e.x.Choose(int(n)))
	}
	return 0
}

// NewParker makes a parking place that holds one token.
func (e *Env) NewParker() sy.Parker { return &parker{x: e.x} }

type parker struct {
	x     *Explorer
	token bool
}

// Open reports that the token is there.
func (p *parker) Open() bool { return p.token }

func (p *parker) Park() {
	if p.x.act(sy.Op{At: unsafe.Pointer(p), Kind: sy.Park, Gate: p}) == sy.Whole {
		p.token = false
	}
}

func (p *parker) Unpark() {
	if p.x.act(sy.Op{At: unsafe.Pointer(p), Kind: sy.Unpark}) == sy.Whole {
		p.token = true
	}
}

// act is a step if a thread of the model calls, and nothing for its maker and its
// check.
func (x *Explorer) act(op sy.Op) sy.Effect {
	if sy.Hook == nil {
		return sy.Whole
	}
	return x.step(op)
}

// Timer starts a thread that calls f at any time at all, unless stop comes first.
// The clock then shows that d has passed.
func (e *Env) Timer(d time.Duration, f func()) (stop func() bool) {
	if e.x.ending {
		return func() bool { return false }
	}
	var state sy.Uint32 // 1: fired, 2: stopped
	sy.Hold()
	due := e.Clock.Load() + int64(d)
	sy.Release()
	e.Go("timer", func() {
		if !state.CompareAndSwap(0, 1) {
			return
		}
		if e.Clock.Load() < due {
			e.Clock.Store(due)
		}
		f()
	})
	t := e.x.threads[len(e.x.threads)-1]
	return func() bool {
		if !state.CompareAndSwap(0, 2) {
			return false
		}
		t.dropped = true
		return true
	}
}

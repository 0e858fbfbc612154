package task

import (
	"weft/internal/gid"
	"weft/internal/sy"
)

// Pools of resting stacks. Each lane has a small one, its holder's own, and what it
// cannot hold goes to the stock, which all share. Together they never hold more
// than Config.StackPool: the local limit leaves room for all lanes. What nobody
// needed for a while is let go (janitor.go).
const (
	localPool = 32        // stacks a lane keeps, at most
	stackKeep = 256 << 10 // bytes; a stack that grew larger is not kept
)

// stock is the shared part. A stack gets here only once it is off its thread.
type stock struct {
	n     sy.Int32 // len(all)
	mu    sy.Mutex
	all   []*stack
	limit int
	low   int // the fewest there were since the janitor came by
}

// put keeps s. It reports false if the stock is full.
func (k *stock) put(s *stack) bool {
	k.mu.Lock()
	ok := len(k.all) < k.limit
	if ok {
		k.all = append(k.all, s)
		k.n.Store(int32(len(k.all)))
	}
	k.mu.Unlock()
	return ok
}

// take returns a stack, or nil, and moves some more into the pool of l, whose
// holder calls.
func (k *stock) take(l *lane) *stack {
	if k.n.Load() == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	n := min(len(k.all), 1+l.rt.poolCap/2)
	if n == 0 {
		return nil
	}
	got := k.cut(n)
	l.pool = append(l.pool, got[1:]...)
	return got[0]
}

// cut removes the n that came last. The lock is held.
func (k *stock) cut(n int) []*stack {
	rest := len(k.all) - n
	got := append([]*stack(nil), k.all[rest:]...)
	clear(k.all[rest:])
	k.all = k.all[:rest]
	k.low = min(k.low, rest)
	k.n.Store(int32(rest))
	return got
}

// surplus removes what nobody needed since the last call.
func (k *stock) surplus() []*stack {
	k.mu.Lock()
	defer k.mu.Unlock()
	got := k.cut(k.low)
	k.low = len(k.all)
	return got
}

// huge reports whether s, on which the caller runs, has grown too large to keep.
func (s *stack) huge() bool { return gid.StackSize() > int(s.keepable) }

// putAway is what is to be done with s, which has no task, once it is left.
func (s *stack) putAway() landing {
	if s.huge() {
		return landRetired
	}
	return landStocked
}

package task

import "weft/internal/sy"

// extra is what few tasks need, made at first use: a name, and the branch of
// the cancellation tree (cancel.go).
type extra struct {
	name  string
	shard uint32 // which lock guards branch
	branch
	stopBase sy.Pointer[func() bool] // ends the registration with task.base
	ended    chan struct{}           // Handle.Done's channel, made under the shard's lock
}

// more returns the task's extra, making it at first use. Any goroutine may call it.
func (t *task) more() *extra {
	if x := t.extra.Load(); x != nil {
		return x
	}
	x := &extra{shard: t.rt.shardSeq.Add(1) % cancelShards}
	x.task = t
	if t.extra.CompareAndSwap(nil, x) {
		return x
	}
	return t.extra.Load()
}

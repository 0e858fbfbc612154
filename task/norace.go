//go:build !race || weftsim

package task

// What race builds do about the race detector (guest.go, edges.go), and others
// need not. All of it costs nothing.

// guests reports whether a task's function runs on a goroutine of its own.
const guests = false

func (s *stack) exec(t *task) { t.body.exec() }

func (s *stack) dismiss() {}

func apart(f func())        { f() }
func aside(func()) bool     { return false }
func asideTask(func()) bool { return false }
func skipCheckpoint() bool  { return false }
func settle()               {}

func (t *task) spawned()      {}
func (t *task) joined()       {}
func (t *task) hooked()       {}
func (t *task) cancels()      {}
func (t *task) wasCanceled()  {}
func (s *Scope) joined()      {}
func (p *poller) wakes()      {}
func (p *poller) noted() bool { return false }
func (w *Waiter) woken()      {}
func (w *Waiter) taken()      {}
func hide()                   {}
func reveal()                 {}
func peek[T any](p *T) T      { return *p }

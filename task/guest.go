//go:build race && !weftsim

package task

import (
	"runtime"

	"weft/internal/gid"
	"weft/internal/sy"
)

// Race builds. The detector knows which goroutine did what, and takes everything
// that one goroutine did for ordered. Stacks are shared by tasks and are ordered by
// the scheduler's own locks and atomics, so a race between two tasks would be
// hidden as soon as one ran after the other on the same worker.
//
// Therefore a task's function runs on a goroutine of its own here, the guest, and
// the stack is its host: it waits, under its permit, until the guest is done. The
// guest never runs the scheduler. When it calls the runtime it hands the host a
// function to run there (aside), and when that has to end by Goexit or panic the
// guest is told to do the same. A goroutine that belongs to no runtime gets a host
// for the time of one call; in BlockOn it is the guest itself.
//
// The hand-over is one-way to the detector: a host is ordered after all that its
// guest did, so it may read what the guest wrote, but nothing of the host reaches
// the guest except by the edges of edges.go. Hosts thus know of everything, and
// whatever they release (a channel that they close, the lock of a foreign context)
// orders too much rather than too little: a race may be missed then, but none is
// invented. What a host wrote for a guest is read in functions marked go:norace.
const guests = true

// hosts is where each host is ordered after what others did for their guests
// before, as a task's fields are set by one and read by another.
var hosts byte

type guest struct {
	calls   chan call
	replies chan reply
	budget  int
	settled byte // see settle
}

// call is what a guest asks of its host: to run f, or nothing any more.
type call struct {
	f      func()
	goexit bool // it ended by Goexit
}

// reply tells a guest how its call ended, or to run a task first.
type reply struct {
	run      *task
	on       *stack
	goexit   bool
	panicked bool
	value    any
}

func newGuest() *guest {
	return &guest{calls: make(chan call, 1), replies: make(chan reply, 1)}
}

//go:norace
func (g *guest) tell(c call) {
	release(g)
	runtime.RaceDisable()
	g.calls <- c
	runtime.RaceEnable()
}

//go:norace
func (g *guest) hear() reply {
	runtime.RaceDisable()
	r := <-g.replies
	runtime.RaceEnable()
	return r
}

//go:norace
func (g *guest) next() call {
	runtime.RaceDisable()
	c := <-g.calls
	runtime.RaceEnable()
	acquire(g)
	acquire(&hosts)
	return c
}

//go:norace
func (g *guest) reply(r reply) {
	release(&hosts)
	runtime.RaceDisable()
	g.replies <- r
	runtime.RaceEnable()
}

// await is the guest's wait for the end of a call.
//
//go:norace
func (g *guest) await() {
	over := new(bool)
	defer g.drain(over)
	for {
		r := g.hear()
		if r.run != nil {
			r.on.visit(g, r.run)
			continue
		}
		*over = true
		if r.goexit {
			runtime.Goexit()
		}
		if r.panicked {
			panic(r.value)
		}
		return
	}
}

// drain lets the host come to its end when a task run for it called Goexit.
//
//go:norace
func (g *guest) drain(over *bool) {
	for !*over {
		*over = g.hear().run == nil
	}
}

// visit runs a task's function on the calling goroutine, the guest of s.
//
//go:norace
func (s *stack) visit(g *guest, t *task) {
	enroll(&resident{guest: g})
	c := &call{goexit: true}
	t.begins()
	defer s.visited(g, t, c) // which keeps s in the trace, see traces.go
	if t.shown() {
		t.appear()
	}
	t.body.exec()
	c.goexit = false
}

//go:norace
func (s *stack) visited(g *guest, t *task, c *call) {
	if t.shown() {
		t.vanish()
	}
	t.ends()
	g.quit()
	g.tell(*c)
}

// live is the goroutine of a task that has one of its own.
//
//go:norace
func (g *guest) live(s *stack, t *task) {
	if !s.pinned {
		s.visit(g, t)
		return
	}
	runtime.LockOSThread() // and with the goroutine ends the thread
	for t != nil {
		s.visit(g, t)
		t = g.hear().run
	}
}

// dismiss ends the guest of a pinned task, which stays from poll to poll.
func (s *stack) dismiss() {
	if g := clientHere(); g != nil {
		g.quit()
		g.reply(reply{})
	}
}

// exec has the function of t run by a guest: the one that s serves already, if it
// is a borrowed caller's, else a new one.
func (s *stack) exec(t *task) {
	if s.rt.cfg.Hooks.TaskStart != nil {
		t.hooked()
	}
	g := clientHere()
	if g != nil {
		g.reply(reply{run: t, on: s})
	} else {
		g = newGuest()
		enroll(&resident{guest: g, hosts: true})
		if !s.pinned {
			defer g.quit()
		}
		g.start(s, t)
	}
	if g.serve() {
		runtime.Goexit()
	}
}

//go:norace
func (g *guest) start(s *stack, t *task) {
	release(&hosts)
	runtime.RaceDisable()
	go g.live(s, t)
	runtime.RaceEnable()
}

// serve runs what the guest asks for until its function has ended.
func (g *guest) serve() (goexit bool) {
	for {
		c := g.next()
		if c.f == nil {
			return c.goexit
		}
		g.answer(c.f)
	}
}

// answer runs f. If that is unwound by Goexit, so is the guest first.
func (g *guest) answer(f func()) {
	r := reply{goexit: true}
	defer func() {
		if v := recover(); v != nil {
			r = reply{panicked: true, value: v}
		}
		g.reply(r)
		if r.goexit {
			g.serve()
		}
	}()
	f()
	r = reply{}
}

// lodge is the goroutine that is the host of a foreign caller for one call.
func (g *guest) lodge(f func()) {
	acquire(&hosts)
	enroll(&resident{guest: g, hosts: true})
	r := reply{goexit: true}
	defer func() {
		if v := recover(); v != nil {
			r = reply{panicked: true, value: v}
		}
		g.quit()
		g.reply(r)
	}()
	f()
	r = reply{}
}

// aside runs f on the caller's host and reports true, or reports that the caller
// is a host itself, or otherwise part of the runtime, and may run it.
func aside(f func()) bool {
	g, host := residentHere()
	switch {
	case g == nil && stackHere() != nil, host:
		return false
	case g == nil:
		g = newGuest()
		go g.lodge(f)
	default:
		g.tell(call{f: f})
	}
	g.await()
	return true
}

// apart runs f, on the caller's host if it has one.
func apart(f func()) {
	if !aside(f) {
		f()
	}
}

// asideTask is aside for what concerns tasks alone.
func asideTask(f func()) bool {
	g, hosts := residentHere()
	if g == nil || hosts {
		return false
	}
	g.tell(call{f: f})
	g.await()
	return true
}

// settle orders a guest that runs code of the runtime itself after its host. No
// function of this package needs it as long as all use aside.
func settle() {
	if g, hosts := residentHere(); g != nil && !hosts {
		g.tell(call{f: func() { release(&g.settled) }})
		g.await()
		acquire(&g.settled)
	}
}

// skipCheckpoint reports whether a guest's checkpoint need not reach the host.
//
//go:norace
func skipCheckpoint() bool {
	g, hosts := residentHere()
	if g == nil || hosts {
		return false
	}
	g.budget++
	return g.budget%guestCheckpoints != 0
}

// guestCheckpoints is how many checkpoints of a guest make one of its host.
const guestCheckpoints = 16

// resident is an entry of the roster, which knows who is a guest or a host.
type resident struct {
	id    uintptr
	guest *guest
	hosts bool
	next  *resident
}

// roster is a hash table of goroutines. The detector sees nothing of it.
var roster [256]struct {
	mu    sy.Mutex
	first *resident
}

// enroll enters the calling goroutine, in front of an entry that it has already.
//
//go:norace
func enroll(r *resident) {
	runtime.RaceDisable()
	r.id = gid.Get()
	b := &roster[hash(r.id)%uintptr(len(roster))]
	b.mu.Lock()
	r.next = b.first
	b.first = r
	b.mu.Unlock()
	runtime.RaceEnable()
}

// quit takes the calling goroutine's entry for g out.
//
//go:norace
func (g *guest) quit() {
	runtime.RaceDisable()
	id := gid.Get()
	b := &roster[hash(id)%uintptr(len(roster))]
	b.mu.Lock()
	for p := &b.first; *p != nil; p = &(*p).next {
		if r := *p; r.id == id && r.guest == g {
			*p = r.next
			break
		}
	}
	b.mu.Unlock()
	runtime.RaceEnable()
}

//go:norace
func residentOf(id uintptr) (g *guest, hosts bool) {
	runtime.RaceDisable()
	b := &roster[hash(id)%uintptr(len(roster))]
	b.mu.Lock()
	for r := b.first; r != nil; r = r.next {
		if r.id == id {
			g, hosts = r.guest, r.hosts
			break
		}
	}
	b.mu.Unlock()
	runtime.RaceEnable()
	return g, hosts
}

func residentHere() (g *guest, hosts bool) { return residentOf(gid.Get()) }

// clientHere is the guest that the calling host serves.
func clientHere() *guest {
	if g, hosts := residentHere(); hosts {
		return g
	}
	return nil
}

// stackHere is stackOf without a trace for the detector.
//
//go:norace
func stackHere() *stack {
	runtime.RaceDisable()
	s := stackOf(gid.Get())
	runtime.RaceEnable()
	return s
}

//go:build amd64 || arm64

package gid

import "runtime"

// Locked reports whether the calling goroutine is locked to its thread, by
// runtime.LockOSThread, and whether that is known. It costs a load.
//
// The Go runtime keeps the thread in a word of its g that it does not publish.
// The program finds it when it starts: the one word that is zero, becomes the
// thread that another word names as well when the goroutine locks itself, and is
// zero again after. Where no single word does so the answer is not known.
func Locked() (locked, known bool) {
	if lockedAt == 0 {
		return false, false
	}
	return word(lockedAt) != 0, true
}

// words is how much of a g is looked at; it is longer than that.
const words = 48

var lockedAt = findLocked()

func findLocked() uintptr {
	found := make(chan uintptr)
	go func() {
		at := lockedWord()
		for range 2 {
			if lockedWord() != at {
				at = 0
			}
		}
		found <- at
	}()
	return <-found
}

func lockedWord() (at uintptr) {
	before := snapshot()
	runtime.LockOSThread()
	during := snapshot()
	runtime.UnlockOSThread()
	after := snapshot()
	for i, w := range during {
		if w == 0 || before[i] != 0 || after[i] != 0 || !twice(&during, w) {
			continue
		}
		if at != 0 {
			return 0
		}
		at = uintptr(i) * 8
	}
	return at
}

func snapshot() (g [words]uintptr) {
	for i := range g {
		g[i] = word(uintptr(i) * 8)
	}
	return g
}

// twice reports whether w is in g more than once.
func twice(g *[words]uintptr, w uintptr) bool {
	n := 0
	for _, x := range g {
		if x == w {
			n++
		}
	}
	return n > 1
}

// word reads the calling goroutine's g.
func word(at uintptr) uintptr

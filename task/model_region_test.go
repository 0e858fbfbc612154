//go:build weftsim

package task

import (
	"testing"

	"weft/internal/checker"
	"weft/internal/sy"
)

// TestModelRegion: the end of a marked region against the monitor, which finds the
// region old enough. One of them has the lane afterwards.
func TestModelRegion(t *testing.T) {
	prove(t, checker.Options{}, func(x *checker.Explorer, env *checker.Env) model {
		rt := newModelRuntime(env, 1, 2)
		rt.free.take()
		l := rt.lanes[0]
		word := l.regionWord(1000)
		l.region.Store(word)
		kept := false
		leaver := func() { kept = l.region.CompareAndSwap(word, 0) }
		monitor := func() { l.takeMarked(1_000_000, 100) }
		return model{
			Model: checker.Model{
				Threads: threads("leaver", leaver, "monitor", monitor),
				Check: func() string {
					if kept == rt.free.any() {
						return "the lane has two owners, or none"
					}
					return ""
				},
			},
			faults: map[string]fault{
				"the leaver does not compare":  spoil(&l.region, sy.Compare, sy.Blind).in("leaver"),
				"the monitor does not compare": spoil(&l.region, sy.Compare, sy.Blind).in("monitor"),
			},
		}
	})
}

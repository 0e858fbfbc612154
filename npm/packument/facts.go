package packument

import (
	"strings"
	"sync"
	"sync/atomic"

	"weft/internal/jsonval"
	"weft/npm/semver"
)

// facts are what choosing needs to know of a manifest: whether it is deprecated, and which engines it
// wants, as a position in the engineTable. They are packed into 32 bits; zero means not read yet.
type facts uint32

const (
	factsKnown      facts = 1 << 0
	factsDeprecated facts = 1 << 1
	factsEngines          = 2 // the engines' position begins at this bit
)

func (f facts) deprecated() bool { return f&factsDeprecated != 0 }
func (f facts) engines() int     { return int(f >> factsEngines) }

// engines are the ranges of Node and npm that a manifest asks for; "" asks for nothing.
type engines struct {
	node, npm       string
	nodeBad, npmBad bool // not a string, and so satisfied by no version
}

// accept reports whether the given versions will do. An empty version is not checked.
func (e *engines) accept(nodeVersion, npmVersion string) bool {
	return acceptOne(nodeVersion, e.node, e.nodeBad) && acceptOne(npmVersion, e.npm, e.npmBad)
}

func acceptOne(version, rng string, bad bool) bool {
	if version == "" || (rng == "" && !bad) {
		return true
	}
	return !bad && semver.Satisfies(version, rng, semver.Options{IncludePrerelease: true})
}

// engineTable has the different engines that the manifests of a document ask for. The first asks for nothing.
type engineTable struct {
	mu   sync.RWMutex
	list []engines
}

// maxEngines is how many different engines are told apart; a document with more is not honest, and the rest count as none.
const maxEngines = 1 << 20

// position returns where e stands, adding it where it is new.
func (t *engineTable) position(e engines) int {
	if e == (engines{}) {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) == 0 {
		t.list = append(t.list, engines{})
	}
	for i := len(t.list) - 1; i > 0; i-- { // neighbours tend to agree
		if t.list[i] == e {
			return i
		}
	}
	if len(t.list) >= maxEngines {
		return 0
	}
	e.node, e.npm = strings.Clone(e.node), strings.Clone(e.npm) // keep no document alive
	t.list = append(t.list, e)
	return len(t.list) - 1
}

// at returns the engines at a position.
func (t *engineTable) at(i int) engines {
	if i == 0 {
		return engines{}
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.list[i]
}

// facts returns the facts of the i-th manifest, reading them where that has not been done.
func (v *versions) facts(p *Packument, i int) facts {
	known := &v.list[i].facts
	if f := facts(atomic.LoadUint32(known)); f != 0 {
		return f
	}
	f := readFacts(v.raw(p, i), &p.engines)
	atomic.StoreUint32(known, uint32(f))
	return f
}

// readFacts looks for the fields in a manifest. What is broken counts as absent.
func readFacts(raw string, table *engineTable) facts {
	f := factsKnown
	var e engines
	s := jsonval.NewScanner(bytesOf(raw))
	_ = s.Members(func(key string) error {
		switch key {
		case "deprecated":
			value, err := s.Value()
			if f &^= factsDeprecated; value.Truthy() {
				f |= factsDeprecated
			}
			return err
		case "engines":
			value, err := s.Value()
			e = readEngines(value)
			return err
		}
		return nil
	})
	return f | facts(table.position(e))<<factsEngines
}

// readEngines reads the engines that npm checks. Old manifests have a list or a string there, which asks for nothing.
func readEngines(v jsonval.Value) (e engines) {
	read := func(key string) (rng string, bad bool) {
		x, _ := v.Get(key)
		if s, ok := x.Str(); ok {
			return s, false
		}
		return "", x.Truthy()
	}
	if v.Kind() == jsonval.Object {
		e.node, e.nodeBad = read("node")
		e.npm, e.npmBad = read("npm")
	}
	return e
}

package link

import "sync"

// locks keeps work on one location apart from work on those nested in it: replacing a package moves what is nested, so
// nothing may be placed there meanwhile. Locations side by side never wait for each other. The zero value is ready.
type locks struct {
	mu   sync.Mutex
	held map[string]*nodeLock
}

type nodeLock struct {
	sync.RWMutex
	users int
}

// lock takes loc for its caller alone and holds every location above it against replacement. Outer locks are taken
// first, so that two callers cannot wait for each other. The returned function gives all back.
func (l *locks) lock(above []string, loc string) (unlock func()) {
	outer := make([]*nodeLock, len(above))
	for i, name := range above {
		outer[i] = l.use(name)
		outer[i].RLock()
	}
	own := l.use(loc)
	own.Lock()
	return func() {
		own.Unlock()
		l.drop(loc)
		for i := len(above) - 1; i >= 0; i-- {
			outer[i].RUnlock()
			l.drop(above[i])
		}
	}
}

func (l *locks) use(name string) *nodeLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.held[name]
	if n == nil {
		if l.held == nil {
			l.held = make(map[string]*nodeLock)
		}
		n = new(nodeLock)
		l.held[name] = n
	}
	n.users++
	return n
}

func (l *locks) drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.held[name]
	if n.users--; n.users == 0 {
		delete(l.held, name)
	}
}

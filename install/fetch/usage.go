package fetch

import "sync"

// usage remembers which packages were only ever likely.
type usage struct {
	mu          sync.Mutex
	speculative map[string]bool // true while nobody needed it
}

func (u *usage) note(key string, speculative bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if only, known := u.speculative[key]; !known {
		u.speculative[key] = speculative
	} else if only && !speculative {
		u.speculative[key] = false
	}
}

// Wasted is how many packages were asked for on speculation and never needed.
func (f *Fetcher) Wasted() int {
	f.used.mu.Lock()
	defer f.used.mu.Unlock()
	n := 0
	for _, only := range f.used.speculative {
		if only {
			n++
		}
	}
	return n
}

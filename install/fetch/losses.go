package fetch

import (
	"sync"

	"weft/install/schedule"
)

// losses remembers which packages could not be had, and tells whoever watches.
// Jobs that come after a lost package are never run, so without this nobody would
// know before asking for it.
type losses struct {
	mu    sync.Mutex
	errs  map[schedule.Key]error
	watch func(schedule.Key, error)
}

func (l *losses) note(k schedule.Key, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.errs == nil {
		l.errs = make(map[schedule.Key]error)
	}
	l.errs[k] = err
	if l.watch != nil {
		l.watch(k, err)
	}
}

// Watch has fn told of every package that could not be had, those known already
// first. It is told by the job that failed, one at a time, and must not block or
// call the Fetcher. nil ends it: when Watch has returned, the function before is
// not called any more.
func (f *Fetcher) Watch(fn func(schedule.Key, error)) {
	f.lost.mu.Lock()
	defer f.lost.mu.Unlock()
	f.lost.watch = fn
	if fn == nil {
		return
	}
	for k, err := range f.lost.errs {
		fn(k, err)
	}
}

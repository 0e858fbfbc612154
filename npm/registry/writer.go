package registry

import "sync"

// writer stores documents on one goroutine of its own, which is started by the
// first write and ends when there is nothing left to do. It is ready once do and
// idle.L are set.
type writer struct {
	do func(job)

	mu      sync.Mutex
	jobs    []job
	running bool
	idle    sync.Cond
}

// job is one document to store.
type job struct {
	key     cacheKey
	entry   entry
	refresh bool // the body is the stored one
	name    string
	address string // for messages
}

// add hands a document over. It does not block.
func (w *writer) add(j job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = append(w.jobs, j)
	if !w.running {
		w.running = true
		go w.run()
	}
}

func (w *writer) run() {
	for {
		w.mu.Lock()
		if len(w.jobs) == 0 {
			w.running, w.jobs = false, nil
			w.idle.Broadcast()
			w.mu.Unlock()
			return
		}
		j := w.jobs[0]
		w.jobs[0] = job{}
		w.jobs = w.jobs[1:]
		w.mu.Unlock()
		w.do(j)
	}
}

// drain waits until everything that was added is stored.
func (w *writer) drain() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.running {
		w.idle.Wait()
	}
}

// store writes one document. It runs on the writer's goroutine.
func (c *Client) store(j job) {
	write := c.cache.write
	if j.refresh {
		write = c.cache.refresh
	}
	if err := write(j.key, j.entry); err != nil {
		c.observe(Event{Kind: CacheFailed, Package: j.name, URL: j.address, Err: err})
	}
}

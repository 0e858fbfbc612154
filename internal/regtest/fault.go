package regtest

import "time"

// Kind is what goes wrong.
type Kind int

// The kinds of faults. Unless said otherwise they concern packuments and
// tarballs alike.
const (
	// Answer sends Status, with RetryAfter if set, and a small JSON body.
	Answer Kind = iota
	// Hang never answers.
	Hang
	// HangBody promises the whole length, sends half, and never goes on.
	HangBody
	// Truncate promises the whole length, sends half, and closes.
	Truncate
	// Short sends half with a Content-Length that agrees.
	Short
	// Drop resets the connection in the middle of the body.
	Drop
	// Corrupt turns over the bits of the byte in the middle of the body.
	Corrupt
	// RedirectOther sends requests of the main server to the other one.
	RedirectOther
	// RedirectLoop sends each request on to itself.
	RedirectLoop
	// SignIn sends an HTML page with status 200, as captive portals do.
	SignIn
	// BadJSON cuts a packument in half, with an agreeing length.
	BadJSON
	// NotAcceptable answers 406 to a request for the abbreviated form alone and
	// sends all others the full one.
	NotAcceptable
	// Encoded sends a tarball as Content-Encoding: gzip over its own gzip.
	Encoded
	// Slow sends the body in ten parts with Pause between them.
	Slow
)

// Target is what a fault strikes.
type Target int

// The targets. The zero value is both.
const (
	Everything Target = iota
	Packuments
	Tarballs
)

// Fault is something that goes wrong with a package's documents.
type Fault struct {
	Kind Kind
	On   Target
	// Times is how many requests are struck before the fault is over; 0 is all.
	Times int
	// Status and RetryAfter are the answer of kind Answer.
	Status     int
	RetryAfter string
	// Pause is the time between the parts of kind Slow.
	Pause time.Duration

	struck int
}

// Fail adds a fault to a package; name "" stands for every package. Of several
// faults the first that still strikes is taken.
func (r *Registry) Fail(name string, f Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.struck = 0
	r.faults[name] = append(r.faults[name], &f)
}

// Heal removes a package's faults.
func (r *Registry) Heal(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.faults, name)
}

// strike picks the fault that a request meets and counts it, or returns nil.
// The caller holds the lock.
func (r *Registry) strike(q Request) *Fault {
	for _, name := range []string{q.Package, ""} {
		for _, f := range r.faults[name] {
			hit := f.On == Everything || (f.On == Tarballs) == q.Tarball
			if hit && f.Kind == RedirectOther {
				hit = q.Host == Main
			}
			if hit && (f.Times == 0 || f.struck < f.Times) {
				f.struck++
				found := *f
				return &found
			}
		}
	}
	return nil
}

// Package schedule runs an install's work: it owns every queue, active set and
// ordering decision, and nothing else does.
//
// A job is a named function in a lane. A lane is a kind of work with a limit on
// how many of its jobs run at once (documents asked from a registry, tarballs
// downloaded, folders linked). A job may name other jobs that must succeed
// first. Submitting a key twice is submitting it once, so callers never keep a
// table of what is already under way.
//
// # Protocol
//
// One task, the owner, holds all state and is the only code that reads or
// writes it, so there are no locks here. Everybody else sends it messages
// through one unbounded queue: submit, ask, forget, finished. Jobs are
// short-lived tasks. Each sends "finished" from a deferred call, whatever ends
// it, and the owner then joins its handle: a panic or a Goexit in a job is that
// job's error and can never leave its entry active for ever.
//
// # States of an entry
//
//	waiting   some prerequisite has not ended yet
//	ready     in its lane's queue, demanded before speculative, oldest first
//	active    its task runs
//	done      value or error is kept for whoever asks later
//
// An entry only moves down that list. A prerequisite that fails makes its
// dependents done with a *PrerequisiteError, without running them.
//
// # Rejected
//
// A mutex around shared maps: every caller then shares the rules, and a job that
// panics between two locked sections leaves them broken. A goroutine a job from
// the start: 3,000 of them compete for sockets with no order between what is
// needed now and what is only likely.
package schedule

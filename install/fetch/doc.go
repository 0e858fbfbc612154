// Package fetch gets what an install needs from outside: packuments from a
// registry, and packages, verified and unpacked, into the store.
//
// A Fetcher is the typed face of one scheduler (install/schedule). Everything it
// gets is a job there: asking twice is asking once, what the placement waits for
// overtakes what is only likely, and a panic while one tarball is unpacked is
// that package's error.
//
// # Going ahead
//
// Placement is serial and must never be the one who waits for the network, so a
// Fetcher goes ahead of it. As soon as a manifest is known, each of its
// dependencies becomes a pick job behind the job of its packument; a pick
// chooses the version that placement would choose for that spec, asks for the
// tarball on speculation and does the same with that version's dependencies. So the
// whole graph is walked as wide as the network allows. What was fetched for
// nothing stays in the store and is counted (Wasted).
//
// # Blocking
//
// Requests block in marked regions (task.Block): a hundred open sockets hold no
// permit. Verifying, inflating and writing run on the task, under one.
package fetch

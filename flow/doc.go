// Package flow is what tasks use to talk to each other and to wait. So far it has
// Queue, an unbounded queue of many senders and one receiver. Everything here
// works from tasks of package task, which are parked while they wait and hold no
// permit, and from plain goroutines alike.
package flow

// Package gid tells one goroutine from another.
//
// Get returns a number that no other living goroutine has. On amd64, arm64 and
// wasm it is the address of the runtime's g structure, read in a nanosecond or
// two; elsewhere it is the goroutine's id, which costs a microsecond. A number
// may come back for a new goroutine after its first owner has ended, so whoever
// keeps one must forget it before its goroutine ends.
package gid

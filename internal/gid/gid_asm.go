//go:build amd64 || arm64 || wasm

package gid

// Fast reports whether Get is a few instructions and not a parse of a trace.
const Fast = true

// Get returns the calling goroutine's number. It is never zero and never blocks.
func Get() uintptr

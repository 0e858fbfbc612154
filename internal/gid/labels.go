package gid

import "unsafe" // also for go:linkname

// Labels are the calling goroutine's profiler labels, as the Go runtime keeps them:
// to be compared, and given to SetLabels, and nothing else. Nil means none.
//
// Package runtime/pprof can set labels, from a context, but not tell which there
// are. The Go runtime keeps the two functions linkable under these names for
// packages that need to (go.dev/issue/67401).
func Labels() unsafe.Pointer { return getProfLabel() }

// SetLabels gives the calling goroutine labels that Labels returned, or none.
func SetLabels(labels unsafe.Pointer) { setProfLabel(labels) }

//go:linkname getProfLabel runtime/pprof.runtime_getProfLabel
func getProfLabel() unsafe.Pointer

//go:linkname setProfLabel runtime/pprof.runtime_setProfLabel
func setProfLabel(labels unsafe.Pointer)

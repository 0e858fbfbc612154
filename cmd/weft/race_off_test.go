//go:build !race

package main

// raceBuild reports whether the race detector is on.
const raceBuild = false

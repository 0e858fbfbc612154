//go:build race

package run

// raceBuild: the launcher has the race detector's memory.
const raceBuild = true

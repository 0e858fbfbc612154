//go:build weftsim

package task

// What sizes.go has as constants; models shrink them.
var (
	ringSize     = 1024
	searchRounds = 4
	restless     = 8
)

//go:build !weftsim

package task

const (
	// ringSize is how many tasks wait in one lane before the rest overflow into
	// the injector. A power of two.
	ringSize = 1024
	// searchRounds is how often a searcher looks at all other lanes before it
	// gives up.
	searchRounds = 4
	// restless is how many scans without a marked region pass before the monitor
	// parks.
	restless = 8
)

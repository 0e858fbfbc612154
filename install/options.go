package install

import "weft/install/report"

// Options say what to install and how. The zero value installs the project in
// the working directory with an empty environment and says nothing.
type Options struct {
	// Dir is the project's folder, "" for the working directory.
	Dir string
	// Flags are npm's settings given on the command line, by npm's names.
	Flags map[string]string
	// Env is the environment as os.Environ has it.
	Env []string
	// CI installs what the lockfile says, from nothing, and fails where
	// package.json asks for something else.
	CI bool
	// LockOnly writes the lockfile and leaves node_modules alone.
	LockOnly bool
	// StoreDir and CacheDir hold unpacked packages and metadata; "" means the
	// store-dir and cache settings, and then the user's own folders.
	StoreDir, CacheDir string
	// NodeVersion is the Node to install for, "" to find out.
	NodeVersion string
	// Report is told what goes on; nil is told nothing.
	Report *report.Reporter
}

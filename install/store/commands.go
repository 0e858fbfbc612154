package store

import (
	"weft/npm/manifest"
	"weft/npm/tarball"
)

// commands is the set of files that package.json makes commands of.
type commands map[string]bool

// commandsOf reads the commands from package.json, bin as well as directories.bin. A manifest that cannot be read has
// none: whether that is an error is for those to say who install it.
func commandsOf(packageJSON []byte, files []tarball.File) commands {
	if len(packageJSON) == 0 {
		return nil
	}
	m, err := manifest.Parse(packageJSON)
	if err != nil {
		return nil
	}
	if len(m.Bin) == 0 {
		paths := make([]string, len(files))
		for i, f := range files {
			paths[i] = f.Path
		}
		m.ExpandBinDir(paths)
	}
	if len(m.Bin) == 0 {
		return nil
	}
	set := make(commands, len(m.Bin))
	for _, b := range m.Bin {
		set[b.Spec] = true
	}
	return set
}

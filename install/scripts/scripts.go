// Package scripts knows which packages of a tree have lifecycle scripts.
//
// weft does not run what a package wants run while it is installed: the last
// lines of an install name the packages and their scripts instead, so that
// nobody wonders why a native module is not there. Of finds a dependency's
// scripts by npm's rules, Root the project's own.
package scripts

// Events of a dependency, in the order in which npm runs them. Prepare is run
// only for packages that do not come from a registry.
const (
	Preinstall  = "preinstall"
	Install     = "install"
	Postinstall = "postinstall"
	Prepare     = "prepare"
)

// gypCommand is what npm runs as the install script of a package that has a
// binding.gyp and names no install or preinstall script itself.
const gypCommand = "node-gyp rebuild"

// rootEvents are the project's own, in npm's order after an install.
var rootEvents = []string{Preinstall, Install, Postinstall, "prepublish", "preprepare", Prepare, "postprepare"}

// Script is one command and the event that would run it.
type Script struct {
	Event string `json:"event"`
	// Command is the shell text, or "" where only a lockfile's word says that
	// there is one.
	Command string `json:"command,omitempty"`
}

// Lookup is the scripts object of a manifest; manifest.Deps is one.
type Lookup interface {
	Get(event string) (command string, ok bool)
}

// Package is what Of needs to know of one package. The zero value has no
// scripts.
type Package struct {
	Name, Version string
	// Location is the folder within the project, such as
	// node_modules/sharp.
	Location string
	// Scripts is the manifest's scripts object, nil where it was not read.
	Scripts Lookup
	// HasInstallScript is the lockfile's or the packument's word for it.
	HasInstallScript bool
	// BindingGyp: the package has a file binding.gyp at its top.
	BindingGyp bool
	// NoGyp: the manifest says gypfile: false.
	NoGyp bool
	// OffRegistry: git, a folder, a link or a tarball by address.
	OffRegistry bool
}

// Note is a package with the scripts that were not run.
type Note struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Location string   `json:"location"`
	Scripts  []Script `json:"scripts"`
}

// Of returns the note of a package that has scripts an install would run, and
// whether it has any. It is a pure function.
func Of(p Package) (Note, bool) {
	note := Note{Name: p.Name, Version: p.Version, Location: p.Location}
	events := []string{Preinstall, Install, Postinstall}
	if p.OffRegistry {
		events = append(events, Prepare)
	}
	note.Scripts = pick(p.Scripts, events)
	switch {
	case p.BindingGyp && !p.NoGyp && !named(note.Scripts, Preinstall) && !named(note.Scripts, Install):
		// It comes before postinstall, which is the only one that may be there.
		note.Scripts = append([]Script{{Install, gypCommand}}, note.Scripts...)
	case len(note.Scripts) == 0 && p.HasInstallScript:
		note.Scripts = []Script{{Event: Install}}
	}
	return note, len(note.Scripts) > 0
}

// Root returns the project's own scripts that npm would run after an install.
func Root(scripts Lookup) []Script { return pick(scripts, rootEvents) }

func pick(scripts Lookup, events []string) []Script {
	if scripts == nil {
		return nil
	}
	var found []Script
	for _, event := range events {
		if command, ok := scripts.Get(event); ok && command != "" {
			found = append(found, Script{event, command})
		}
	}
	return found
}

func named(scripts []Script, event string) bool {
	for _, s := range scripts {
		if s.Event == event {
			return true
		}
	}
	return false
}

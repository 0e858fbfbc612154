package lockfile

import (
	"path/filepath"
	"strings"

	"weft/internal/jsonval"
	"weft/npm/manifest"
	"weft/npm/spec"
)

// legacy is one package of a version 1 lockfile, where packages contain what is installed below them.
type legacy struct {
	version, resolved, integrity, from string
	bundled, dev, optional             bool
	requires                           manifest.Deps
	dependencies                       []jsonval.Member
}

func readLegacy(v jsonval.Value) legacy {
	var l legacy
	for _, m := range v.Members() {
		switch m.Key {
		case "version":
			l.version, _ = m.Value.Str()
		case "resolved":
			l.resolved, _ = m.Value.Str()
		case "integrity":
			l.integrity, _ = m.Value.Str()
		case "from":
			l.from, _ = m.Value.Str()
		case "bundled":
			l.bundled = m.Value.Truthy()
		case "dev":
			l.dev = m.Value.Truthy()
		case "optional":
			l.optional = m.Value.Truthy()
		case "requires":
			l.requires = manifest.DepsFromValue(m.Value)
		case "dependencies":
			l.dependencies = m.Value.Members()
		}
	}
	return l
}

// upgrader fills the packages of a file from the tree of a version 1 lockfile.
type upgrader struct {
	file *File
	dir  string
	// requires has what a package needs, of whichever kind, until sortDependencies has found out the kinds.
	requires map[*Entry]manifest.Deps
}

// someDir stands for the project's folder where it is not known.
const someDir = "/0/1/2/3/4/5/6/7"

// upgrade makes Packages out of a version 1 tree, as far as that tells. The project's own entry
// comes from its manifest.
func (f *File) upgrade(root jsonval.Value, project Project) error {
	u := upgrader{file: f, dir: project.Dir, requires: map[*Entry]manifest.Deps{}}
	if u.dir == "" {
		u.dir = filepath.FromSlash(someDir)
	}
	if err := u.load("", "", readLegacy(root)); err != nil {
		return err
	}
	if project.Root != nil {
		e := FromManifest(project.Root, "", "", "")
		e.Name = f.Name
		if e.Version == "" {
			e.Version = f.Version
		}
		f.Packages.Set("", e)
	}
	u.sortDependencies()
	return nil
}

// load adds a package and all below it.
func (u *upgrader) load(location, name string, l legacy) error {
	if err := checkLocation(location); err != nil {
		return err
	}
	e, err := u.add(location, name, l)
	if err != nil {
		return err
	}
	if e.Link {
		location = e.Resolved // what is installed below a link lies below its target
	}
	if location != "" {
		location += "/"
	}
	for _, m := range l.dependencies {
		if m.Value.Kind() != jsonval.Object {
			continue
		}
		if err := u.load(location+"node_modules/"+m.Key, m.Key, readLegacy(m.Value)); err != nil {
			return err
		}
	}
	return nil
}

// add makes the entry of one package.
func (u *upgrader) add(location, name string, l legacy) (*Entry, error) {
	s, known := specOf(name, l, u.dir)
	if known && s.Type == spec.Directory && location != "" {
		return u.addLink(location, name, l, relative(u.dir, s.FetchSpec))
	}
	e := &Entry{Optional: l.optional, Dev: l.dev, Integrity: l.integrity, InBundle: l.bundled}
	if location == "" {
		e.Name = u.file.Name
	}
	u.file.Packages.Set(location, e)
	if len(l.requires) > 0 {
		u.requires[e] = l.requires
	}
	if l.version != "" && l.integrity == "" && known {
		switch {
		case s.Type == spec.Git:
			e.Resolved = resolvedForm(s, u.dir)
			e.InBundle = false
			return e, nil
		case s.Registry():
			e.Version = l.version
		}
	}
	if known {
		e.Resolved = resolvedOf(s, l, u.dir)
		u.addVersion(e, name, s)
	}
	return e, nil
}

// addLink makes the entries of a link and, unless there is one, of its target.
func (u *upgrader) addLink(location, name string, l legacy, target string) (*Entry, error) {
	if err := checkLocation(target); err != nil {
		return nil, err
	}
	link := &Entry{Link: true, Resolved: target}
	u.file.Packages.Set(location, link)
	if u.file.Packages.Get(target) == nil && target != "" {
		l.version = ""
		e := &Entry{Optional: l.optional, Dev: l.dev, Integrity: l.integrity, InBundle: l.bundled}
		u.file.Packages.Set(target, e)
		if len(l.requires) > 0 {
			u.requires[e] = l.requires
		}
	}
	return link, nil
}

// addVersion finds out the version where the lockfile has an address or an alias in its place.
func (u *upgrader) addVersion(e *Entry, name string, s spec.Spec) {
	if e.Version != "" {
		return
	}
	switch s.Type {
	case spec.File, spec.Remote:
		found, version, ok := versionFromTarball(s.Name, s.FetchSpec)
		if !ok {
			found, version, ok = versionFromTarball(s.Name, e.Resolved)
		}
		if ok {
			e.Version = version
			if found != name {
				e.Name = found
			}
		}
	case spec.Alias:
		e.Name, e.Version = s.Sub.Name, s.Sub.FetchSpec
	case spec.Version:
		e.Version = s.FetchSpec
	}
}

// sortDependencies tells apart what version 1 has under one name: what is optional or for development
// only, but needed by something that is not, must be an optional or a development dependency of it.
func (u *upgrader) sortDependencies() {
	for location, e := range u.file.Packages.All() {
		if location == "" {
			continue
		}
		for _, d := range u.requires[e] {
			found := u.file.Packages.above(location, d.Name)
			switch {
			case found != nil && found.Optional && !e.Optional:
				e.OptionalDependencies = append(e.OptionalDependencies, d)
			case found != nil && found.Dev && !e.Dev:
				e.DevDependencies = append(e.DevDependencies, d)
			default:
				e.Dependencies = append(e.Dependencies, d)
			}
		}
	}
}

// above finds the entry that a package at a location gets by a name.
func (p *Packages) above(location, name string) *Entry {
	found, ok := p.lookup(location, name)
	if !ok {
		return nil
	}
	return p.Get(found)
}

// lookup finds the location that a package at a location gets by a name: in its own node_modules or
// that of a folder above, as Node looks for modules.
func (p *Packages) lookup(location, name string) (found string, ok bool) {
	for {
		found = "node_modules/" + name
		if location != "" {
			found = location + "/" + found
		}
		if _, ok := p.index[found]; ok || location == "" {
			return found, ok
		}
		location = location[:max(0, strings.LastIndexByte(location, '/'))]
	}
}

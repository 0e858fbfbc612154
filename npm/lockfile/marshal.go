package lockfile

import (
	"slices"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// Format is the layout of a lockfile's text.
type Format struct {
	// Indent is one level of indentation; "" counts as two spaces. At most ten characters are used.
	Indent string
	// Newline ends lines; "" counts as "\n".
	Newline string
	// Compact asks for everything on one line without a newline at its end, npm's format-package-lock=false.
	Compact bool
}

// Marshal returns the text of the lockfile, which depends on the file's content and the format alone.
func (f *File) Marshal(format Format) []byte {
	v := f.value()
	if format.Compact {
		return jsonval.AppendJSON(nil, v, "", "")
	}
	if format.Indent == "" {
		format.Indent = "  "
	}
	if format.Newline == "" {
		format.Newline = "\n"
	}
	dst := make([]byte, 0, 1024+512*f.Packages.Len())
	dst = jsonval.AppendJSON(dst, v, format.Indent, format.Newline)
	return append(dst, format.Newline...)
}

// value returns the file as an ordered object.
func (f *File) value() jsonval.Value {
	var m members
	version := f.LockfileVersion
	if version == 0 {
		version = Version3
	}
	m.str("name", f.Name)
	m.str("version", f.Version)
	m.add("lockfileVersion", jsonval.OfNumber(float64(version)))
	m.flag("requires", true)
	if version >= Version2 {
		m.add("packages", f.Packages.value())
	}
	if version < Version3 {
		dependencies := f.Dependencies
		if dependencies.Kind() != jsonval.Object {
			dependencies = f.Packages.legacyTree()
		}
		m.add("dependencies", inOrder(dependencies))
	}
	for _, extra := range f.Extra {
		m.add(extra.Key, inOrder(extra.Value))
	}
	return ordered(m)
}

func (p *Packages) value() jsonval.Value {
	list := make([]jsonval.Member, 0, p.Len())
	for location, e := range p.All() {
		v := e.value()
		if location == "" && v.Len() == 0 {
			continue
		}
		list = append(list, jsonval.Member{Key: location, Value: v})
	}
	return ordered(list)
}

// value returns the entry as an ordered object.
func (e *Entry) value() jsonval.Value {
	var m members
	if e.Link {
		m.str("resolved", e.Resolved)
		m.flag("link", true)
		return ordered(m)
	}
	m = make(members, 0, 16) // enough for nearly all
	m.str("name", e.Name)
	m.str("version", e.Version)
	m.str("resolved", e.Resolved)
	m.str("integrity", e.Integrity)
	m.list("bundleDependencies", e.BundleDependencies)
	m.list("cpu", e.CPU)
	m.str("deprecated", e.Deprecated)
	m.flag("dev", e.Dev && !e.Extraneous)
	m.flag("devOptional", e.DevOptional && !e.Dev && !e.Optional && !e.Extraneous)
	m.flag("extraneous", e.Extraneous)
	m.any("funding", e.Funding)
	m.flag("hasInstallScript", e.HasInstallScript)
	m.flag("hasShrinkwrap", e.HasShrinkwrap)
	m.flag("inBundle", e.InBundle)
	m.list("libc", e.Libc)
	m.any("license", e.License)
	m.flag("optional", e.Optional && !e.Extraneous)
	m.list("os", e.OS)
	m.flag("peer", e.Peer && !e.Extraneous)
	m.list("workspaces", e.Workspaces)
	m.deps("dependencies", e.Dependencies)
	m.deps("acceptDependencies", e.AcceptDependencies)
	m.deps("bin", e.Bin)
	m.deps("devDependencies", e.DevDependencies)
	m.deps("engines", e.Engines)
	m.deps("optionalDependencies", e.OptionalDependencies)
	m.deps("peerDependencies", e.PeerDependencies)
	m.any("peerDependenciesMeta", e.PeerDependenciesMeta)
	for _, odd := range e.odd {
		m.replace(odd.Key, odd.Value)
	}
	return ordered(m)
}

// members gathers the members of an object, without what is empty.
type members []jsonval.Member

func (m *members) add(key string, v jsonval.Value) {
	*m = append(*m, jsonval.Member{Key: key, Value: v})
}

// replace puts a value in the place of the one that a key has, if it is worth writing.
func (m *members) replace(key string, v jsonval.Value) {
	*m = slices.DeleteFunc(*m, func(old jsonval.Member) bool { return old.Key == key })
	if worthWriting(v) || key == "devDependencies" {
		m.add(key, inOrder(v))
	}
}

func (m *members) str(key, s string) {
	if s != "" {
		m.add(key, jsonval.OfString(s))
	}
}

func (m *members) flag(key string, b bool) {
	if b {
		m.add(key, jsonval.OfBool(true))
	}
}

func (m *members) list(key string, list []string) {
	if len(list) > 0 {
		m.add(key, stringsValue(list))
	}
}

func (m *members) any(key string, v jsonval.Value) {
	if worthWriting(v) {
		m.add(key, inOrder(v))
	}
}

func (m *members) deps(key string, deps manifest.Deps) {
	if len(deps) == 0 {
		return
	}
	list := make([]jsonval.Member, len(deps))
	for i, d := range deps {
		list[i] = jsonval.Member{Key: d.Name, Value: jsonval.OfString(d.Spec)}
	}
	m.add(key, ordered(list))
}

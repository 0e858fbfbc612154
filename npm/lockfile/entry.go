package lockfile

import (
	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// Entry is what a lockfile says about one place. Fields are written unless they are empty or false.
// Entries are shared between files; whoever changes one must own it.
type Entry struct {
	// Name is the package's name where it is not the folder's: for aliases, and for the project.
	Name    string
	Version string
	// Resolved is where the tarball came from, or for a link the slash path of its target, relative to the
	// project's folder.
	Resolved  string
	Integrity string
	// Link marks a symbolic link; of a link only Resolved is written beside it.
	Link bool

	// Dev marks what only development needs, Optional what only optional dependencies need, DevOptional what is
	// needed by both kinds and nothing else (it is written only where the other two are false), Peer what only
	// peer dependencies need. Extraneous marks what nothing needs; the others are not written then.
	Dev, Optional, DevOptional, Peer, Extraneous bool

	// InBundle marks what another package brought in its tarball.
	InBundle         bool
	HasInstallScript bool
	HasShrinkwrap    bool

	Dependencies, DevDependencies, OptionalDependencies, PeerDependencies, AcceptDependencies manifest.Deps
	// PeerDependenciesMeta is the object as the manifest has it.
	PeerDependenciesMeta jsonval.Value
	BundleDependencies   []string
	Workspaces           []string

	// Deprecated, OS, CPU, Libc, Engines and Bin are as in manifest.Manifest. Where the manifest put them in
	// another shape, that shape is remembered and written.
	Deprecated    string
	OS, CPU, Libc []string
	Engines       manifest.Deps
	Bin           manifest.Deps
	// License is a string, but for odd manifests.
	License jsonval.Value
	// Funding is an object, or an array of what the manifest gave.
	Funding jsonval.Value

	// odd holds fields as they are to be written where that is not what the typed fields above would give. What is
	// empty is not written at all.
	odd []jsonval.Member
}

// FromManifest returns the entry of a package: the fields that npm repeats from a manifest, each
// left out where it is empty. resolved and integrity are taken as given. folder is the package's
// name by its location, as [NameFromLocation] gives it; the Name is kept only if it differs. For the
// project itself pass "". The flags are left to the caller.
func FromManifest(m *manifest.Manifest, folder, resolved, integrity string) *Entry {
	e := &Entry{
		Version:              m.Version,
		Resolved:             resolved,
		Integrity:            integrity,
		HasInstallScript:     m.HasInstallScript,
		HasShrinkwrap:        m.HasShrinkwrap,
		Dependencies:         m.Dependencies,
		OptionalDependencies: m.OptionalDependencies,
		PeerDependencies:     m.PeerDependencies,
		AcceptDependencies:   m.AcceptDependencies,
		BundleDependencies:   m.BundleDependencies,
		Workspaces:           m.Workspaces,
		Deprecated:           m.Deprecated,
		OS:                   m.OS,
		CPU:                  m.CPU,
		Libc:                 m.Libc,
		Engines:              m.Engines,
		Bin:                  m.Bin,
		License:              licenseType(m.License),
		Funding:              m.Funding,
	}
	if m.Name != folder {
		e.Name = m.Name
	}
	e.PeerDependenciesMeta, _ = m.Raw.Get("peerDependenciesMeta")
	e.keepOdd(m.Raw)
	return e
}

// AddDevDependencies gives an entry the manifest's development dependencies, which npm writes for
// the project, its workspaces and the targets of links only.
func (e *Entry) AddDevDependencies(m *manifest.Manifest) {
	e.DevDependencies = m.DevDependencies
	// Entries are copied, so odd must not be changed in place.
	var odd []jsonval.Member
	for _, o := range e.odd {
		if o.Key != "devDependencies" {
			odd = append(odd, o)
		}
	}
	if raw, _ := m.Raw.Get("devDependencies"); raw.Kind() == jsonval.Object && raw.Len() == 0 {
		odd = append(odd, jsonval.Member{Key: "devDependencies", Value: raw}) // written though it is empty
	}
	e.odd = odd
}

// PeerOptional reports whether the peer dependency of that name may be missing.
func (e *Entry) PeerOptional(name string) bool {
	meta, _ := e.PeerDependenciesMeta.Get(name)
	optional, _ := meta.Get("optional")
	return optional.Truthy()
}

// licenseType makes the type of a license out of an object that has one.
func licenseType(v jsonval.Value) jsonval.Value {
	if kind, _ := v.Get("type"); kind.Truthy() {
		return kind
	}
	return v
}

// keepOdd remembers fields of a manifest whose shape the typed fields do not give back.
func (e *Entry) keepOdd(raw jsonval.Value) {
	for _, m := range raw.Members() {
		var typed jsonval.Value
		switch m.Key {
		case "os":
			typed = stringsValue(e.OS)
		case "cpu":
			typed = stringsValue(e.CPU)
		case "libc":
			typed = stringsValue(e.Libc)
		case "workspaces":
			typed = stringsValue(e.Workspaces)
		case "engines":
			typed = e.Engines.Value()
		case "deprecated":
			typed = jsonval.OfString(e.Deprecated)
		default:
			continue
		}
		if m.Value.Truthy() && !m.Value.Equal(typed) {
			e.odd = append(e.odd, m)
		}
	}
	bundle, ok := raw.Get("bundleDependencies")
	if !ok {
		bundle, _ = raw.Get("bundledDependencies")
	}
	if bundle.Kind() == jsonval.Array && !bundle.Equal(stringsValue(e.BundleDependencies)) {
		e.odd = append(e.odd, jsonval.Member{Key: "bundleDependencies", Value: bundle})
	}
}

// worthWriting reports whether npm writes a manifest's value: it is truthy and not empty.
func worthWriting(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Array, jsonval.Object:
		return v.Len() > 0
	}
	return v.Truthy()
}

func stringsValue(list []string) jsonval.Value { return jsonval.OfStrings(list...) }

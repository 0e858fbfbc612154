package manifest

import (
	"errors"
	"fmt"

	"weft/internal/jsonval"
)

// ErrNotObject is returned for a document that is JSON but no object.
var ErrNotObject = errors.New("manifest is not an object")

// Manifest is a package's manifest after normalisation. It is immutable once shared; the zero
// value is the manifest of a package that says nothing.
type Manifest struct {
	// Name and Version are as written; "" where missing or no string. Neither has been checked.
	Name, Version string

	// Dependencies lacks what OptionalDependencies holds. Entries whose spec is no string are left out.
	Dependencies, DevDependencies, OptionalDependencies, PeerDependencies, AcceptDependencies Deps
	// PeerOptional has the names that peerDependenciesMeta marks as optional.
	PeerOptional map[string]bool
	// BundleDependencies is the list, whichever way it was spelt; nil if there is none.
	BundleDependencies []string
	// Bin maps command names to paths in the package, both made safe by NormalizeBin.
	Bin Deps

	// OS, CPU and Libc are the platforms wanted, or with a leading "!" not wanted. A single string counts as
	// a list of one.
	OS, CPU, Libc []string
	// Engines maps engine names to ranges. A truthy value that is no string is given as a text that no
	// version satisfies, as npm has it.
	Engines Deps

	// Deprecated is the message, "true" for a plain true, and "" if the package is not deprecated.
	Deprecated string
	// HasInstallScript tells whether the registry or the scripts say that installing runs something.
	HasInstallScript bool
	// HasShrinkwrap tells whether the package brings its own npm-shrinkwrap.json.
	HasShrinkwrap bool
	// Scripts lacks entries that are no strings.
	Scripts Deps
	// Workspaces has the patterns, from either form of the field.
	Workspaces []string
	// Overrides is the field as it stands; null if there is none.
	Overrides jsonval.Value
	// License is as written: a string, or in old packages an object with a type.
	License jsonval.Value
	// Funding is as written, except that a string becomes an object with that url.
	Funding jsonval.Value
	// Dist is where the registry says the tarball is.
	Dist Dist

	// Raw is the document before normalisation.
	Raw jsonval.Value
}

// Dist is the registry's word on a version's tarball. Fields it does not give are "".
type Dist struct {
	Tarball   string // address
	Integrity string // subresource integrity, such as "sha512-…"
	Shasum    string // hexadecimal SHA-1
}

// Parse decodes a package.json. The error is a [*jsonval.SyntaxError] or [ErrNotObject], wrapped.
func Parse(data []byte) (*Manifest, error) {
	v, err := jsonval.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	return FromValue(v)
}

// FromValue normalises a manifest that is decoded already. The only error is [ErrNotObject],
// wrapped. The Manifest shares the value's strings.
func FromValue(v jsonval.Value) (*Manifest, error) {
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf("read manifest: %w but %s", ErrNotObject, v.Kind())
	}
	m := &Manifest{Raw: v}
	var binField, bundle, bundleOther jsonval.Value
	var hasBundle, marked bool
	for _, field := range v.Members() {
		x := field.Value
		switch field.Key {
		case "name":
			m.Name, _ = x.Str()
		case "version":
			m.Version, _ = x.Str()
		case "dependencies":
			m.Dependencies = DepsFromValue(x)
		case "devDependencies":
			m.DevDependencies = DepsFromValue(x)
		case "optionalDependencies":
			m.OptionalDependencies = DepsFromValue(x)
		case "peerDependencies":
			m.PeerDependencies = DepsFromValue(x)
		case "acceptDependencies":
			m.AcceptDependencies = DepsFromValue(x)
		case "peerDependenciesMeta":
			m.PeerOptional = peerOptional(x)
		case "bundleDependencies":
			bundle, hasBundle = x, true
		case "bundledDependencies":
			bundleOther = x
		case "bin":
			binField = x
		case "os":
			m.OS = stringList(x)
		case "cpu":
			m.CPU = stringList(x)
		case "libc":
			m.Libc = stringList(x)
		case "engines":
			m.Engines = engines(x)
		case "deprecated":
			m.Deprecated = deprecation(x)
		case "hasInstallScript":
			marked = x.Truthy()
		case "_hasShrinkwrap":
			m.HasShrinkwrap = x.Truthy()
		case "scripts":
			m.Scripts = DepsFromValue(x)
		case "workspaces":
			m.Workspaces = workspaces(x)
		case "overrides":
			m.Overrides = x
		case "license":
			m.License = x
		case "funding":
			m.Funding = funding(x)
		case "dist":
			m.Dist = dist(x)
		}
	}
	if !hasBundle {
		bundle = bundleOther
	}
	m.BundleDependencies = bundled(bundle, v)
	m.dedupeOptional(v)
	m.Bin = NormalizeBin(m.Name, binField)
	m.HasInstallScript = marked || m.runsAtInstall()
	return m, nil
}

// dedupeOptional drops dependencies that are listed as optional too, whatever their optional spec
// looks like.
func (m *Manifest) dedupeOptional(v jsonval.Value) {
	optional, _ := v.Get("optionalDependencies")
	if optional.Kind() != jsonval.Object || len(m.Dependencies) == 0 {
		return
	}
	m.Dependencies = m.Dependencies.without(func(name string) bool {
		_, ok := optional.Get(name)
		return ok
	})
}

// runsAtInstall reports whether one of the scripts that run at installation is given.
func (m *Manifest) runsAtInstall() bool {
	for _, s := range m.Scripts {
		switch s.Name {
		case "preinstall", "install", "postinstall":
			if s.Spec != "" {
				return true
			}
		}
	}
	return false
}

// AddGypScript accounts for packages with a binding.gyp among their files (slash paths within the
// package), which are built with node-gyp when installed unless they have an install or preinstall
// script of their own or say "gypfile": false. It adds the script and reports whether it did. It
// changes the Manifest: call it before sharing.
func (m *Manifest) AddGypScript(files []string) bool {
	for _, name := range []string{"install", "preinstall"} {
		if s, _ := m.Scripts.Get(name); s != "" {
			return false
		}
	}
	gypfile, ok := m.Raw.Get("gypfile")
	if no, is := gypfile.Bool(); ok && is && !no {
		return false
	}
	for _, f := range files {
		if f == "binding.gyp" {
			scripts := m.Scripts.without(func(name string) bool { return name == "install" })
			m.Scripts = append(scripts[:len(scripts):len(scripts)], Dep{"install", "node-gyp rebuild"})
			m.HasInstallScript = true
			return true
		}
	}
	return false
}

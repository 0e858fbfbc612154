package resolve

import (
	"context"
	"io/fs"
	"time"

	"weft/install/target"
	"weft/npm/lockfile"
	"weft/npm/manifest"
	"weft/npm/packument"
)

// Source gives what a registry knows. Both calls may block. Placing makes one call
// at a time; full packuments of platform packages are asked for from several
// goroutines at once.
type Source interface {
	// Packument returns all versions of a package. A full one has the fields that
	// registries leave out of the short form: license, libc, times of
	// publication. An error that wraps [ErrNotFound] says that there is no such
	// package.
	Packument(ctx context.Context, name string, full bool) (*packument.Packument, error)
	// Unpacked returns the files of a tarball: one of a registry, one at any
	// address, or, where resolved begins with "file:", one on disk. integrity is
	// what it must have, "" if that is not known yet.
	Unpacked(ctx context.Context, name, resolved, integrity string) (Unpacked, error)
}

// Unpacked is the content of a package.
type Unpacked struct {
	// Files has package.json at its top.
	Files fs.FS
	// Integrity is the subresource integrity of the tarball.
	Integrity string
}

// Observer is told early what will be needed. Its method must return at once;
// it is called on the goroutine that called Ideal. A nil Observer is told
// nothing.
type Observer interface {
	// Want says that a packument of that name is likely to be asked for, by
	// reason of that spec.
	Want(name, spec string)
}

// Options say what [Ideal] starts from and which settings hold. Dir and Manifest
// are needed, Source where anything must be placed; the rest has defaults.
type Options struct {
	// Dir is the project's folder, absolute.
	Dir string
	// Manifest is the project's package.json.
	Manifest *manifest.Manifest
	// Lock is the lockfile, nil if there is none.
	Lock *lockfile.File
	// Actual is what lies in node_modules now. It is what the tree starts from
	// if there is no lockfile; it stays as it is. Nil: start from nothing.
	Actual *Tree

	// Target is the Node, npm and platform that versions are chosen for. The
	// zero Target rejects nothing.
	Target target.Target
	// LegacyPeerDeps ignores peer dependencies when placing.
	LegacyPeerDeps bool
	// StrictPeerDeps makes every peer conflict an error, not only those of the
	// project itself.
	StrictPeerDeps bool
	// Force makes no peer conflict, engine or platform an error.
	Force bool
	// EngineStrict makes an engine that does not fit an error, not a warning.
	EngineStrict bool
	// PreferDedupe prefers what is in the tree already to newer versions.
	PreferDedupe bool
	// InstallLinks copies directories that are depended on instead of linking
	// to them, if they are outside the project.
	InstallLinks bool
	// OmitDev, OmitOptional and OmitPeer leave such packages out of checks.
	OmitDev, OmitOptional, OmitPeer bool
	// FrozenPeers leaves optional peers alone that the lockfile does not meet,
	// as npm ci does.
	FrozenPeers bool

	// Before hides versions published later. The zero time hides nothing.
	Before time.Time
	// DefaultTag is the tag that is wanted where no version is; "latest" if "".
	DefaultTag string
	// FullMetadata asks for full packuments only. It is for runs that write a
	// lockfile without unpacking anything; where packages are unpacked, what the
	// short form lacks is taken from them (see [Node.Refresh]).
	FullMetadata bool
	// UnpackBundles reads what packages bundle, and the trees that their own
	// shrinkwraps fix, from their tarballs while placing. It should be set unless
	// nothing may be fetched: without it such packages get nothing below them.
	UnpackBundles bool

	Source   Source
	Observer Observer
}

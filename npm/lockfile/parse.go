package lockfile

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// ErrShape is in the chain of the error for JSON that is no lockfile: no object, or one whose
// packages are not a map of objects.
var ErrShape = errors.New("not a lockfile")

// Project says where a lockfile lies and what its project is. Only lockfiles of version 1 need it
// to be read, since they leave both to be known.
type Project struct {
	// Dir is the absolute path of the project's folder, which file specs are relative to. "" stands for some
	// folder eight levels deep.
	Dir string
	// Root is the project's manifest, nil if unknown.
	Root *manifest.Manifest
}

// Parse reads a lockfile of any version, which may have conflict markers in it. Its errors wrap
// [*jsonval.SyntaxError], [ErrShape] or [ErrLocation].
func Parse(data []byte) (*File, error) { return ParseIn(data, Project{}) }

// ParseIn is [Parse] for a lockfile that may be of version 1 and whose project is known.
func ParseIn(data []byte, project Project) (*File, error) {
	f, err := parse(data, project)
	if err != nil {
		return nil, fmt.Errorf("read lockfile: %w", err)
	}
	return f, nil
}

func parse(data []byte, project Project) (*File, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	f := &File{Conflicted: hasConflict(text)}
	var root jsonval.Value
	var err error
	if f.Conflicted {
		root, err = resolveConflict(text)
	} else {
		root, err = jsonval.ParseString(text)
	}
	if err != nil {
		return nil, err
	}
	if root.Kind() != jsonval.Object {
		return nil, fmt.Errorf("%w: it is %s", ErrShape, root.Kind())
	}
	layout := DetectFormat(data)
	f.Indent, f.Newline = layout.Indent, layout.Newline
	return f, f.fill(root, project)
}

// fill takes over the members of a lockfile's object.
func (f *File) fill(root jsonval.Value, project Project) error {
	var packages, requires jsonval.Value
	for _, m := range root.Members() {
		switch m.Key {
		case "name":
			f.Name, _ = m.Value.Str()
		case "version":
			f.Version, _ = m.Value.Str()
		case "lockfileVersion":
			f.OriginalVersion = versionNumber(m.Value)
		case "requires":
			requires = m.Value
		case "packages":
			packages = m.Value
		case "dependencies":
			f.Dependencies = m.Value
		default:
			f.Extra = append(f.Extra, m)
		}
	}
	f.Ancient = f.OriginalVersion < Version2 && !requires.Truthy()
	f.LockfileVersion = f.OriginalVersion
	if f.LockfileVersion <= Version1 {
		f.LockfileVersion = Version3
	}
	if packages.Truthy() {
		if err := f.fillPackages(packages); err != nil {
			return err
		}
	} else if f.Dependencies.Truthy() {
		if err := f.upgrade(root, project); err != nil {
			return err
		}
	}
	if f.LockfileVersion >= Version3 || f.Dependencies.Kind() != jsonval.Object {
		f.Dependencies = jsonval.Value{}
	}
	return nil
}

// versionNumber reads lockfileVersion; what is no whole number above zero counts as none.
func versionNumber(v jsonval.Value) int {
	n, ok := v.Num()
	if !ok || n < 1 || n > math.MaxInt32 || n != math.Trunc(n) {
		return 0
	}
	return int(n)
}

func (f *File) fillPackages(packages jsonval.Value) error {
	if packages.Kind() != jsonval.Object {
		return fmt.Errorf("%w: packages are %s", ErrShape, packages.Kind())
	}
	f.Packages.grow(packages.Len())
	for _, m := range packages.Members() {
		if err := checkLocation(m.Key); err != nil {
			return err
		}
		e, err := entryFromValue(m.Key, m.Value)
		if err != nil {
			return err
		}
		f.Packages.Set(m.Key, e)
	}
	return nil
}

// entryFromValue reads an entry, which npm treats as a manifest with some fields more.
func entryFromValue(location string, v jsonval.Value) (*Entry, error) {
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf("%w: entry %q is %s", ErrShape, clip(location), v.Kind())
	}
	text := func(key string) string {
		field, _ := v.Get(key)
		s, _ := field.Str()
		return s
	}
	flag := func(key string) bool {
		field, _ := v.Get(key)
		return field.Truthy()
	}
	if flag("link") {
		return &Entry{Link: true, Resolved: text("resolved")}, nil
	}
	m, err := manifest.FromValue(v)
	if err != nil {
		return nil, err
	}
	e := FromManifest(m, NameFromLocation(location), text("resolved"), text("integrity"))
	e.Dev, e.Optional, e.DevOptional = flag("dev"), flag("optional"), flag("devOptional")
	e.Peer, e.Extraneous = flag("peer"), flag("extraneous")
	e.InBundle, e.HasShrinkwrap = flag("inBundle"), flag("hasShrinkwrap")
	if isTop(location) {
		e.AddDevDependencies(m)
	}
	if bin, _ := v.Get("bin"); worthWriting(bin) && !bin.Equal(m.Bin.Value()) {
		e.odd = append(e.odd, jsonval.Member{Key: "bin", Value: bin})
	}
	return e, nil
}

// isTop reports whether a location is not in a node_modules folder: the project, a workspace, or
// the target of a link.
func isTop(location string) bool {
	parent := strings.TrimSuffix(location, NameFromLocation(location))
	return parent != "node_modules/" && !strings.HasSuffix(parent, "/node_modules/")
}

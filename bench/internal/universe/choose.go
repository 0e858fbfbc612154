package universe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"weft/npm/semver"
)

// demand is what a project asks of the registry.
type demand struct {
	// versions are those that the lockfile has, by package name.
	versions map[string][]string
	// specs are the ranges and tags that the project and its packages ask for,
	// by package name.
	specs map[string][]string
}

func (d *demand) version(name, version string) {
	if !slices.Contains(d.versions[name], version) {
		d.versions[name] = append(d.versions[name], version)
	}
}

// spec notes one dependency; an npm: alias asks for another package.
func (d *demand) spec(name, spec string) {
	if alias, ok := strings.CutPrefix(spec, "npm:"); ok {
		name, spec = alias, "*"
		if at := strings.LastIndexByte(alias, '@'); at > 0 {
			name, spec = alias[:at], alias[at+1:]
		}
	}
	if !slices.Contains(d.specs[name], spec) {
		d.specs[name] = append(d.specs[name], spec)
	}
}

// readLock collects a lockfile's versions and the dependencies of all its
// packages, the root among them.
func readLock(data []byte) (*demand, error) {
	type entry struct {
		Name, Version, Resolved                                               string
		InBundle, Link                                                        bool
		Dependencies, DevDependencies, OptionalDependencies, PeerDependencies map[string]string
	}
	var lock struct{ Packages map[string]entry }
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("lockfile: %w", err)
	}
	d := &demand{versions: map[string][]string{}, specs: map[string][]string{}}
	for location, e := range lock.Packages {
		if at := strings.LastIndex(location, "node_modules/"); at >= 0 && !e.InBundle && !e.Link {
			name := e.Name
			if name == "" {
				name = location[at+len("node_modules/"):]
			}
			d.version(name, e.Version)
		}
		for _, group := range []map[string]string{e.Dependencies, e.DevDependencies, e.OptionalDependencies, e.PeerDependencies} {
			for name, spec := range group {
				d.spec(name, spec)
			}
		}
	}
	return d, nil
}

// width is how many versions a universe keeps beyond the needed one: so many of
// every range, so many to each side of a version of the lockfile, and so many
// of the highest and of the lowest.
const width = 3

// keep chooses the versions of a package that a universe has: those in the
// lockfile with their neighbours, the highest of every range that is asked for,
// those that asked-for tags and latest name, and the ends of the list.
func (d *demand) keep(name string, all []string, tags map[string]string) map[string]bool {
	kept := map[string]bool{}
	sorted := slices.DeleteFunc(slices.Clone(all), func(v string) bool {
		_, ok := semver.Valid(v, semver.Options{Loose: true})
		return !ok
	})
	slices.SortStableFunc(sorted, func(a, b string) int {
		c, err := semver.Compare(a, b, semver.Options{Loose: true})
		if err != nil {
			return strings.Compare(a, b)
		}
		return c
	})
	add := func(i int) {
		if i >= 0 && i < len(sorted) {
			kept[sorted[i]] = true
		}
	}
	for i := range width {
		add(i)
		add(len(sorted) - 1 - i)
	}
	for _, v := range append(slices.Clone(d.versions[name]), tags["latest"]) {
		if i := slices.Index(sorted, v); i >= 0 {
			for near := i - width; near <= i+width; near++ {
				add(near)
			}
		}
	}
	for _, spec := range d.specs[name] {
		if v, ok := tags[spec]; ok {
			add(slices.Index(sorted, v))
		}
		rest := slices.Clone(sorted)
		for range 1 + width {
			best, ok := semver.MaxSatisfying(rest, spec, semver.Options{Loose: true})
			if !ok {
				break
			}
			kept[best] = true
			rest = slices.DeleteFunc(rest, func(v string) bool { return v == best })
		}
	}
	return kept
}

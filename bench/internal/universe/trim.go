package universe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weft/bench/registry/archive"
	"weft/internal/jsonval"
)

// Trim makes a universe from a recording and the lockfile that npm wrote from
// it.
func Trim(a *archive.Archive, lockfile []byte) ([]Package, error) {
	d, err := readLock(lockfile)
	if err != nil {
		return nil, fmt.Errorf("trim: %w", err)
	}
	names, err := a.Names()
	if err != nil {
		return nil, fmt.Errorf("trim: %w", err)
	}
	var list []Package
	for _, name := range names {
		p, err := d.trimPackage(a, name)
		if err != nil {
			return nil, fmt.Errorf("trim %s: %w", name, err)
		}
		if len(p.Releases) > 0 {
			list = append(list, p)
		}
	}
	return list, nil
}

func (d *demand) trimPackage(a *archive.Archive, name string) (Package, error) {
	p := Package{Name: name}
	doc, err := a.Doc(name)
	if err != nil {
		return p, err
	}
	v, err := jsonval.Parse(doc.Full)
	if err != nil {
		return p, err
	}
	tags, byVersion := map[string]string{}, map[string][]string{}
	tagList, _ := v.Get("dist-tags")
	for _, m := range tagList.Members() {
		version, _ := m.Value.Str()
		tags[m.Key] = version
		byVersion[version] = append(byVersion[version], m.Key)
	}
	versions, _ := v.Get("versions")
	var all []string
	for _, m := range versions.Members() {
		all = append(all, m.Key)
	}
	kept := d.keep(name, all, tags)
	for _, m := range versions.Members() {
		if !kept[m.Key] {
			continue
		}
		r := Release{Version: m.Key, Tags: wanted(byVersion[m.Key], d.specs[name])}
		if text := compactText(trimManifest(m.Value)); text != "{}" {
			r.Manifest = []byte(text)
		}
		if deprecated, ok := m.Value.Get("deprecated"); ok {
			r.Deprecated, _ = deprecated.Str()
			r.Deprecated = scrub(r.Deprecated)
		}
		if slices.Contains(d.versions[name], m.Key) {
			if err := r.addFiles(a, name, m.Value); err != nil {
				return p, err
			}
		}
		p.Releases = append(p.Releases, r)
	}
	return p, nil
}

// wanted keeps latest and the tags that somebody asks for.
func wanted(tags, specs []string) []string {
	return slices.DeleteFunc(tags, func(tag string) bool {
		return tag != "latest" && !slices.Contains(specs, tag)
	})
}

// addFiles gives a version of the lockfile its tarball's small files. A tarball
// that was never asked for, such as another platform's, gets none.
func (r *Release) addFiles(a *archive.Archive, name string, manifest jsonval.Value) error {
	dist, _ := manifest.Get("dist")
	tarball, _ := dist.Get("tarball")
	at, _ := tarball.Str()
	_, rest, ok := strings.Cut(at, "://")
	if !ok {
		return fmt.Errorf("%s: tarball address %q", r.Version, at)
	}
	_, path, _ := strings.Cut(rest, "/")
	tgz, err := a.Tarball(path)
	if errors.Is(err, archive.ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	r.Files, r.Programs, err = digest(tgz)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Version, err)
	}
	// What regtest would write by itself need not be stored.
	if r.Files["package.json"] == compactText(named(name, r.Version, trimManifest(manifest)))+"\n" {
		delete(r.Files, "package.json")
	}
	return nil
}

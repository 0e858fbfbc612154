package regtest

import (
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"weft/internal/jsonval"
	"weft/internal/regtest/document"
)

// timeFormat is how registries write times.
const timeFormat = "2006-01-02T15:04:05.000Z"

// entry is all versions of one package.
type entry struct {
	versions []*release
	tags     []document.Member
}

// release is one version with its tarball.
type release struct {
	pkg       Package
	tgz       []byte
	published time.Time
}

func (e *entry) find(version string) *release {
	for _, r := range e.versions {
		if r.pkg.Version == version {
			return r
		}
	}
	return nil
}

// latest is the version added last that is no prerelease, or the last at all.
func (e *entry) latest() string {
	version := e.versions[len(e.versions)-1].pkg.Version
	for _, r := range e.versions {
		core, _, _ := strings.Cut(r.pkg.Version, "+")
		if !strings.Contains(core, "-") {
			version = r.pkg.Version
		}
	}
	return version
}

// packument writes the package's full packument.
func (r *Registry) packument(name string, e *entry) ([]byte, error) {
	quote := func(s string) []byte { return jsonval.AppendString(nil, s) }
	tags := document.Merge([]document.Member{{Key: "latest", Value: quote(e.latest())}}, e.tags)
	var versions, times []document.Member
	newest := e.versions[0].published
	for _, rel := range e.versions {
		manifest, err := r.versionManifest(rel)
		if err != nil {
			return nil, err
		}
		versions = append(versions, document.Member{Key: rel.pkg.Version, Value: document.AppendObject(nil, manifest)})
		times = append(times, document.Member{Key: rel.pkg.Version, Value: quote(rel.published.UTC().Format(timeFormat))})
		if rel.published.After(newest) {
			newest = rel.published
		}
	}
	times = append([]document.Member{
		{Key: "created", Value: quote(e.versions[0].published.UTC().Format(timeFormat))},
		{Key: "modified", Value: quote(newest.UTC().Format(timeFormat))},
	}, times...)
	return document.AppendObject(nil, []document.Member{
		{Key: "_id", Value: quote(name)},
		{Key: "name", Value: quote(name)},
		{Key: "dist-tags", Value: document.AppendObject(nil, tags)},
		{Key: "versions", Value: document.AppendObject(nil, versions)},
		{Key: "time", Value: document.AppendObject(nil, times)},
	}), nil
}

// versionManifest is one member of versions.
func (r *Registry) versionManifest(rel *release) ([]document.Member, error) {
	p := rel.pkg
	list, err := p.manifest()
	if err != nil {
		return nil, err
	}
	dist, err := r.dist(rel)
	if err != nil {
		return nil, err
	}
	list = append(list,
		document.Member{Key: "_id", Value: jsonval.AppendString(nil, p.String())},
		document.Member{Key: "dist", Value: document.AppendObject(nil, dist)})
	if p.Deprecated != "" {
		list = append(list, document.Member{Key: "deprecated", Value: jsonval.AppendString(nil, p.Deprecated)})
	}
	over, err := object(p.Packument, true)
	if err != nil {
		return nil, fmt.Errorf("packument of %s: %w", p, err)
	}
	return document.Merge(list, over), nil
}

func (r *Registry) dist(rel *release) ([]document.Member, error) {
	quote := func(s string) []byte { return jsonval.AppendString(nil, s) }
	strong, weak := sha512.Sum512(rel.tgz), sha1.Sum(rel.tgz)
	list := []document.Member{
		{Key: "integrity", Value: quote("sha512-" + base64.StdEncoding.EncodeToString(strong[:]))},
		{Key: "shasum", Value: quote(hex.EncodeToString(weak[:]))},
		{Key: "tarball", Value: quote(r.URL() + rel.pkg.Name + "/-/" + fileName(rel.pkg.Name, rel.pkg.Version))},
	}
	text := strings.NewReplacer("{registry}", r.URL(), "{other}", r.OtherURL()).Replace(rel.pkg.Dist)
	over, err := object(text, true)
	if err != nil {
		return nil, fmt.Errorf("dist of %s: %w", rel.pkg, err)
	}
	return document.Merge(list, over), nil
}

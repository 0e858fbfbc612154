// Package document derives registry documents from one another, the way the
// public registry does. It works on JSON text and keeps members in the order
// written.
package document

import (
	"fmt"

	"weft/internal/jsonval"
)

// shortFields are the members of a version's manifest that the abbreviated
// form keeps, as the public registry documents them.
var shortFields = map[string]bool{
	"name": true, "version": true, "deprecated": true,
	"dependencies": true, "optionalDependencies": true, "devDependencies": true,
	"bundleDependencies": true, "peerDependencies": true, "peerDependenciesMeta": true,
	"acceptDependencies": true, "bin": true, "directories": true, "dist": true,
	"engines": true, "_hasShrinkwrap": true, "hasInstallScript": true,
	"cpu": true, "os": true, "funding": true,
}

// Abbreviate derives a packument's abbreviated form from its full one, as
// compact JSON: name, dist-tags, versions with the fields that installing
// needs, and modified. Members keep their order; hasInstallScript is computed
// from the scripts, which are left out.
func Abbreviate(full []byte) ([]byte, error) {
	doc, err := Members(full)
	if err != nil {
		return nil, fmt.Errorf("abbreviate: %w", err)
	}
	var short []Member
	for _, key := range []string{"name", "dist-tags", "versions"} {
		value, ok := Find(doc, key)
		if !ok {
			continue
		}
		if key == "versions" {
			if value, err = abbreviateVersions(value); err != nil {
				return nil, fmt.Errorf("abbreviate: %w", err)
			}
		}
		short = append(short, Member{key, value})
	}
	if times, ok := Find(doc, "time"); ok {
		if modified := newest(times); modified != "" {
			short = append(short, Member{"modified", jsonval.AppendString(nil, modified)})
		}
	}
	return AppendObject(nil, short), nil
}

func abbreviateVersions(data []byte) ([]byte, error) {
	versions, err := Members(data)
	if err != nil {
		return nil, err
	}
	for i := range versions {
		manifest, err := Members(versions[i].Value)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", versions[i].Key, err)
		}
		versions[i].Value = AppendObject(nil, abbreviateManifest(manifest))
	}
	return AppendObject(nil, versions), nil
}

func abbreviateManifest(manifest []Member) []Member {
	var kept []Member
	for _, m := range manifest {
		if m.Key == "bundledDependencies" {
			if _, both := Find(manifest, "bundleDependencies"); !both {
				kept = append(kept, Member{"bundleDependencies", m.Value})
			}
		}
		if shortFields[m.Key] {
			kept = append(kept, m)
		}
	}
	if _, said := Find(manifest, "hasInstallScript"); !said && runsAtInstall(manifest) {
		kept = append(kept, Member{"hasInstallScript", []byte("true")})
	}
	return kept
}

func runsAtInstall(manifest []Member) bool {
	value, ok := Find(manifest, "scripts")
	if !ok {
		return false
	}
	scripts, err := jsonval.Parse(value)
	if err != nil {
		return false
	}
	for _, key := range []string{"preinstall", "install", "postinstall"} {
		if s, ok := scripts.Get(key); ok && s.Truthy() {
			return true
		}
	}
	return false
}

// newest is time.modified, or the latest of the times where that is missing.
// Times are ISO 8601 in UTC, so they sort as text.
func newest(times []byte) string {
	v, err := jsonval.Parse(times)
	if err != nil {
		return ""
	}
	if m, ok := v.Get("modified"); ok {
		if s, ok := m.Str(); ok {
			return s
		}
	}
	var latest string
	for _, m := range v.Members() {
		s, _ := m.Value.Str()
		latest = max(latest, s)
	}
	return latest
}

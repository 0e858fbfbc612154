package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// Abbreviate derives a packument's abbreviated form from its full one. The
// public registry makes it the same way: name, dist-tags, modified, and of
// every version the fields that installing needs. Order is kept; hasInstallScript
// is computed from the scripts, which are left out.
func Abbreviate(full []byte) ([]byte, error) {
	doc, err := members(full)
	if err != nil {
		return nil, fmt.Errorf("abbreviate: %w", err)
	}
	var short []member
	for _, key := range []string{"name", "dist-tags", "versions"} {
		value, ok := find(doc, key)
		if !ok {
			continue
		}
		if key == "versions" {
			if value, err = abbreviateVersions(value); err != nil {
				return nil, fmt.Errorf("abbreviate: %w", err)
			}
		}
		short = append(short, member{key, value})
	}
	if times, ok := find(doc, "time"); ok {
		if modified := newest(times); modified != "" {
			quoted, err := appendString(nil, modified)
			if err != nil {
				return nil, err
			}
			short = append(short, member{"modified", quoted})
		}
	}
	return appendObject(nil, short)
}

func abbreviateVersions(data []byte) (json.RawMessage, error) {
	versions, err := members(data)
	if err != nil {
		return nil, err
	}
	for i := range versions {
		manifest, err := members(versions[i].value)
		if err != nil {
			return nil, fmt.Errorf("version %s: %w", versions[i].key, err)
		}
		if versions[i].value, err = appendObject(nil, abbreviateManifest(manifest)); err != nil {
			return nil, err
		}
	}
	return appendObject(nil, versions)
}

func abbreviateManifest(manifest []member) []member {
	var kept []member
	for _, m := range manifest {
		if m.key == "bundledDependencies" {
			if _, both := find(manifest, "bundleDependencies"); !both {
				kept = append(kept, member{"bundleDependencies", m.value})
			}
		}
		if shortFields[m.key] {
			kept = append(kept, m)
		}
	}
	if _, said := find(manifest, "hasInstallScript"); !said && runsAtInstall(manifest) {
		kept = append(kept, member{"hasInstallScript", json.RawMessage("true")})
	}
	return kept
}

func runsAtInstall(manifest []member) bool {
	value, ok := find(manifest, "scripts")
	if !ok {
		return false
	}
	scripts, err := members(value)
	if err != nil {
		return false
	}
	for _, s := range scripts {
		switch s.key {
		case "preinstall", "install", "postinstall":
			if !bytes.Equal(s.value, []byte(`""`)) && !bytes.Equal(s.value, []byte("null")) {
				return true
			}
		}
	}
	return false
}

// newest is time.modified, or the latest of the times where that is missing.
// Times are ISO 8601 in UTC, so they sort as text.
func newest(times []byte) string {
	list, err := members(times)
	if err != nil {
		return ""
	}
	var latest string
	for _, m := range list {
		var s string
		if json.Unmarshal(m.value, &s) != nil {
			continue
		}
		if m.key == "modified" {
			return s
		}
		latest = max(latest, s)
	}
	return latest
}

package regtest

import (
	"fmt"
	"io/fs"
	"strings"
	"time"

	"weft/internal/jsonval"
	"weft/internal/regtest/document"
)

// Package is one published version.
type Package struct {
	Name, Version string
	// Manifest is the rest of package.json, as the text of a JSON object; ""
	// is none. Its order is kept in the packument and in the tarball.
	Manifest string
	// Packument is a JSON object of members that the packument's version has
	// otherwise than package.json; null removes a member.
	Packument string
	// Dist is a JSON object of members of the version's dist that replace the
	// true ones; null removes one. In its strings {registry} and {other} are
	// the addresses of the two servers.
	Dist string
	// Deprecated is the deprecation message, "" for none.
	Deprecated string
	// Tags are dist-tags that name this version. Without any "latest", the
	// version added last that is no prerelease is the latest.
	Tags []string
	// Published is the version's entry in time. The zero value counts days
	// from 2020-01-01 in the order of adding.
	Published time.Time

	// Files are further files of the tarball by path; each package has
	// package.json and, unless named here or in NoMain, index.js. Paths below
	// node_modules/ are bundled dependencies.
	Files map[string]string
	// Modes are modes of files in the tarball that are not 0644.
	Modes map[string]fs.FileMode
	// NoMain leaves index.js out.
	NoMain bool
	// Tarball, when set, is sent instead of one made from the files.
	Tarball []byte
}

// String gives name@version.
func (p Package) String() string { return p.Name + "@" + p.Version }

// manifest is package.json's members: name, version, and the rest.
func (p Package) manifest() ([]document.Member, error) {
	list := []document.Member{
		{Key: "name", Value: jsonval.AppendString(nil, p.Name)},
		{Key: "version", Value: jsonval.AppendString(nil, p.Version)},
	}
	rest, err := object(p.Manifest, false)
	if err != nil {
		return nil, fmt.Errorf("manifest of %s: %w", p, err)
	}
	return document.Merge(list, rest), nil
}

// object splits the text of a JSON object. Empty text has no members. With
// nullRemoves a null becomes nil, which document.Merge takes for a removal.
func object(text string, nullRemoves bool) ([]document.Member, error) {
	if text == "" {
		return nil, nil
	}
	if _, err := jsonval.ParseString(text); err != nil {
		return nil, err
	}
	list, err := document.Members([]byte(text))
	for i := range list {
		if nullRemoves && string(list[i].Value) == "null" {
			list[i].Value = nil
		}
	}
	return list, err
}

// fileName is the tarball's name in its address.
func fileName(name, version string) string {
	if _, base, scoped := strings.Cut(name, "/"); scoped {
		name = base
	}
	return name + "-" + version + ".tgz"
}

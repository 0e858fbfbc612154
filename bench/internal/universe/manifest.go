package universe

import (
	"regexp"
	"strings"

	"weft/internal/jsonval"
)

// packumentFields are the members of a packument's version that a universe
// keeps. dist is made anew from the small tarball.
var packumentFields = map[string]bool{
	"dependencies": true, "optionalDependencies": true, "bundleDependencies": true,
	"bundledDependencies": true, "peerDependencies": true, "peerDependenciesMeta": true,
	"acceptDependencies": true, "bin": true, "directories": true, "engines": true,
	"_hasShrinkwrap": true, "hasInstallScript": true, "cpu": true, "os": true, "libc": true,
	"funding": true, "license": true, "licenses": true, "gypfile": true, "workspaces": true,
}

// address matches an address of a web page. Deprecation messages and funding
// are full of them; a universe names no host that a program could ask.
var address = regexp.MustCompile(`(?:https?://)?(?:registry|www|docs)\.npmjs\.[a-z]+[^\s"]*`)

// trimManifest keeps the members that installing needs, in their order. The
// result has neither name nor version.
func trimManifest(manifest jsonval.Value) jsonval.Value {
	var kept []jsonval.Member
	for _, m := range manifest.Members() {
		switch {
		case m.Key == "scripts":
			if scripts := trimScripts(m.Value); scripts.Len() > 0 {
				kept = append(kept, jsonval.Member{Key: m.Key, Value: scripts})
			}
		case m.Key == "directories":
			if bin, ok := m.Value.Get("bin"); ok {
				kept = append(kept, jsonval.Member{Key: m.Key, Value: jsonval.OfObject(jsonval.Member{Key: "bin", Value: bin})})
			}
		case packumentFields[m.Key]:
			kept = append(kept, m)
		}
	}
	return jsonval.OfObject(kept...)
}

// trimScripts keeps the names of the scripts that run at install time. What
// they would run is of no concern, since no check runs scripts.
func trimScripts(scripts jsonval.Value) jsonval.Value {
	var kept []jsonval.Member
	for _, m := range scripts.Members() {
		switch m.Key {
		case "preinstall", "install", "postinstall":
			if m.Value.Truthy() {
				kept = append(kept, jsonval.Member{Key: m.Key, Value: jsonval.OfString("exit 1")})
			}
		}
	}
	return jsonval.OfObject(kept...)
}

func scrub(text string) string { return address.ReplaceAllString(text, "npm") }

func compactText(v jsonval.Value) string {
	return scrub(string(jsonval.AppendJSON(nil, v, "", "")))
}

// named puts name and version before a trimmed manifest's members.
func named(name, version string, trimmed jsonval.Value) jsonval.Value {
	members := []jsonval.Member{
		{Key: "name", Value: jsonval.OfString(name)},
		{Key: "version", Value: jsonval.OfString(version)},
	}
	return jsonval.OfObject(append(members, trimmed.Members()...)...)
}

// programs lists the files that a manifest's bin names, as paths in the
// package.
func programs(manifest jsonval.Value) []string {
	bin, ok := manifest.Get("bin")
	if !ok {
		return nil
	}
	var list []string
	add := func(v jsonval.Value) {
		if s, ok := v.Str(); ok {
			list = append(list, strings.TrimPrefix(s, "./"))
		}
	}
	add(bin)
	for _, m := range bin.Members() {
		add(m.Value)
	}
	return list
}

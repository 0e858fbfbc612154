package regtest

import (
	"fmt"
	"io/fs"

	"weft/internal/jsonval"
)

// release draws one version: what it depends on and what is odd about it.
func (g *generator) release(name, version string, index int) Package {
	p := Package{Name: name, Version: version, Files: map[string]string{}}
	taken := map[string]bool{}
	var members []jsonval.Member
	set := func(key string, v jsonval.Value) { members = append(members, jsonval.Member{Key: key, Value: v}) }

	dependencies := g.group(3, taken)
	if g.odd(8) {
		dependencies = append(dependencies, g.bundle(&p, set))
	}
	if len(dependencies) > 0 {
		set("dependencies", jsonval.OfObject(dependencies...))
	}
	if g.odd(15) {
		if optional := g.optional(taken); len(optional) > 0 {
			set("optionalDependencies", jsonval.OfObject(optional...))
		}
	}
	// The more packages, the likelier that some peers conflict.
	if !g.shape.NoPeers && g.odd(min(22, 22*12/g.shape.Names)) {
		g.peers(taken, set)
	}
	g.traits(&p, index, set)
	p.Manifest = string(jsonval.AppendJSON(nil, jsonval.OfObject(members...), "", ""))
	return p
}

// bundle puts a private package into the tarball and returns the dependency on
// it. Its name is its owner's, so that no other package asks for it.
func (g *generator) bundle(p *Package, set func(string, jsonval.Value)) jsonval.Member {
	const inner = "inner"
	p.Files["node_modules/"+inner+"/package.json"] = `{"name":"inner","version":"1.0.0"}` + "\n"
	p.Files["node_modules/"+inner+"/index.js"] = "module.exports = 'inner'\n"
	set("bundleDependencies", jsonval.OfStrings(inner))
	return jsonval.Member{Key: inner, Value: jsonval.OfString("1.0.0")}
}

// optional draws optional dependencies, some of packages that nobody has
// published and of ranges without a version.
func (g *generator) optional(taken map[string]bool) []jsonval.Member {
	list := g.groupOf(2, taken, 100)
	if g.chance(20) {
		list = append(list, jsonval.Member{Key: "never-published", Value: jsonval.OfString("^1.0.0")})
	}
	if name := pickOne(g, g.names); g.chance(15) && !taken[name] {
		taken[name] = true
		list = append(list, jsonval.Member{Key: name, Value: jsonval.OfString("^99.0.0")})
	}
	return list
}

// peers draws peer dependencies, some of them optional. Wide ranges are the
// rule, or else hardly any world could be installed.
func (g *generator) peers(taken map[string]bool, set func(string, jsonval.Value)) {
	var peers, meta []jsonval.Member
	for range 1 + g.rng.IntN(2) {
		name := pickOne(g, g.names)
		if taken[name] {
			continue
		}
		taken[name] = true
		spec := "*"
		if g.chance(50) {
			spec = g.spec(name)
		} else if g.chance(50) {
			spec = ">=" + g.versions[name][0]
		}
		peers = append(peers, jsonval.Member{Key: name, Value: jsonval.OfString(spec)})
		if g.chance(30) {
			yes := jsonval.OfObject(jsonval.Member{Key: "optional", Value: jsonval.OfBool(true)})
			meta = append(meta, jsonval.Member{Key: name, Value: yes})
		}
	}
	if len(peers) > 0 {
		set("peerDependencies", jsonval.OfObject(peers...))
	}
	if len(meta) > 0 {
		set("peerDependenciesMeta", jsonval.OfObject(meta...))
	}
}

// traits draws what is odd about a version by itself.
func (g *generator) traits(p *Package, index int, set func(string, jsonval.Value)) {
	if g.odd(8) {
		p.Deprecated = pickOne(g, []string{"do not use", "moved", "broken\nbuild"})
	}
	if g.native[p.Name] && g.odd(60) {
		set("os", jsonval.OfStrings(pickOne(g, []string{"darwin", "linux", "!linux", "win32"})))
	}
	if g.native[p.Name] && g.odd(30) {
		set("cpu", jsonval.OfStrings(pickOne(g, []string{"x64", "arm64", "!x64"})))
	}
	if g.odd(6) {
		node := jsonval.Member{Key: "node", Value: jsonval.OfString(pickOne(g, []string{">=4", ">=99", "^18 || >=20", "*"}))}
		set("engines", jsonval.OfObject(node))
	}
	if g.odd(20) {
		path := fmt.Sprintf("bin/run-%d.js", index)
		set("bin", jsonval.OfObject(jsonval.Member{Key: "run-" + p.Version, Value: jsonval.OfString(path)}))
		p.Files[path] = "#!/usr/bin/env node\n"
		// Executable from the start: of two programs of one name npm makes only
		// the linked one executable, which hardlinks to one file cannot show.
		p.Modes = map[string]fs.FileMode{path: 0o755}
	}
	if g.odd(30) {
		set("license", jsonval.OfString(pickOne(g, []string{"MIT", "ISC", "(MIT OR Apache-2.0)"})))
	}
	if g.odd(10) {
		set("funding", jsonval.OfString("https://example.com/fund"))
	}
	if g.odd(5) {
		set("scripts", jsonval.OfObject(jsonval.Member{Key: "postinstall", Value: jsonval.OfString("exit 1")}))
	}
	if g.odd(6) {
		p.Tags = append(p.Tags, pickOne(g, []string{"latest", "next", "beta"}))
	}
}

package packument

import (
	"strings"
	"unsafe"

	"weft/internal/jsonval"
)

// Compact returns the same packument without what an installation never looks at, so that the document can
// be freed. Of each manifest it keeps what the abbreviated form has and what a lockfile records: name, version, the kinds
// of dependencies but for devDependencies, peerDependenciesMeta, bundled dependencies, bin, directories, engines, os, cpu,
// libc, deprecated, license, funding, workspaces, devEngines, hasInstallScript (also where scripts say so),
// _hasShrinkwrap, and of dist the tarball, its hashes and sizes. White space goes too. Times are kept.
//
// Manifests are decoded anew from the result; those that p has decoded stay with p. A manifest too broken to be walked
// through is kept as it is, for the error that it gives.
func (p *Packument) Compact() *Packument {
	if p.compact {
		return p
	}
	c := compactor{from: p}
	q := &Packument{
		Name: strings.Clone(p.Name), Modified: strings.Clone(p.Modified), restriction: strings.Clone(p.restriction), compact: true,
	}
	for _, t := range p.tags {
		q.tags = append(q.tags, Tag{strings.Clone(t.Name), strings.Clone(t.Version)})
	}
	q.times.copyFrom(p)
	c.reserve()
	c.engines = &q.engines
	c.copySet(&q.versions, &p.versions)
	c.copySet(&q.staged, &p.staged)
	c.copySet(&q.restricted, &p.restricted)
	if cap(c.buf)-len(c.buf) > len(c.buf)/8 {
		c.buf = append(make([]byte, 0, len(c.buf)), c.buf...)
	}
	q.text = unsafe.String(unsafe.SliceData(c.buf), len(c.buf))
	for _, set := range q.sets() {
		c.name(set, q.text)
	}
	return q
}

// compactor copies the manifests of one packument into a buffer, each after its key.
type compactor struct {
	from    *Packument
	engines *engineTable
	buf     []byte
}

// bytesOf gives the bytes of a string without copying; they must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// reserve makes a buffer of the size that a full document shrinks to.
func (c *compactor) reserve() {
	const shrink = 3
	c.buf = make([]byte, 0, len(c.from.text)/shrink+1024)
}

func (c *compactor) copySet(dst, src *versions) {
	if len(src.list) == 0 {
		return
	}
	dst.list = make([]entry, len(src.list))
	dst.lazy()
	for i := range src.list {
		c.buf = append(c.buf, src.list[i].key...)
		start := len(c.buf)
		f := c.copyManifest(src.raw(c.from, i))
		dst.list[i] = entry{src.list[i].key, uint32(start), uint32(len(c.buf))} // name moves the key
		dst.facts[i].Store(uint32(f))
	}
	dst.index.slots = append([]uint32(nil), src.index.slots...)
}

// name gives the entries their keys as parts of the new text, where each stands before its manifest.
func (c *compactor) name(set *versions, text string) {
	for i := range set.list {
		e := &set.list[i]
		e.key = text[int(e.start)-len(e.key) : e.start]
	}
}

// kept says how a field of a manifest is kept.
type kept uint8

const (
	dropped kept = iota
	asIs
	asDist
	asScripts
)

// keep says what becomes of a field of a manifest.
func keep(key string) kept {
	switch key {
	case "name", "version", "dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta",
		"acceptDependencies", "bundleDependencies", "bundledDependencies", "bin", "directories", "engines", "os", "cpu", "libc",
		"deprecated", "license", "funding", "workspaces", "devEngines", "hasInstallScript", "_hasShrinkwrap":
		return asIs
	case "dist":
		return asDist
	case "scripts":
		return asScripts
	}
	return dropped
}

// copyManifest appends what is kept of a manifest and returns its facts.
func (c *compactor) copyManifest(raw string) facts {
	start := len(c.buf)
	f := factsKnown
	var e engines
	runs := false
	s := jsonval.NewScanner(bytesOf(raw))
	c.buf = append(c.buf, '{')
	err := s.Members(func(key string) error {
		how := keep(key)
		if how == dropped {
			return nil
		}
		value, err := s.Skip()
		if err != nil {
			return err
		}
		switch {
		case how == asScripts:
			runs = runsAtInstall(value)
			return nil
		case how == asDist && value[0] == '{':
			c.key(key)
			return c.copyDist(value)
		case key == "deprecated":
			f &^= factsDeprecated
			if v, err := jsonval.ParseString(share(value)); err == nil && v.Truthy() {
				f |= factsDeprecated
			}
		case key == "engines":
			v, _ := jsonval.ParseString(share(value))
			e = readEngines(v)
		}
		c.key(key)
		c.buf = appendMinified(c.buf, value)
		return nil
	})
	if err != nil {
		c.buf = append(c.buf[:start], raw...)
		return readFacts(raw, c.engines)
	}
	if runs {
		c.key("hasInstallScript")
		c.buf = append(c.buf, "true"...)
	}
	c.close()
	return f | facts(c.engines.position(e))<<factsEngines
}

// copyDist appends the parts of dist that name and check the tarball.
func (c *compactor) copyDist(raw []byte) error {
	c.buf = append(c.buf, '{')
	s := jsonval.NewScanner(raw)
	err := s.Members(func(key string) error {
		switch key {
		case "tarball", "integrity", "shasum", "fileCount", "unpackedSize":
			value, err := s.Skip()
			if err == nil {
				c.key(key)
				c.buf = appendMinified(c.buf, value)
			}
			return err
		}
		return nil
	})
	c.close()
	return err
}

// key appends a key, one of those known here, with a comma before it where one belongs.
func (c *compactor) key(key string) {
	if c.buf[len(c.buf)-1] != '{' {
		c.buf = append(c.buf, ',')
	}
	c.buf = append(c.buf, '"')
	c.buf = append(c.buf, key...)
	c.buf = append(c.buf, '"', ':')
}

func (c *compactor) close() { c.buf = append(c.buf, '}') }

// runsAtInstall reports whether a package's scripts do something when it is installed.
func runsAtInstall(raw []byte) bool {
	v, err := jsonval.ParseString(share(raw))
	if err != nil {
		return false
	}
	for _, name := range [...]string{"preinstall", "install", "postinstall"} {
		if script, _ := v.Get(name); script.Kind() == jsonval.String && script.Truthy() {
			return true
		}
	}
	return false
}

// appendMinified appends JSON text without the white space between its tokens.
func appendMinified(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		start := i
		for i < len(raw) && raw[i] != '"' && raw[i] > ' ' {
			i++
		}
		if i < len(raw) && raw[i] == '"' {
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(raw))
		}
		dst = append(dst, raw[start:i]...)
		for i < len(raw) && raw[i] <= ' ' {
			i++
		}
	}
	return dst
}

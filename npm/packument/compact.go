package packument

import (
	"strings"
	"sync"
	"unsafe"

	"weft/internal/jsonval"
)

// ParseCompact is Parse and Compact in one. It does not keep data.
func ParseCompact(data []byte) (*Packument, error) {
	q := &Packument{compact: true}
	c := newCompactor(q)
	err := q.read(data, c.take)
	if err != nil {
		c.free()
		// Parse is content with less: it accepts manifests that cannot be walked through.
		p, err := Parse(data)
		if err != nil {
			return nil, err
		}
		return p.Compact(), nil
	}
	q.detach()
	c.finish()
	return q, nil
}

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
	times := p.published()
	q := &Packument{Name: p.Name, Modified: p.Modified, restriction: p.restriction, tags: p.tags, compact: true}
	q.times.stated, q.times.millis, q.times.others = times.stated, times.millis, times.others
	q.detach()
	c := newCompactor(q)
	from := p.sets()
	for n, set := range q.sets() {
		set.list = make([]entry, len(from[n].list))
		set.index.slots = from[n].index.slots
		for i := range set.list {
			set.list[i] = c.copyRaw(from[n].list[i].key, from[n].raw(p, i))
		}
	}
	c.finish()
	return q
}

// detach copies the strings that are parts of a document, but for what finish sees to.
func (p *Packument) detach() {
	p.Name, p.Modified, p.restriction = strings.Clone(p.Name), strings.Clone(p.Modified), strings.Clone(p.restriction)
	tags := make([]Tag, len(p.tags))
	for i, t := range p.tags {
		tags[i] = Tag{strings.Clone(t.Name), strings.Clone(t.Version)}
	}
	p.tags = tags
	times := p.published()
	times.raw = ""
	others := times.others
	times.others = nil
	for key, ms := range others {
		times.other(strings.Clone(key), ms)
	}
}

// compactor copies manifests into a buffer, each after its key.
type compactor struct {
	to      *Packument
	buf     []byte
	scratch *[]byte // where buf comes from and goes back to

	// Of the manifest being copied:
	s     *jsonval.Scanner
	seen  facts // without the engines
	runs  [len(installScripts)]bool
	asked string // the text of its engines

	lastAsked    string // the text of the engines looked at last, and their position
	lastPosition int

	onField, onScript, onDist func(key string) error // the methods below, bound once
}

// buffers holds what compactors have built in.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptBuffer is the largest buffer that is used again.
const maxKeptBuffer = 8 << 20

func newCompactor(to *Packument) *compactor {
	scratch := buffers.Get().(*[]byte)
	c := &compactor{to: to, buf: (*scratch)[:0], scratch: scratch}
	c.onField, c.onScript, c.onDist = c.field, c.script, c.distField
	return c
}

// free gives the buffer back; the compactor is of no use after it.
func (c *compactor) free() {
	if cap(c.buf) <= maxKeptBuffer {
		*c.scratch = c.buf
		buffers.Put(c.scratch)
	}
	c.buf, c.scratch = nil, nil
}

// finish gives the packument its text, and the keys their places in it.
func (c *compactor) finish() {
	c.to.text = string(c.buf)
	c.free()
	for _, set := range c.to.sets() {
		for i := range set.list {
			e := &set.list[i]
			e.key = c.to.text[int(e.start)-len(e.key) : e.start]
		}
	}
}

// take is the taker that copies what is kept.
func (c *compactor) take(s *jsonval.Scanner, key string) (entry, error) {
	c.buf = append(c.buf, key...)
	start := len(c.buf)
	f, err := c.copyManifest(s)
	return entry{key, uint32(start), uint32(len(c.buf)), uint32(f)}, err
}

// copyRaw copies what is kept of a manifest, or all of it where it is broken.
func (c *compactor) copyRaw(key, raw string) entry {
	start := len(c.buf)
	e, err := c.take(jsonval.NewScanner(bytesOf(raw)), key)
	if err != nil {
		c.buf = append(append(c.buf[:start], key...), raw...)
		e = entry{key, uint32(start + len(key)), uint32(len(c.buf)), uint32(readFacts(raw, &c.to.engines))}
	}
	return e
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

// copyManifest appends what is kept of the next value, a manifest, and returns its facts.
func (c *compactor) copyManifest(s *jsonval.Scanner) (facts, error) {
	c.s, c.seen, c.runs, c.asked = s, factsKnown, [len(installScripts)]bool{}, ""
	c.buf = append(c.buf, '{')
	if err := s.Members(c.onField); err != nil {
		return 0, err
	}
	if c.runs != [len(installScripts)]bool{} {
		c.member("hasInstallScript", []byte("true"))
	}
	c.buf = append(c.buf, '}')
	return c.seen | facts(c.enginesAsked())<<factsEngines, nil
}

// field copies a member of a manifest if it is kept.
func (c *compactor) field(key string) error {
	kind, _ := c.s.Kind()
	switch keep(key) {
	case dropped:
		return nil
	case asScripts:
		if c.runs = [len(installScripts)]bool{}; kind == jsonval.Object {
			return c.s.Members(c.onScript)
		}
		return nil
	case asDist:
		if kind == jsonval.Object {
			c.member(key, []byte{'{'})
			err := c.s.Members(c.onDist)
			c.buf = append(c.buf, '}')
			return err
		}
	}
	value, err := c.s.Skip()
	if err != nil {
		return err
	}
	switch key {
	case "deprecated":
		c.seen &^= factsDeprecated
		if v, err := jsonval.ParseString(share(value)); err == nil && v.Truthy() {
			c.seen |= factsDeprecated
		}
	case "engines":
		c.asked = share(value)
	}
	c.member(key, value)
	return nil
}

// enginesAsked returns the position of the engines that the manifest asks for. Mostly they are its predecessor's.
func (c *compactor) enginesAsked() int {
	if c.asked == "" {
		return 0
	}
	if c.asked != c.lastAsked {
		v, _ := jsonval.ParseString(c.asked)
		c.lastAsked, c.lastPosition = c.asked, c.to.engines.position(readEngines(v))
	}
	return c.lastPosition
}

// distField copies a member of dist if it is kept.
func (c *compactor) distField(key string) error {
	switch key {
	case "tarball", "integrity", "shasum", "fileCount", "unpackedSize":
		value, err := c.s.Skip()
		if err == nil {
			c.member(key, value)
		}
		return err
	}
	return nil
}

// installScripts are the scripts that run when a package is installed.
var installScripts = [...]string{"preinstall", "install", "postinstall"}

// script notes whether a member of scripts runs when the package is installed. Given twice, its last value counts.
func (c *compactor) script(key string) error {
	for i, name := range installScripts {
		if name == key {
			v, err := c.s.Value()
			c.runs[i] = v.Kind() == jsonval.String && v.Truthy()
			return err
		}
	}
	return nil
}

// member appends a member whose key is one of those known here, with a comma before it where one belongs.
func (c *compactor) member(key string, value []byte) {
	if c.buf[len(c.buf)-1] != '{' {
		c.buf = append(c.buf, ',')
	}
	c.buf = append(c.buf, '"')
	c.buf = append(c.buf, key...)
	c.buf = append(c.buf, '"', ':')
	c.buf = appendMinified(c.buf, value)
}

// bytesOf gives the bytes of a string without copying; they must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

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

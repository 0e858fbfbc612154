package packument

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// Errors of this package besides those of picking.
var (
	// ErrNotObject is the condition of a document that is no JSON object.
	ErrNotObject = errors.New("packument is not a JSON object")
	// ErrTooLarge is the condition of a document beyond MaxSize.
	ErrTooLarge = errors.New("packument too large")
	// ErrNoVersion is the condition of asking for a version that the document does not have.
	ErrNoVersion = errors.New("no such version")
)

// MaxSize is the largest document in bytes that is read.
const MaxSize = 1 << 30

// Tag is a dist-tag: a name that stands for a version.
type Tag struct{ Name, Version string }

// Packument is a registry's document about one package. Make one with Parse, Compact or FromCache.
type Packument struct {
	// Name is the package's name as the document gives it, "" where it gives none.
	Name string
	// Modified is when the document changed last, as written; "" where it does not say.
	Modified string

	text string // holds the manifests; the document itself unless compact
	tags []Tag
	versions
	// staged are versions that a registry holds back until they are approved, restricted those that a
	// policy forbids; both are empty but for registries that have such things.
	staged, restricted versions
	restriction        string // the policy's message

	compact bool
	times   timeTable
	engines engineTable

	order struct {
		sync.Once
		list []candidate
	}
}

// versions is a set of manifests in a document, in the order that JavaScript gives its keys.
type versions struct {
	list  []entry
	index keyIndex

	once      sync.Once
	manifests []atomic.Pointer[manifest.Manifest] // those decoded so far; made at first use
}

// entry is one version: its key, where its manifest stands in the text, and what is known of the manifest.
type entry struct {
	key        string
	start, end uint32
	facts      uint32 // see facts; once the entry is shared, read and written by atomic operations only
}

// find returns the position of a version; ok is false where there is none.
func (v *versions) find(version string) (i int, ok bool) {
	return v.index.find(v.list, version)
}

func (v *versions) has(version string) bool {
	_, ok := v.find(version)
	return ok
}

func (v *versions) raw(p *Packument, i int) string {
	return p.text[v.list[i].start:v.list[i].end]
}

// manifest decodes the i-th manifest, or returns it where that has been done.
func (v *versions) manifest(p *Packument, i int) (*manifest.Manifest, error) {
	v.once.Do(func() { v.manifests = make([]atomic.Pointer[manifest.Manifest], len(v.list)) })
	if m := v.manifests[i].Load(); m != nil {
		return m, nil
	}
	value, err := jsonval.ParseString(v.raw(p, i))
	if err != nil {
		return nil, fmt.Errorf("read manifest of %s@%s: %w", p.Name, v.list[i].key, err)
	}
	m, err := manifest.FromValue(value)
	if err != nil {
		return nil, fmt.Errorf("manifest of %s@%s: %w", p.Name, v.list[i].key, err)
	}
	if !v.manifests[i].CompareAndSwap(nil, m) {
		m = v.manifests[i].Load()
	}
	return m, nil
}

// Len returns the number of versions.
func (p *Packument) Len() int { return len(p.versions.list) }

// Versions returns the versions in the document's order. The caller owns the slice.
func (p *Packument) Versions() []string {
	out := make([]string, len(p.versions.list))
	for i := range out {
		out[i] = p.versions.list[i].key
	}
	return out
}

// Has reports whether the document has the version.
func (p *Packument) Has(version string) bool { return p.versions.has(version) }

// DistTags returns the dist-tags in the document's order. The caller must not change the slice.
func (p *Packument) DistTags() []Tag { return p.tags[:len(p.tags):len(p.tags)] }

// DistTag returns the version that a tag stands for, which the document need not have; ok is false where
// there is no such tag.
func (p *Packument) DistTag(tag string) (version string, ok bool) {
	for i := range p.tags {
		if p.tags[i].Name == tag {
			return p.tags[i].Version, true
		}
	}
	return "", false
}

// Manifest returns the manifest of a version, decoded at the first call and shared by all callers, who must not
// change it. The error wraps ErrNoVersion where the document lacks the version, else says what is wrong
// with the manifest.
func (p *Packument) Manifest(version string) (*manifest.Manifest, error) {
	i, ok := p.versions.find(version)
	if !ok {
		return nil, fmt.Errorf("manifest of %s@%s: %w", p.Name, version, ErrNoVersion)
	}
	return p.versions.manifest(p, i)
}

// Size returns how many bytes of text the Packument keeps alive, decoded manifests aside.
func (p *Packument) Size() int { return len(p.text) }

package packument

import (
	"strings"
	"time"

	"weft/npm/manifest"
	"weft/npm/semver"
	"weft/npm/spec"
)

// PickOptions bear on which of several versions is picked. The zero value prefers the tag "latest" and checks no engines.
type PickOptions struct {
	// DefaultTag is the tag that is preferred where it satisfies the range, and stands for an empty spec; "" means
	// "latest".
	DefaultTag string
	// NodeVersion and NpmVersion are what manifests' engines are held against; "" is not checked. Versions that do not
	// fit are passed over for others that do, but picked where there are no others.
	NodeVersion, NpmVersion string
	// Before leaves out versions published later, where the document has times; the zero time leaves out none.
	Before time.Time
	// Avoid is a range of versions to pass over where there are others.
	Avoid string
	// AvoidStrict goes outside the range wanted rather than pick a version to be avoided.
	AvoidStrict bool
	// IncludeStaged lets versions be picked that the registry holds back for approval.
	IncludeStaged bool
}

// Choice is a version that was picked.
type Choice struct {
	Version  string // its key in the document
	Manifest *manifest.Manifest
	// Avoided reports that the version is one to be avoided, and nothing better was there.
	Avoided bool
	// OutsideRange reports that AvoidStrict had to leave the range wanted, OtherMajor that it had to leave its
	// major version too.
	OutsideRange, OtherMajor bool
}

// Pick returns the manifest of the version that answers a version, range or tag, or an alias of one. See Choose.
func Pick(p *Packument, s spec.Spec, o PickOptions) (*manifest.Manifest, error) {
	c, err := Choose(p, s, o)
	if err != nil {
		return nil, err
	}
	return c.Manifest, nil
}

// Choose picks the version that answers a version, range or tag, or an alias of one, by npm-pick-manifest's rules: an exact
// version or tag is that or nothing; of a range the default tag's version if it will do, else the best by being not avoided,
// not restricted, not staged, not deprecated and fit for the engines, fit for the engines, not deprecated, highest.
//
// The error is a *NoMatchError, or wraps ErrSpecType or spec.ErrName; or the manifest of the version picked is broken.
func Choose(p *Packument, s spec.Spec, o PickOptions) (Choice, error) {
	if s.Type == spec.Alias && s.Sub != nil {
		s = *s.Sub
	}
	k := newPicker(p, s, o)
	if err := k.check(); err != nil {
		return Choice{}, err
	}
	found, err := k.pickStrictly()
	if err != nil {
		return Choice{}, err
	}
	if !found.ok {
		return Choice{}, k.fail(ErrNoMatch)
	}
	set, i := p.locate(found.candidate)
	m, err := set.manifest(p, i)
	if err != nil {
		return Choice{}, err
	}
	if p.restricted.has(m.Version) {
		return Choice{}, k.fail(ErrRestricted)
	}
	return Choice{set.list[i].key, m, found.avoided, found.outside, found.major}, nil
}

// picker is one question to a document.
type picker struct {
	p      *Packument
	o      PickOptions
	typ    spec.Type
	wanted string
	avoid  *semver.Range // nil for none
	limit  int64         // the last millisecond that is early enough
	times  *timeTable
}

// finding is what a picker found.
type finding struct {
	candidate
	ok, avoided, outside, major bool
	// trusted says that the version was already found not to be avoided. Of others npm asks the version inside
	// the manifest, not the key, whether it is to be avoided.
	trusted bool
}

func newPicker(p *Packument, s spec.Spec, o PickOptions) *picker {
	if o.DefaultTag == "" {
		o.DefaultTag = "latest"
	}
	k := &picker{p: p, o: o, typ: s.Type, wanted: s.FetchSpec, times: p.published(), limit: 1<<63 - 1}
	if o.Avoid != "" {
		k.avoid, _ = semver.ParseRange(o.Avoid, semver.Options{Loose: true, IncludePrerelease: true})
	}
	if !o.Before.IsZero() && k.times.stated {
		k.limit = o.Before.UnixMilli()
	}
	return k
}

// check refuses what npm refuses before it looks at any version.
func (k *picker) check() error {
	switch k.typ {
	case spec.Version, spec.Range, spec.Tag:
	default:
		return k.refuse(ErrSpecType)
	}
	if k.p.Name != "" && !spec.UsableName(k.p.Name) {
		return k.refuse(spec.ErrName)
	}
	return nil
}

// pickStrictly is pick, but with AvoidStrict looks further where what it finds is to be avoided.
func (k *picker) pickStrictly() (finding, error) {
	found, err := k.pick()
	if err != nil || !k.mark(&found) || !k.o.AvoidStrict {
		return found, err
	}
	set, i := k.p.locate(found.candidate)
	m, err := set.manifest(k.p, i)
	if err != nil {
		return finding{}, err
	}
	for _, wider := range []string{"^" + m.Version, "*"} {
		s, err := spec.Resolve(k.p.Name, wider, "/")
		if err != nil {
			return finding{}, err
		}
		k2 := *k
		k2.typ, k2.wanted = s.Type, s.FetchSpec
		found, err = k2.pick()
		if err != nil {
			return finding{}, err
		}
		if !found.ok {
			return finding{}, k.fail(ErrNoMatch)
		}
		if !k2.mark(&found) {
			found.outside, found.major = true, wider == "*"
			return found, nil
		}
	}
	return finding{}, k.fail(ErrNoMatch)
}

// mark notes whether what was found is to be avoided, and reports it.
func (k *picker) mark(f *finding) bool {
	if f.ok && !f.trusted && k.avoid != nil {
		set, i := k.p.locate(f.candidate)
		if m, err := set.manifest(k.p, i); err == nil {
			f.avoided = k.avoids(m.Version)
		}
	}
	return f.avoided
}

// pick finds the version that answers the question, without regard to AvoidStrict.
func (k *picker) pick() (finding, error) {
	switch {
	case k.wanted == "":
	case k.typ == spec.Tag:
		return k.pickTag()
	case k.typ == spec.Version:
		version := cleanVersion(k.wanted)
		if !k.early(version) {
			return finding{}, nil
		}
		return k.exactly(version), nil
	}
	return k.pickRange()
}

// cleanVersion returns the canonical form of a loose version, which is the key it has in a document.
func cleanVersion(s string) string {
	version, _ := semver.Valid(strings.TrimLeft(strings.TrimSpace(s), "=v"), loose)
	return version
}

// pickTag answers with the tag's version, or, where that is too late, with the best one up to it.
func (k *picker) pickTag() (finding, error) {
	version, ok := k.p.DistTag(k.wanted)
	if !ok {
		return finding{}, nil
	}
	if k.early(version) {
		return k.exactly(version), nil
	}
	s, err := spec.Resolve(k.p.Name, "<="+version, "/")
	if err != nil {
		return finding{}, err
	}
	k.typ, k.wanted = s.Type, s.FetchSpec
	return k.pick()
}

// exactly looks a version up in all sets.
func (k *picker) exactly(version string) finding {
	base := 0
	for _, set := range k.p.sets() {
		i, ok := set.find(version)
		if ok && (set != &k.p.staged || k.o.IncludeStaged) {
			return finding{candidate: candidate(base + i), ok: true}
		}
		base += len(set.list)
	}
	return finding{}
}

// early reports whether a version was published early enough, as far as is known. A time that is no date is never early,
// whatever the limit.
func (k *picker) early(version string) bool {
	return !k.times.stated || k.inTime(k.times.of(&k.p.versions, version))
}

// earlyAt is early for a position in a set.
func (k *picker) earlyAt(set *versions, i int) bool {
	switch {
	case !k.times.stated:
		return true
	case set == &k.p.versions:
		return k.inTime(k.times.millis[i])
	}
	return k.early(set.list[i].key)
}

func (k *picker) inTime(ms int64) bool {
	return ms == noTime || (ms != badTime && ms <= k.limit)
}

// avoids reports whether a version is to be avoided.
func (k *picker) avoids(version string) bool {
	return k.avoid != nil && k.avoid.SatisfiesString(version)
}

func (k *picker) fail(reason error) error {
	e := &NoMatchError{
		Name: k.p.Name, Wanted: k.wanted, Type: k.typ, DefaultTag: k.o.DefaultTag, Before: k.o.Before, Avoid: k.o.Avoid,
		Reason: reason, packument: k.p,
	}
	if reason == ErrRestricted {
		e.Message = k.p.restriction
	}
	return e
}

package fetch

import (
	"context"
	"slices"

	"weft/install/schedule"
	"weft/install/target"
	"weft/npm/manifest"
	"weft/npm/packument"
	"weft/npm/spec"
)

// Ahead is what a Fetcher needs to choose as placement will.
type Ahead struct {
	// Pick chooses a version; resolve.Options.Pick.
	Pick func(*packument.Packument, spec.Spec) (*manifest.Manifest, error)
	// Full asks for full documents, as placement will.
	Full bool
	// Target keeps packages of other platforms from being downloaded.
	Target target.Target
	// LegacyPeers: peer dependencies are not installed.
	LegacyPeers bool
	// Tarballs are wanted too; otherwise only documents.
	Tarballs bool
}

// Want goes ahead for one dependency. It does not block. It is
// resolve.Observer's, and nothing without Options.Ahead.
func (f *Fetcher) Want(name, raw string) {
	if f.o.Ahead == nil {
		return
	}
	s, err := spec.Resolve(name, raw, "")
	if err != nil {
		return // placement will say so, with who required it
	}
	if s.Type == spec.Alias {
		s = *s.Sub
	}
	switch s.Type {
	case spec.Version, spec.Range, spec.Tag:
	default:
		return
	}
	full := f.o.Ahead.Full
	f.submitPackument(s.Name, full, true)
	f.o.Scheduler.Submit(schedule.Job{
		Key:         schedule.Key{Lane: LanePick, Name: s.Name + "@" + s.FetchSpec},
		After:       []schedule.Key{packumentKey(s.Name, full)},
		Speculative: true,
		Run: func(ctx context.Context) (any, error) {
			p, err := f.Packument(ctx, s.Name, full)
			if err != nil {
				return nil, err
			}
			m, err := f.o.Ahead.Pick(p, s)
			if err != nil {
				return nil, err
			}
			f.goAhead(m)
			return nil, nil
		},
	})
}

// goAhead asks for what a chosen version needs.
func (f *Fetcher) goAhead(m *manifest.Manifest) {
	if len(m.OS)+len(m.CPU) > 0 && !f.o.Ahead.Full {
		f.submitPackument(m.Name, true, true) // placement asks for its libc field
	}
	if target.CheckPlatform(m.OS, m.CPU, m.Libc, f.o.Ahead.Target) != nil {
		return // it will be inert, and so will what only it needs
	}
	for _, deps := range []manifest.Deps{m.Dependencies, m.OptionalDependencies} {
		for _, d := range deps {
			if !slices.Contains(m.BundleDependencies, d.Name) {
				f.Want(d.Name, d.Spec)
			}
		}
	}
	for _, d := range m.PeerDependencies {
		if !m.PeerOptional[d.Name] && !f.o.Ahead.LegacyPeers {
			f.Want(d.Name, d.Spec)
		}
	}
	if f.o.Ahead.Tarballs && m.Dist.Tarball != "" {
		f.Prefetch(RefOf(m))
	}
}

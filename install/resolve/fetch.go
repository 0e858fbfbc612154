package resolve

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"weft/install/target"
	"weft/npm/integrity"
	"weft/npm/manifest"
	"weft/npm/packument"
	"weft/npm/spec"
)

// fetched is a manifest that was had for a spec, with where its content comes
// from.
type fetched struct {
	manifest            *manifest.Manifest
	resolved, integrity string
	short               bool // a registry's short form
	err                 error
}

// fromSpec makes a node for the spec of e and puts it into room. host is the edge
// that is being satisfied by it, which gives the name. That no manifest can be
// had is the node's own error, because it does not matter if the node turns out
// to be optional.
func (b *builder) fromSpec(e *Edge, room *Node, host *Edge) (*Node, error) {
	w := b.env.want(host.Name, e.Spec(), e.from.RealPath())
	if w.err != nil {
		return nil, &LoadError{Name: e.Name, Spec: e.Spec(), By: requirer(e), Err: w.err}
	}
	workspace := b.tree.Root.workspace(host.Name)
	if w.kind == wantDirectory && b.linksTo(e, workspace != nil) {
		dir := w.spec.FetchSpec
		m, err := readManifest(dir)
		if err != nil {
			m = emptyManifest
		}
		link := newLink(b.env, host.Name, dir, m)
		link.attach(room)
		return link, nil
	}
	if workspace != nil {
		if own := b.tree.Root.edgesOut.get(host.key); own != nil && own.to != nil && own.to.IsWorkspace() && own.to.satisfiesEdge(e) {
			return own.to, nil
		}
	}
	f := b.fetch(w, e)
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	n := newNode(b.env, host.Name, f.manifest)
	n.Resolved, n.Integrity, n.short = f.resolved, f.integrity, f.short
	if f.err != nil {
		n.err = &LoadError{Name: host.Name, Spec: e.Spec(), By: requirer(e), Err: f.err}
		b.failed.add(n)
	} else {
		n.HasShrinkwrap = f.manifest.HasShrinkwrap
		b.wantDeps(f.manifest)
	}
	n.attach(room)
	n.declareEdges()
	return n, nil
}

// linksTo reports whether a directory is to be linked to rather than copied: a
// workspace and what lies in the project always is.
func (b *builder) linksTo(e *Edge, workspace bool) bool {
	if workspace || !b.o.InstallLinks {
		return true
	}
	if !strings.HasPrefix(e.written, "file:../") && !strings.HasPrefix(e.written, "file:./") {
		return false
	}
	dir := joinPath(e.from.RealPath(), strings.TrimPrefix(e.written, "file:"))
	return below(dir, b.tree.Root.RealPath())
}

// fetch returns the manifest for a want, once for each name and spec.
func (b *builder) fetch(w *want, e *Edge) *fetched {
	key := wantKey{name: w.spec.Name, spec: w.spec.Raw}
	f := b.manifests[key]
	if f == nil {
		f = b.load(w)
		if f.manifest == nil {
			f.manifest = emptyManifest
		}
		b.manifests[key] = f
	}
	return f
}

func (b *builder) load(w *want) *fetched {
	switch w.kind {
	case wantAlias:
		return b.load(w.sub)
	case wantAny, wantRange, wantTag:
		return b.loadRegistry(w.spec)
	case wantRemote:
		return b.loadTarball(w.spec, w.spec.FetchSpec)
	case wantFile:
		return b.loadTarball(w.spec, "file:"+w.spec.FetchSpec)
	case wantDirectory:
		m, err := readManifest(w.spec.FetchSpec)
		return &fetched{manifest: m, resolved: "file:" + w.spec.FetchSpec, err: err}
	case wantGit:
		return &fetched{err: ErrGit}
	case wantWorkspace:
		return &fetched{err: ErrWorkspace}
	}
	return &fetched{err: fmt.Errorf("unsupported spec %q", w.spec.Raw)}
}

func (b *builder) loadRegistry(s spec.Spec) *fetched {
	if b.o.Source == nil {
		return &fetched{err: ErrNoSource}
	}
	full := b.o.FullMetadata || !b.o.Before.IsZero()
	p, err := b.o.Source.Packument(b.ctx, s.Name, full)
	if err != nil {
		return &fetched{err: err}
	}
	m, err := packument.Pick(p, s, b.o.pick())
	if err != nil {
		return &fetched{err: err}
	}
	if m.Version == "" {
		return &fetched{err: ErrIncomplete}
	}
	return &fetched{manifest: m, resolved: m.Dist.Tarball, integrity: distIntegrity(m.Dist), short: !full && !p.HasTimes()}
}

// Pick chooses the version of a package that [Ideal] would choose for a spec, so
// that a prefetcher can go ahead of it. It reads only the options that bear on
// versions, and may be called from any goroutine.
func (o *Options) Pick(p *packument.Packument, s spec.Spec) (*manifest.Manifest, error) {
	if s.Type == spec.Alias {
		s = *s.Sub
	}
	return packument.Pick(p, s, o.pick())
}

func (o *Options) pick() packument.PickOptions {
	return packument.PickOptions{
		DefaultTag: o.DefaultTag, Before: o.Before,
		NodeVersion: o.Target.NodeVersion, NpmVersion: target.NpmVersion,
	}
}

// distIntegrity is the integrity that a registry gives, in the one form or the
// other.
func distIntegrity(d manifest.Dist) string {
	_, record := integrity.FromDist(d.Integrity, d.Shasum)
	return record
}

func (b *builder) loadTarball(s spec.Spec, resolved string) *fetched {
	if b.o.Source == nil {
		return &fetched{err: ErrNoSource}
	}
	u, err := b.o.Source.Unpacked(b.ctx, s.Name, resolved, "")
	if err != nil {
		return &fetched{err: err}
	}
	data, err := fs.ReadFile(u.Files, "package.json")
	if err != nil {
		return &fetched{err: err}
	}
	m, err := manifest.Parse(data)
	if err != nil {
		return &fetched{err: err}
	}
	return &fetched{manifest: m, resolved: resolved, integrity: u.Integrity}
}

// loadFiles has the manifests of tarballs on disk loaded that a placed node depends
// on: their paths start from the dependent's own tarball, which is known here.
func (b *builder) loadFiles(n *Node) error {
	for _, e := range b.problems(n) {
		if w := e.want(); w.kind == wantFile {
			b.fetch(w, e)
		}
	}
	return b.ctx.Err()
}

// wantDeps tells the observer what a manifest will ask for.
func (b *builder) wantDeps(m *manifest.Manifest) {
	if b.o.Observer == nil {
		return
	}
	for _, deps := range []manifest.Deps{m.Dependencies, m.OptionalDependencies} {
		for _, d := range deps {
			if !slices.Contains(m.BundleDependencies, d.Name) {
				b.o.Observer.Want(d.Name, d.Spec)
			}
		}
	}
	for _, d := range m.PeerDependencies {
		if !m.PeerOptional[d.Name] && !b.o.LegacyPeerDeps {
			b.o.Observer.Want(d.Name, d.Spec)
		}
	}
}

// requirer describes who asks: the real node that a virtual one stands for.
func requirer(e *Edge) *Node {
	n := e.from
	if n.source != nil {
		n = n.source
	}
	return n
}

var (
	// ErrNotFound is what a Source's error wraps when there is no such package.
	ErrNotFound = errors.New("package not found")
	// ErrGit is returned for dependencies on git repositories.
	ErrGit = errors.New("git dependencies are not supported yet")
	// ErrWorkspace is returned for "workspace:" dependencies that no workspace of
	// the project satisfies.
	ErrWorkspace = errors.New("no workspace of the project satisfies this")
	// ErrNoSource is returned where something would have to be fetched and there
	// is no Source.
	ErrNoSource = errors.New("nothing may be fetched")
	// ErrUnsettled is returned where placements undo each other without end.
	ErrUnsettled = errors.New("resolve: packages keep displacing each other, no tree satisfies them all")
	// ErrIncomplete is returned for a registry's manifest without a version.
	ErrIncomplete = errors.New("the registry's manifest has no version")
)

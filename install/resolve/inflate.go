package resolve

import (
	"strings"

	"weft/npm/integrity"
	"weft/npm/lockfile"
)

// inflate completes the tree of a lockfile of version 1, which says next to
// nothing about the packages it names: their manifests are fetched. What cannot
// be had, or has another integrity by now, stays as it is.
func (b *builder) inflate() error {
	if b.o.Lock == nil || b.o.Source == nil || b.o.Lock.OriginalVersion >= lockfile.Version2 {
		return nil
	}
	var nodes []*Node
	for _, n := range b.tree.Nodes() {
		if n.parent == nil || n.isLink || n.Version() == "" || strings.HasPrefix(n.Resolved, "file:") {
			continue
		}
		nodes = append(nodes, n)
		if b.o.Observer != nil {
			b.o.Observer.Want(n.PackageName(), n.Version())
		}
	}
	for _, n := range nodes {
		w := b.env.want(n.PackageName(), n.Version(), n.Path())
		if w.kind != wantRange {
			continue
		}
		f := b.load(w)
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if f.err != nil || n.Integrity != "" && f.integrity != "" && otherContent(n.Integrity, f.integrity) {
			continue
		}
		n.short = f.short
		n.setManifest(f.manifest)
	}
	b.tree.resetFlags()
	calcFlags(b.tree.Root, true)
	return nil
}

// otherContent reports whether two integrities contradict each other: they have
// an algorithm in common and none of its digests.
func otherContent(a, b string) bool {
	x, y := integrity.Parse(a), integrity.Parse(b)
	for _, h := range x.Hashes() {
		for _, k := range y.Hashes() {
			if h.Algorithm == k.Algorithm {
				return !x.Match(y)
			}
		}
	}
	return false
}

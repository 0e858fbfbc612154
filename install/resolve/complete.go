package resolve

import (
	"sync"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// completeAtOnce is how many full packuments are asked for at once.
const completeAtOnce = 16

// completePlatforms gets the full manifests of optional packages that are for
// certain platforms. The short form lacks the libc field, by which it is decided
// whether they are for this one.
func (b *builder) completePlatforms() error {
	return b.complete(func(n *Node) bool {
		return n.Optional && (len(n.Manifest.OS) > 0 || len(n.Manifest.CPU) > 0)
	})
}

// completeAbsent gets the full manifests of what will not be unpacked: nodes that
// are inert or left out. Nothing else could fill in what the lockfile says of
// them.
func (b *builder) completeAbsent() error {
	return b.complete(func(n *Node) bool { return n.Inert || b.omits(n) })
}

// complete gets the full manifests of the nodes that pass and have short ones.
func (b *builder) complete(pass func(*Node) bool) error {
	var nodes []*Node
	for _, n := range b.tree.Nodes() {
		if n.short && n.err == nil && pass(n) {
			nodes = append(nodes, n)
		}
	}
	full := make([]*manifest.Manifest, len(nodes))
	var wg sync.WaitGroup
	slots := make(chan struct{}, completeAtOnce)
	for i, n := range nodes {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			// Without the full form the node stays as it is: nothing is lost but
			// what a lockfile tells people.
			if p, err := b.o.Source.Packument(b.ctx, n.PackageName(), true); err == nil {
				if m, err := p.Manifest(n.Version()); err == nil {
					full[i] = m
				}
			}
		})
	}
	wg.Wait()
	for i, n := range nodes {
		if full[i] != nil {
			n.Manifest, n.short = full[i], false
		}
	}
	return b.ctx.Err()
}

// Refresh takes over from the package.json that was extracted what a registry's
// short manifests lack and a lockfile records: license, funding, and the like. A
// node whose manifest is whole, or comes from a lockfile, is left alone, as npm
// does: its lockfiles say what the registry said, not what the tarball says.
func (n *Node) Refresh(extracted *manifest.Manifest) {
	if !n.short || n.isLink {
		return
	}
	n.short = false
	members := n.Manifest.Raw.Members()
	members = members[:len(members):len(members)]
	for _, key := range []string{"license", "funding", "libc", "acceptDependencies", "workspaces"} {
		if _, ok := n.Manifest.Raw.Get(key); ok {
			continue
		}
		if v, ok := extracted.Raw.Get(key); ok {
			members = append(members, jsonval.Member{Key: key, Value: v})
		}
	}
	if m, err := manifest.FromValue(jsonval.OfObject(members...)); err == nil {
		n.Manifest = m
	}
}

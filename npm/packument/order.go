package packument

import (
	"slices"

	"weft/npm/semver"
)

// candidate is a version that may be picked: a position in one of the sets. The sets follow each other in
// its numbering: versions, staged, restricted.
type candidate uint32

// locate returns the set that a candidate is in and its position there.
func (p *Packument) locate(c candidate) (set *versions, i int) {
	i = int(c)
	for _, set := range []*versions{&p.versions, &p.staged} {
		if i < len(set.list) {
			return set, i
		}
		i -= len(set.list)
	}
	return &p.restricted, i
}

func (p *Packument) keyOf(c candidate) string {
	set, i := p.locate(c)
	return set.list[i].key
}

// loose is how npm reads versions in a document.
var loose = semver.Options{Loose: true}

// versionOf returns the parsed version of a candidate that sorted has let through.
func (p *Packument) versionOf(c candidate) semver.Version {
	v, _ := semver.ParseVersion(p.keyOf(c), loose)
	return v
}

// sorted returns the candidates whose keys are versions, highest first, equals in the document's order. It
// is made at the first call.
func (p *Packument) sorted() []candidate {
	p.order.Do(func() {
		type item struct {
			v semver.Version
			c candidate
		}
		n := len(p.versions.list) + len(p.staged.list) + len(p.restricted.list)
		items := make([]item, 0, n)
		for c := candidate(0); int(c) < n; c++ {
			if v, err := semver.ParseVersion(p.keyOf(c), loose); err == nil {
				items = append(items, item{v, c})
			}
		}
		slices.SortStableFunc(items, func(a, b item) int { return b.v.Compare(a.v) })
		p.order.list = make([]candidate, len(items))
		for i := range items {
			p.order.list[i] = items[i].c
		}
	})
	return p.order.list
}

package semver

import "strings"

// builder collects the comparators of a range, one alternative after another.
type builder struct {
	options Options
	loose   bool
	comps   []Comparator // of all finished alternatives, then of the one being read
	start   int          // where the one being read begins
	edge    bool         // the token being read is the first or last of its alternative
	seen    map[Comparator]struct{}
}

// manyComparators is the length of an alternative from which duplicates are found by a map.
const manyComparators = 32

// alternative reads one part of a range between "||" and returns the span of its comparators, which is
// empty where nothing of it could be read in loose mode. It reports false where the whole range is invalid.
func (b *builder) alternative(s string) (lo, hi int, ok bool) {
	b.start = len(b.comps)
	s = tighten(rewriteHyphen(stripBuild(s), b.options))
	for first := true; ; first = false {
		word, rest, more := strings.Cut(s, " ")
		b.edge = first || !more
		if !b.token(word) {
			return 0, 0, false
		}
		if !more {
			break
		}
		s = rest
	}
	b.simplify()
	return b.start, len(b.comps), true
}

// sawEdge notes a token that accepts every version. In the middle of an alternative npm loses it together with the blanks around it.
func (b *builder) sawEdge() {
	if b.edge {
		b.comps = append(b.comps, Comparator{Op: OpAny})
	}
}

// add appends a comparator to the alternative being read. It always reports true.
func (b *builder) add(c Comparator) bool {
	b.comps = append(b.comps, c)
	return true
}

// simplify reduces the alternative just read: "nothing" stands alone, duplicates go, and so does
// "anything" beside other comparators.
func (b *builder) simplify() {
	list := b.comps[b.start:]
	for i := range list {
		if list[i].isNull() {
			list[0] = list[i]
			b.comps = b.comps[:b.start+1]
			return
		}
	}
	kept := list[:0]
	hasAny := false
	clear(b.seen)
	for i := range list {
		if list[i].Op == OpAny {
			hasAny = true
		} else if !b.duplicate(kept, &list[i]) {
			kept = append(kept, list[i])
		}
	}
	if len(kept) == 0 && hasAny {
		kept = append(kept, Comparator{Op: OpAny})
	}
	b.comps = b.comps[:b.start+len(kept)]
}

// duplicate reports whether kept has a comparator with the canonical form of c.
func (b *builder) duplicate(kept []Comparator, c *Comparator) bool {
	if len(kept) < manyComparators {
		for i := range kept {
			if kept[i].equal(c) {
				return true
			}
		}
		return false
	}
	if b.seen == nil {
		b.seen = make(map[Comparator]struct{})
	}
	if len(b.seen) == 0 {
		for i := range kept {
			b.seen[kept[i].bare()] = struct{}{}
		}
	}
	key := c.bare()
	_, dup := b.seen[key]
	b.seen[key] = struct{}{}
	return dup
}

// bare returns c without build metadata.
func (c *Comparator) bare() Comparator {
	b := *c
	b.Version.Build = ""
	return b
}

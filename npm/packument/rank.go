package packument

import (
	"fmt"
	"sort"

	"weft/npm/semver"
	"weft/npm/spec"
)

// rank orders versions of a range before their precedence does: the greater, the better. Each bit outweighs all
// below it.
type rank uint8

const (
	rankHealthy    rank = 1 << iota // not deprecated
	rankFit                         // fit for the engines
	rankSound                       // both
	rankApproved                    // not staged
	rankAllowed                     // not restricted
	rankNotAvoided                  // not to be avoided

	rankBest = rankHealthy | rankFit | rankSound | rankApproved | rankAllowed | rankNotAvoided
)

// pickRange picks the best version of a range, or of all where a tag or nothing was asked for.
func (k *picker) pickRange() (finding, error) {
	text := "*"
	if k.typ == spec.Range {
		text = k.wanted
		if text == "" && !semver.IsRange(k.o.DefaultTag, loose) {
			text = "*" // the default tag was asked for by its name
		}
	}
	r, err := semver.ParseRange(text, loose)
	if err != nil {
		return finding{}, k.refuse(err)
	}
	if f, ok := k.pickDefault(text, r); ok {
		return f, nil
	}
	if !k.anyEarly() {
		return finding{}, k.fail(ErrNoVersions)
	}
	return k.bestOf(r), nil
}

// bestOf returns the best version of a range. It goes down from the range's upper end, where mostly the first will do.
func (k *picker) bestOf(r *semver.Range) finding {
	var best finding
	var bestRank rank
	low, high, hasLow, hasHigh := r.Hull()
	all := k.p.sorted()
	if hasHigh {
		all = all[sort.Search(len(all), func(i int) bool { return k.p.versionOf(all[i]).Compare(high) <= 0 }):]
	}
	for _, c := range all {
		v := k.p.versionOf(c)
		if hasLow && v.Compare(low) < 0 {
			break
		}
		set, i := k.p.locate(c)
		if (set == &k.p.staged && !k.o.IncludeStaged) || !r.Satisfies(v) || !k.earlyAt(set, i) {
			continue
		}
		if got := k.rank(set, i); !best.ok || got > bestRank {
			best, bestRank = finding{candidate: c, ok: true}, got
			if got == rankBest {
				break
			}
		}
	}
	return best
}

// pickDefault picks the default tag's version where it lies in the range and nothing speaks against it.
func (k *picker) pickDefault(text string, r *semver.Range) (f finding, ok bool) {
	version, ok := k.p.DistTag(k.o.DefaultTag)
	if !ok || version == "" || !(text == "*" || r.SatisfiesString(version)) {
		return f, false
	}
	i, ok := k.p.versions.find(version)
	if !ok || !k.earlyAt(&k.p.versions, i) || k.rank(&k.p.versions, i) != rankBest {
		return f, false
	}
	return finding{candidate: candidate(i), ok: true, trusted: true}, true
}

// rank returns the rank of the i-th version of a set.
func (k *picker) rank(set *versions, i int) rank {
	var r rank
	key := set.list[i].key
	f := set.facts(k.p, i)
	healthy := !f.deprecated()
	fit := true
	if position := f.engines(); position > 0 {
		wanted := k.p.engines.at(position)
		fit = wanted.accept(k.o.NodeVersion, k.o.NpmVersion)
	}
	for _, c := range []struct {
		holds bool
		bit   rank
	}{
		{healthy, rankHealthy},
		{fit, rankFit},
		{healthy && fit, rankSound},
		{!k.o.IncludeStaged || !k.p.staged.has(key), rankApproved},
		{!k.p.restricted.has(key), rankAllowed},
		{!k.avoids(key), rankNotAvoided},
	} {
		if c.holds {
			r |= c.bit
		}
	}
	return r
}

// anyEarly reports whether any version at all was published early enough.
func (k *picker) anyEarly() bool {
	for _, set := range k.p.sets() {
		if set == &k.p.staged && !k.o.IncludeStaged {
			continue
		}
		for i := range set.list {
			if k.earlyAt(set, i) {
				return true
			}
		}
	}
	return false
}

// refuse wraps a reason that lies in the question and not in the document.
func (k *picker) refuse(reason error) error {
	return fmt.Errorf("pick %s@%s: %w", k.p.Name, k.wanted, reason)
}

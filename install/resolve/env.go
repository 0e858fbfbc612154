package resolve

import "weft/npm/semver"

// env is what all trees of one resolution share: settings that change how edges
// are judged, and the caches of parsed specs and versions. It belongs to one
// goroutine at a time.
type env struct {
	legacyPeerDeps bool
	installLinks   bool

	wants    map[wantKey]*want
	versions map[string]*parsedVersion
}

func newEnv(legacyPeerDeps, installLinks bool) *env {
	return &env{
		legacyPeerDeps: legacyPeerDeps,
		installLinks:   installLinks,
		wants:          make(map[wantKey]*want),
		versions:       make(map[string]*parsedVersion),
	}
}

// parsedVersion is a version as npm reads it: strictly where versions are
// compared, loosely where one is held against a range.
type parsedVersion struct {
	text     string
	strict   semver.Version
	loose    semver.Version
	strictOK bool
	looseOK  bool
}

func (e *env) version(text string) *parsedVersion {
	v := e.versions[text]
	if v == nil {
		v = &parsedVersion{text: text}
		var err error
		v.strict, err = semver.ParseVersion(text, semver.Options{})
		v.strictOK = err == nil
		v.loose, err = semver.ParseVersion(text, semver.Options{Loose: true})
		v.looseOK = err == nil
		e.versions[text] = v
	}
	return v
}

func (n *Node) parsed() *parsedVersion {
	if n.version == nil {
		n.version = n.tree.env.version(n.Manifest.Version)
	}
	return n.version
}

// compareVersions orders the versions of two nodes; ok is false if one of them
// has none, or one that is no version.
func compareVersions(a, b *Node) (order int, ok bool) {
	v, w := a.parsed(), b.parsed()
	if !v.strictOK || !w.strictOK {
		return 0, false
	}
	return v.strict.Compare(w.strict), true
}

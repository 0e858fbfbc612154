package resolve

import (
	"path"
	"strings"

	"weft/npm/semver"
	"weft/npm/spec"
)

// want is a parsed spec: what an edge asks for, and the verdicts on the versions
// that were held against it.
type want struct {
	spec spec.Spec
	kind wantKind
	rng  *semver.Range
	sub  *want // of an alias
	// workspaceRange is what follows "workspace:".
	workspaceRange string
	verdicts       map[*parsedVersion]bool
	err            error // the spec is none; nothing satisfies it
}

type wantKind uint8

const (
	wantNothing wantKind = iota // not a spec
	wantAny                     // the range *
	wantRange                   // a version or a range
	wantTag
	wantAlias
	wantRemote
	wantFile
	wantDirectory
	wantGit
	wantWorkspace
)

// wantKey identifies a want. The base directory is part of it only where the
// spec names a path.
type wantKey struct{ name, spec, base string }

const workspaceProtocol = "workspace:"

// want returns the parsed form of a spec for a name. Paths in it start at base.
func (e *env) want(name, text, base string) *want {
	if text == "" {
		text = "*"
	}
	key := wantKey{name: name, spec: text}
	if namesPath(text) {
		key.base = base
	}
	w := e.wants[key]
	if w == nil {
		w = parseWant(name, text, base)
		e.wants[key] = w
	}
	return w
}

// namesPath reports whether a spec may be a path: such specs are relative to
// where they stand.
func namesPath(text string) bool {
	return strings.HasPrefix(text, "file:") || strings.HasPrefix(text, ".") ||
		strings.ContainsAny(text, "/\\~")
}

func parseWant(name, text, base string) *want {
	if rest, ok := strings.CutPrefix(text, workspaceProtocol); ok {
		w := &want{kind: wantWorkspace, workspaceRange: rest, spec: spec.Spec{Name: name, RawSpec: text, Raw: name + "@" + text}}
		if r, err := semver.ParseRange(rest, semver.Options{Loose: true}); err == nil {
			w.rng = r
		}
		return w
	}
	s, err := spec.Resolve(name, text, base)
	if err != nil {
		return &want{err: err}
	}
	return wantOf(s)
}

func wantOf(s spec.Spec) *want {
	w := &want{spec: s}
	switch s.Type {
	case spec.Version, spec.Range:
		w.kind = wantRange
		if s.Type == spec.Range && s.FetchSpec == "*" {
			w.kind = wantAny
			return w
		}
		var err error
		if w.rng, err = semver.ParseRange(s.FetchSpec, semver.Options{Loose: true}); err != nil {
			w.rng = nil
		}
	case spec.Tag:
		w.kind = wantTag
	case spec.Alias:
		w.kind = wantAlias
		w.sub = wantOf(*s.Sub)
	case spec.Remote:
		w.kind = wantRemote
	case spec.File:
		w.kind = wantFile
	case spec.Directory:
		w.kind = wantDirectory
	case spec.Git:
		w.kind = wantGit
	}
	return w
}

// fromRegistry reports whether the spec is one that a registry answers.
func (w *want) fromRegistry() bool {
	switch w.kind {
	case wantAny, wantRange, wantTag:
		return true
	case wantAlias:
		return w.sub.fromRegistry()
	}
	return false
}

// acceptedBy reports whether n is what the spec asks for, as the end of e.
func (w *want) acceptedBy(n *Node, e *Edge) bool {
	switch w.kind {
	case wantAny:
		return true
	case wantRange:
		return w.holds(n)
	case wantAlias:
		return w.sub.acceptedBy(n, e)
	case wantTag:
		// A tag may have moved since: that it came from somewhere is enough.
		return n.Resolved != "" && isRemote(n.Resolved)
	case wantRemote:
		return n.Resolved == w.spec.FetchSpec
	case wantDirectory:
		return w.acceptsDirectory(n, e)
	case wantFile:
		return !n.isLink && strings.ReplaceAll(n.Resolved, `\`, "/") == "file:"+strings.ReplaceAll(w.spec.FetchSpec, `\`, "/")
	case wantGit:
		return w.acceptsGit(n)
	case wantWorkspace:
		return w.acceptsWorkspace(n)
	}
	return false
}

// holds reports whether the node's version is in the range, and remembers it.
func (w *want) holds(n *Node) bool {
	if w.rng == nil {
		return false
	}
	v := n.parsed()
	ok, known := w.verdicts[v]
	if !known {
		ok = v.looseOK && w.rng.Satisfies(v.loose)
		if w.verdicts == nil {
			w.verdicts = make(map[*parsedVersion]bool)
		}
		w.verdicts[v] = ok
	}
	return ok
}

func (w *want) acceptsDirectory(n *Node, e *Edge) bool {
	if e.from.tree.env.installLinks && !n.IsWorkspace() {
		return !n.isLink
	}
	return n.isLink && path.Clean(n.real) == path.Clean(w.spec.FetchSpec)
}

// acceptsGit compares repositories by address, and the commit where one is asked
// for.
func (w *want) acceptsGit(n *Node) bool {
	have, err := spec.Parse(n.Resolved, "")
	if err != nil || n.Resolved == "" {
		return false
	}
	return have.FetchSpec == w.spec.FetchSpec || have.Raw == w.spec.SaveSpec
}

// acceptsWorkspace reports whether n leads to a workspace whose version is in the
// range after "workspace:". "*", "^", "~" and paths accept any.
func (w *want) acceptsWorkspace(n *Node) bool {
	if !n.IsWorkspace() {
		return false
	}
	switch w.workspaceRange {
	case "", "*", "^", "~":
		return true
	}
	return w.rng == nil || w.holds(n)
}

func isRemote(resolved string) bool {
	s, err := spec.Parse(resolved, "")
	return err == nil && s.Type == spec.Remote
}

// sourceDir is the directory that relative paths in the node's dependencies
// start from.
func (n *Node) sourceDir() string {
	if file, ok := strings.CutPrefix(n.Resolved, "file:"); ok && isTarballName(file) {
		return path.Dir(joinPath("/", file))
	}
	return n.RealPath()
}

func isTarballName(file string) bool {
	return strings.HasSuffix(file, ".tgz") || strings.HasSuffix(file, ".tar.gz") || strings.HasSuffix(file, ".tar")
}

// joinPath resolves a slash path against an absolute directory.
func joinPath(dir, p string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return path.Join(dir, p)
}

package report

import (
	"fmt"
	"strings"

	"weft/install/resolve"
	"weft/npm/packument"
	"weft/npm/spec"
)

// treePlacer reads the package out of errors of resolve.
func treePlacer(err error) *PackageError {
	switch e := err.(type) {
	case *resolve.LoadError:
		return &PackageError{Package: e.Name + "@" + e.Spec, RequiredBy: chainFrom(e.By), Err: e.Err}
	case *resolve.EngineError:
		return &PackageError{Package: NameOf(e.Node), RequiredBy: Chain(e.Node), Err: e.Err}
	case *resolve.PlatformError:
		return &PackageError{Package: NameOf(e.Node), RequiredBy: Chain(e.Node), Err: e.Err}
	default:
		return nil
	}
}

// Chain says who requires a package: the shortest chain of dependents, nearest
// first, the project last. It is empty for the project and for what nothing
// requires. It reads the tree, so whoever owns that calls it.
func Chain(n *resolve.Node) []string {
	if n == nil {
		return nil
	}
	// from remembers for each node the one that it was reached from, so that
	// the way back is the chain.
	from := map[*resolve.Node]*resolve.Node{n: nil}
	queue := []*resolve.Node{n}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		if node.IsRoot() {
			return wayBack(node, from)
		}
		for _, dependent := range dependents(node) {
			if _, seen := from[dependent]; !seen {
				from[dependent] = node
				queue = append(queue, dependent)
			}
		}
	}
	return nil
}

func dependents(n *resolve.Node) []*resolve.Node {
	var list []*resolve.Node
	for _, e := range n.EdgesIn() {
		list = append(list, e.From())
	}
	return append(list, n.LinksIn()...)
}

// wayBack lists the nodes between root and the node that was asked about.
func wayBack(root *resolve.Node, from map[*resolve.Node]*resolve.Node) []string {
	var names []string
	for node := root; from[node] != nil; node = from[node] {
		names = append([]string{NameOf(node)}, names...)
	}
	return names
}

// chainFrom is the chain that begins with by itself.
func chainFrom(by *resolve.Node) []string {
	if by == nil {
		return nil
	}
	return append([]string{NameOf(by)}, Chain(by)...)
}

// NameOf is name@version, or what is known of the two. It reads the tree, so
// whoever owns that calls it.
func NameOf(n *resolve.Node) string {
	if n.IsRoot() {
		return "the project"
	}
	name := n.PackageName()
	if name == "" {
		name = n.Name
	}
	if version := n.Version(); version != "" {
		name += "@" + version
	}
	return name
}

// nearest is how many versions are named where none satisfies.
const nearest = 5

func noMatch(e *packument.NoMatchError) *Problem {
	p := &Problem{Code: CodeNoMatch, Exit: ExitFailure, Err: e, Hint: "ask for a version that there is"}
	all := e.Versions()
	switch {
	case len(all) == 0:
		p.What = "the registry has no version of " + e.Name
		p.Hint = "it was unpublished; take another package"
		return p
	case e.Reason == packument.ErrRestricted:
		p.Code, p.What, p.Why = CodeAuth, "the registry's policy forbids this version of "+e.Name, e.Message
		p.Hint = "ask whoever runs the registry"
		return p
	case e.Type == spec.Tag:
		p.What, p.Why = fmt.Sprintf("no version of %s has the tag %s", e.Name, e.Wanted), tagText(e.DistTags())
		return p
	}
	p.What = fmt.Sprintf("no version of %s satisfies %s", e.Name, e.Wanted)
	p.Why = fmt.Sprintf("of its %s those are near: %s", count(len(all), "version"), strings.Join(e.Near(nearest), ", "))
	if !e.Before.IsZero() {
		p.What += " and was there before " + e.Before.UTC().Format("2006-01-02 15:04")
		p.Hint = "the settings before and min-release-age hide newer versions"
	}
	return p
}

func tagText(tags []packument.Tag) string {
	var names []string
	for _, tag := range tags[:min(nearest, len(tags))] {
		names = append(names, tag.Name)
	}
	return "its tags are " + strings.Join(names, ", ")
}

// treeProblem has words for trees that cannot be made.
func treeProblem(err, outer error) *Problem {
	switch e := err.(type) {
	case *packument.NoMatchError:
		return noMatch(e)
	case *resolve.PeerConflictError:
		return &Problem{
			Code: CodePeerConflict, Exit: ExitFailure, Err: err, What: "peer dependencies cannot all be met",
			Package: e.Conflict.Wants.Name + "@" + e.Conflict.Wants.Spec, RequiredBy: []string{e.Conflict.Wants.By}, Why: conflictText(e.Conflict),
			Hint: "change one of the versions asked for; --legacy-peer-deps installs without looking at peers",
		}
	case *resolve.OverrideError:
		return &Problem{
			Code: CodeManifest, Exit: ExitFailure, Err: err, What: "an override contradicts a dependency of the project", Package: e.Name,
			Why:  fmt.Sprintf("the project asks for %s itself, the override for %s", e.Written, e.Override),
			Hint: "write the same in both, or $" + e.Name + " as the override",
		}
	case *resolve.DuplicateWorkspaceError:
		return &Problem{
			Code: CodeManifest, Exit: ExitFailure, Err: err, What: "two workspaces have the same name", Package: e.Name, Why: strings.Join(e.Dirs, "\n"),
			Hint: "give one of them another name",
		}
	case *resolve.LockError:
		return &Problem{
			Code: CodeLockfile, Exit: ExitFailure, Err: err, What: "the lockfile contradicts itself", Why: e.Location + ": " + e.Reason,
			Hint: "take it from version control, or remove it and let `weft install` write another",
		}
	}
	switch err {
	case packument.ErrSpecType:
		return &Problem{
			Code: CodeSpec, Exit: ExitFailure, Err: err, What: "a dependency asks for something that a registry cannot answer", Why: outer.Error(),
			Hint: "mend the line in the package.json that has it",
		}
	case resolve.ErrIncomplete:
		return &Problem{
			Code: CodeRegistry, Exit: ExitNetwork, Err: err, What: "the registry describes a package without its version", Why: outer.Error(),
			Hint: "tell whoever runs the registry",
		}
	case resolve.ErrNotFound:
		return &Problem{
			Code: CodeNotFound, Exit: ExitFailure, Err: err, What: "there is no such package", Why: outer.Error(),
			Hint: "look for a typing error in the name",
		}
	case resolve.ErrGit:
		return &Problem{
			Code: CodeSpec, Exit: ExitFailure, Err: err, What: "weft does not install from git yet", Why: outer.Error(),
			Hint: "publish it, or name its tarball by address",
		}
	case resolve.ErrWorkspace:
		return &Problem{
			Code: CodeSpec, Exit: ExitFailure, Err: err, What: "no workspace of the project answers to that", Why: outer.Error(),
			Hint: "check the workspaces field of the project's package.json",
		}
	case resolve.ErrNoSource:
		return &Problem{
			Code: CodeLockStale, Exit: ExitNegative, Err: err, What: "the lockfile does not know a package that is needed", Why: outer.Error(),
			Hint: "`weft install` brings the lockfile up to date",
		}
	}
	return nil
}

// conflictText shows both sides of a conflict, a line each.
func conflictText(c *resolve.PeerConflict) string {
	lines := []string{fmt.Sprintf("%s wants %s@%s", c.Wants.By, c.Wants.Name, c.Wants.Spec)}
	if c.Found != nil {
		lines = append(lines, fmt.Sprintf("%s@%s is there", c.Found.Name, c.Found.Version))
		for _, r := range c.Found.By {
			lines = append(lines, fmt.Sprintf("  because %s wants %s", r.By, r.Spec))
		}
	}
	if c.Against != nil {
		lines = append(lines, fmt.Sprintf("%s wants %s@%s", c.Against.By, c.Against.Name, c.Against.Spec))
	}
	if len(lines) > chainLimit {
		lines = append(lines[:chainLimit], fmt.Sprintf("and %d more", len(lines)-chainLimit))
	}
	return strings.Join(lines, "\n")
}

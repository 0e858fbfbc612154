package resolve

import (
	"sort"
	"strings"

	"weft/internal/jsonval"
	"weft/npm/spec"
)

// legacyDependencies is the tree that lockfiles of version 2 carry for npm 6,
// beside the flat map.
func legacyDependencies(t *Tree, o LockOptions) jsonval.Value {
	return legacyChildren(t.Root, o, map[string]bool{t.Root.RealPath(): true})
}

// legacyChildren describes what lies in n's node_modules; above are the
// directories that led here, which links must not lead back to.
func legacyChildren(n *Node, o LockOptions, above map[string]bool) jsonval.Value {
	var out []jsonval.Member
	for _, kid := range n.children.list() {
		if !above[kid.RealPath()] {
			out = append(out, jsonval.Member{Key: kid.Name, Value: legacyEntry(kid, o, above)})
		}
	}
	if out == nil {
		return jsonval.Value{}
	}
	return jsonval.OfObject(out...)
}

func legacyEntry(n *Node, o LockOptions, above map[string]bool) jsonval.Value {
	var out []jsonval.Member
	str := func(key, v string) {
		if v != "" {
			out = append(out, jsonval.Member{Key: key, Value: jsonval.OfString(v)})
		}
	}
	flag := func(key string, v bool) {
		if v {
			out = append(out, jsonval.Member{Key: key, Value: jsonval.OfBool(true)})
		}
	}
	root := n.tree.Root.RealPath()
	origin, _ := spec.Parse(n.lockResolved(root), root)
	wanted := origin
	if e := legacyReason(n); e != nil {
		wanted = e.want().spec
	}
	local := func(s spec.Spec) bool {
		return s.Type == spec.Git || s.Type == spec.File || s.Type == spec.Directory
	}
	switch {
	case n.isLink:
		str("version", "file:"+relativePath(root, n.real))
	case wanted.Type == spec.File || wanted.Type == spec.Remote:
		str("version", wanted.SaveSpec)
	case wanted.Type == spec.Git || n.Resolved != "" && origin.Type == spec.Git:
		str("version", n.Resolved)
		str("from", wanted.Raw)
	case n.PackageName() != "" && n.PackageName() != n.Name:
		str("version", "npm:"+n.PackageName()+"@"+n.Version())
	default:
		str("version", n.Version())
	}
	flag("bundled", n.inDepBundle())
	if n.Resolved != "" && !n.isLink && !local(origin) && !local(wanted) && wanted.Type != spec.Remote && !o.OmitRegistryResolved {
		str("resolved", n.Resolved)
	}
	if !n.isLink {
		str("integrity", n.Integrity)
	}
	switch {
	case n.Extraneous:
		flag("extraneous", true)
	case !n.isLink:
		flag("peer", n.Peer)
		flag("devOptional", n.DevOptional && !n.Dev && !n.Optional)
		flag("dev", n.Dev)
		flag("optional", n.Optional)
	}
	if v := legacyRequires(n); v.Kind() == jsonval.Object {
		out = append(out, jsonval.Member{Key: "requires", Value: v})
	}
	if end := n.Target(); end != nil {
		below := map[string]bool{n.RealPath(): true}
		for dir := range above {
			below[dir] = true
		}
		if kids := legacyChildren(end, o, below); kids.Kind() == jsonval.Object {
			out = append(out, jsonval.Member{Key: "dependencies", Value: kids})
		}
	}
	return jsonval.OfObject(out...)
}

// legacyReason is the edge that is taken for why the node is there: of those that
// are satisfied, one from the shallowest place, then by name.
func legacyReason(n *Node) *Edge {
	var edges []*Edge
	for e := range n.edgesIn.all() {
		if e.Valid() {
			edges = append(edges, e)
		}
	}
	if len(edges) == 0 {
		return nil
	}
	parts := func(e *Edge) []string { return strings.Split(e.from.Location(), "node_modules") }
	sort.SliceStable(edges, func(i, j int) bool {
		a, b := parts(edges[i]), parts(edges[j])
		if len(a) != len(b) {
			return len(a) < len(b)
		}
		return compareNames(a[len(a)-1], b[len(b)-1]) < 0
	})
	return edges[0]
}

// legacyRequires lists what the node depends on, peers excepted.
func legacyRequires(n *Node) jsonval.Value {
	end := n.Target()
	if end == nil || len(end.edgesOut.list) == 0 {
		return jsonval.Value{}
	}
	out := []jsonval.Member{}
	for _, e := range end.edgesOut.list {
		if e.IsPeer() {
			continue
		}
		text := e.Spec()
		if file, ok := strings.CutPrefix(text, "file:"); ok {
			text = "file:" + relativePath(n.RealPath(), joinPath(n.RealPath(), file))
		}
		out = append(out, jsonval.Member{Key: e.Name, Value: jsonval.OfString(text)})
	}
	return jsonval.OfObject(out...)
}

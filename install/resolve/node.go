package resolve

import (
	"path"
	"strings"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// Node is one place in a tree: the project, a package in a node_modules folder,
// a link to a directory, or the directory that a link leads to.
//
// The exported fields may be read at any time by whoever holds the tree; they
// are changed by this package, and by the caller that owns the tree. Nothing of
// a tree may be used by two goroutines while one of them changes it.
type Node struct {
	// Name is the name of the folder: under an alias it is the alias.
	Name string
	// Manifest is what the package says of itself, or the lockfile of it. It is
	// never nil. A link has its target's.
	Manifest *manifest.Manifest
	// Resolved is where the content comes from: the address of a tarball, or
	// "file:" and an absolute slash path. "" if unknown.
	Resolved string
	// Integrity is the subresource integrity of the tarball, "" if unknown.
	Integrity string
	// HasShrinkwrap tells that the package brings the tree below itself along.
	HasShrinkwrap bool

	// Dev, Optional and Peer tell that the node is needed by nothing but
	// dependencies of that kind, DevOptional that it is needed by a development
	// dependency and by an optional one, but by no plain one. Extraneous tells
	// that nothing needs it.
	Dev, Optional, DevOptional, Peer, Extraneous bool
	// Inert marks a node that the lockfile names but that is not to be
	// installed: it is optional and failed to load or to be extracted, or is
	// not for this platform or Node, or is needed by such a node only.
	Inert bool

	key    string // folded Name
	at     string // path of a node without a parent
	source *Node  // what a virtual root, or a stand-in in one, stands for
	tree   *Tree
	err    error // why the manifest could not be had
	short  bool  // the manifest is a registry's short form

	parent, fsParent         *Node
	prevSibling, nextSibling *Node
	children                 childTable
	fsChildren               []*Node

	isLink  bool
	real    string // a link's end
	target  *Node  // nil while the end is not in the tree
	linksIn []*Node

	edgesOut edgeTable
	edgesIn  edgeChain

	locked     *lockfile.Entry // what the manifest was made from, if it was
	overrides  *ruleSet
	workspaces []Workspace
	version    *parsedVersion
	inventory  int // place in tree.nodes, -1 outside
}

// flagsUnknown are the flags of a node that no walk has reached yet.
func (n *Node) flagsUnknown() {
	n.Dev, n.Optional, n.DevOptional, n.Peer, n.Extraneous = true, true, true, true, true
}

// flagsNone are the flags of the root, which is none of all this.
func (n *Node) flagsNone() {
	n.Dev, n.Optional, n.DevOptional, n.Peer, n.Extraneous = false, false, false, false, false
}

// Version returns the package's version, "" if it says none.
func (n *Node) Version() string { return n.Manifest.Version }

// PackageName returns the package's own name, which differs from Name under an
// alias. "" if it says none.
func (n *Node) PackageName() string { return n.Manifest.Name }

// Tree returns the tree that the node is in now. A node that was pruned is the
// root of a tree of its own.
func (n *Node) Tree() *Tree { return n.tree }

// Path returns the absolute slash path of the node's place.
func (n *Node) Path() string {
	if n.parent == nil {
		return n.at
	}
	return n.parent.Path() + "/node_modules/" + n.Name
}

// RealPath returns the absolute slash path of the package itself: for a link
// that of its end.
func (n *Node) RealPath() string {
	if n.isLink {
		return n.real
	}
	return n.Path()
}

// Location returns the slash path from the root to the node, "" for the root.
// It is the key of the node in a lockfile.
func (n *Node) Location() string {
	return relativePath(n.tree.Root.RealPath(), n.Path())
}

// Parent returns the node in whose node_modules folder this one lies, nil for
// the root and for directories that links lead to.
func (n *Node) Parent() *Node { return n.parent }

// Children returns the nodes in this node's node_modules folder, in the order of
// their arrival.
func (n *Node) Children() []*Node { return n.children.list() }

// Child returns the node of the given name in this node's node_modules folder,
// or nil. Names that differ only in case are the same.
func (n *Node) Child(name string) *Node { return n.children.get(foldKey(name)) }

// Err returns why the manifest could not be had; nil if it could. Such a node
// knows no version.
func (n *Node) Err() error { return n.err }

// Short reports whether the manifest is a registry's short form, which Refresh can
// fill in.
func (n *Node) Short() bool { return n.short }

// IsLink reports whether the node is a link to a directory.
func (n *Node) IsLink() bool { return n.isLink }

// Target returns the node that a link leads to (nil if it is in no tree), and
// for any other node the node itself.
func (n *Node) Target() *Node {
	if n.isLink {
		return n.target
	}
	return n
}

// LinksIn returns the links that lead to this node.
func (n *Node) LinksIn() []*Node { return append([]*Node(nil), n.linksIn...) }

// EdgesOut returns what the node depends on, in the order of declaration: peers,
// optional peers, plain, optional and development dependencies.
func (n *Node) EdgesOut() []*Edge { return append([]*Edge(nil), n.edgesOut.list...) }

// EdgesIn returns the edges that end here, so that a message can tell who
// requires a package.
func (n *Node) EdgesIn() []*Edge { return n.edgesIn.snapshot() }

// IsRoot reports whether the node is the root of its tree.
func (n *Node) IsRoot() bool { return n == n.tree.Root }

// IsWorkspace reports whether the node is a workspace of the project, or the
// link to one.
func (n *Node) IsWorkspace() bool {
	if n.IsRoot() {
		return false
	}
	e := n.tree.Root.edgesOut.get(foldKey(n.PackageName()))
	return e != nil && e.Type == Workspaces && e.to != nil && (e.to.Target() == n || e.to == n)
}

// isTop reports whether the node lies in no other node's node_modules folder.
func (n *Node) isTop() bool { return n.parent == nil }

func (n *Node) top() *Node {
	for n.parent != nil {
		n = n.parent
	}
	return n
}

func (n *Node) depth() int {
	d := 0
	for p := n.parent; p != nil; p = p.parent {
		d++
	}
	return d
}

// lookupParent is where a lookup goes on that found nothing here.
func (n *Node) lookupParent() *Node {
	if n.parent != nil {
		return n.parent
	}
	return n.fsParent
}

// lookup finds what require would: the nearest node of that name in this node's
// own node_modules folder or one further up.
func (n *Node) lookup(key string) *Node {
	for ; n != nil; n = n.lookupParent() {
		if c := n.children.get(key); c != nil {
			return c
		}
	}
	return nil
}

// within reports whether a lookup from n passes through ancestor.
func (n *Node) within(ancestor *Node) bool {
	for ; n != nil; n = n.lookupParent() {
		if n == ancestor {
			return true
		}
	}
	return false
}

// inShrinkwrap reports whether a package further up has fixed this place by a
// shrinkwrap of its own.
func (n *Node) inShrinkwrap() bool {
	for p := n.parent; p != nil; p = p.parent {
		if p.HasShrinkwrap {
			return true
		}
	}
	return false
}

// matches reports whether two nodes hold the same content, as far as can be
// known: by integrity, else by origin, else by name and version.
func (n *Node) matches(o *Node) bool {
	switch {
	case n == o:
		return true
	case n.Name != o.Name:
		return false
	case n.isLink:
		return o.isLink && n.target != nil && o.target != nil && n.target.matches(o.target)
	case n.IsRoot() && o.IsRoot():
		return n.Path() == o.Path()
	case n.Integrity != "" && o.Integrity != "":
		return n.Integrity == o.Integrity
	case n.origin() != "" && o.origin() != "":
		return n.origin() == o.origin()
	default:
		return n.PackageName() != "" && n.PackageName() == o.PackageName() &&
			n.Version() != "" && n.Version() == o.Version()
	}
}

// origin is Resolved, and for a link its end, as a link is written down.
func (n *Node) origin() string {
	if n.isLink {
		return "file:" + relativePath(path.Dir(n.Path()), n.real)
	}
	return n.Resolved
}

// folderName is the name that a package has by its folder, with the scope where
// the folder above is one.
func folderName(dir string) string {
	base := path.Base(dir)
	if base == "/" || base == "." {
		return ""
	}
	if above := path.Base(path.Dir(dir)); strings.HasPrefix(above, "@") {
		return above + "/" + base
	}
	return base
}

// relativePath returns the slash path that leads from one absolute path to
// another, "" if they are the same.
func relativePath(from, to string) string {
	if from == to {
		return ""
	}
	if prefix := strings.TrimSuffix(from, "/") + "/"; strings.HasPrefix(to, prefix) {
		return to[len(prefix):]
	}
	a, b := splitPath(from), splitPath(to)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	up := strings.Repeat("../", len(a)-i)
	return strings.TrimSuffix(up+strings.Join(b[i:], "/"), "/")
}

func splitPath(p string) []string {
	p = strings.Trim(p, "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

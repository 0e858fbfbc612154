package resolve

import (
	"sort"
	"strings"

	"weft/npm/manifest"
)

// Tree is a project and everything below it. It belongs to one goroutine at a
// time.
type Tree struct {
	// Root is the project.
	Root *Node
	// FromDisk tells that the tree was read (from a lockfile or node_modules)
	// rather than made from nothing.
	FromDisk bool

	env     *env
	indexed bool                  // byName and named are kept
	nodes   []*Node               // in the order of their arrival, with holes
	holes   int                   //
	byName  map[string][]*Node    // by Node.Name
	named   map[string]*edgeChain // edges by folded name
	tops    []*Node               // nodes without a parent, other than Root
	// dangling are links that lost their ends, some of them pruned since.
	dangling []*Node
}

// newTree returns a tree of one node, which it makes the root. An indexed tree
// answers questions about all of its nodes; the small trees of virtual roots and
// pruned nodes do without.
func newTree(e *env, root *Node, indexed bool) *Tree {
	t := &Tree{Root: root, env: e, indexed: indexed}
	if indexed {
		t.byName = make(map[string][]*Node)
		t.named = make(map[string]*edgeChain)
	}
	root.tree = t
	t.include(root)
	return t
}

// Nodes returns all nodes, the root among them, in the order of their arrival.
func (t *Tree) Nodes() []*Node {
	out := make([]*Node, 0, len(t.nodes)-t.holes)
	for _, n := range t.nodes {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) - t.holes }

// At returns the node at a location (see [Node.Location]), nil if there is none.
func (t *Tree) At(location string) *Node {
	return t.nodeAt(joinPath(t.Root.RealPath(), location))
}

// nodeAt returns the node at an absolute path. Below a top every step of the way
// is a node_modules folder and a name in it.
func (t *Tree) nodeAt(p string) *Node {
	start := t.Root
	if !below(p, start.RealPath()) {
		start = nil
	}
	for _, top := range t.tops {
		if below(p, top.at) && (start == nil || len(top.at) > len(start.RealPath())) {
			start = top
		}
	}
	if start == nil {
		return nil
	}
	rest := relativePath(start.RealPath(), p)
	for rest != "" && start != nil {
		name, ok := strings.CutPrefix(rest, "node_modules/")
		if !ok {
			return nil
		}
		end := strings.IndexByte(name, '/')
		if end >= 0 && strings.HasPrefix(name, "@") {
			if next := strings.IndexByte(name[end+1:], '/'); next >= 0 {
				end += 1 + next
			} else {
				end = -1
			}
		}
		rest = ""
		if end >= 0 {
			name, rest = name[:end], name[end+1:]
		}
		if start.isLink {
			return nil
		}
		start = start.children.get(foldKey(name))
	}
	return start
}

// below reports whether p is dir or inside it.
func below(p, dir string) bool {
	return strings.HasPrefix(p, dir) && (len(p) == len(dir) || p[len(dir)] == '/' || dir == "/")
}

func (t *Tree) include(n *Node) {
	n.tree = t
	n.inventory = len(t.nodes)
	t.nodes = append(t.nodes, n)
	if !t.indexed {
		return
	}
	t.byName[n.Name] = append(t.byName[n.Name], n)
	for _, e := range n.edgesOut.list {
		t.index(e)
	}
}

func (t *Tree) exclude(n *Node) {
	t.nodes[n.inventory] = nil
	t.holes++
	if t.holes > 64 && t.holes > len(t.nodes)/2 {
		t.compact()
	}
	for i, top := range t.tops {
		if top == n {
			t.tops = append(t.tops[:i:i], t.tops[i+1:]...)
			break
		}
	}
	if !t.indexed {
		return
	}
	list := t.byName[n.Name]
	for i, x := range list {
		if x == n {
			t.byName[n.Name] = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	for _, e := range n.edgesOut.list {
		t.unindex(e)
	}
}

func (t *Tree) compact() {
	kept := t.nodes[:0]
	for _, n := range t.nodes {
		if n != nil {
			n.inventory = len(kept)
			kept = append(kept, n)
		}
	}
	clear(t.nodes[len(kept):])
	t.nodes, t.holes = kept, 0
}

func (t *Tree) index(e *Edge) {
	c := t.named[e.key]
	if c == nil {
		c = &edgeChain{hook: chainNamed}
		t.named[e.key] = c
	}
	c.add(e)
}

func (t *Tree) unindex(e *Edge) { t.named[e.key].remove(e) }

// sortNodes orders nodes by location, in npm's order of strings.
func sortNodes(nodes []*Node) {
	sort.SliceStable(nodes, func(i, j int) bool {
		return compareNames(nodes[i].Location(), nodes[j].Location()) < 0
	})
}

// newNode returns a node that is in a tree of its own, without place and edges.
func newNode(e *env, name string, m *manifest.Manifest) *Node {
	if m == nil {
		m = emptyManifest
	}
	n := &Node{Name: name, key: foldKey(name), Manifest: m}
	n.flagsUnknown()
	n.tree = &Tree{Root: n, env: e, nodes: []*Node{n}}
	return n
}

var emptyManifest = &manifest.Manifest{}

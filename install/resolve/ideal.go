package resolve

import (
	"context"
	"path/filepath"
	"sort"

	"weft/npm/manifest"
)

// Ideal returns the tree that npm install would make: the lockfile's, or what is
// in node_modules, or nothing, with everything placed that package.json asks for
// and that is missing there or does not satisfy it, and without what nobody needs.
//
// Errors: *PeerConflictError, *OverrideError, *LoadError (what could not be had,
// for whom, and why: no such package, no such version), *PlatformError,
// *EngineError, and whatever Source and the context give, wrapped.
func Ideal(ctx context.Context, o Options) (*Result, error) {
	b := &builder{
		ctx: ctx, o: o,
		env:       newEnv(o.LegacyPeerDeps, o.InstallLinks),
		queue:     newWorkQueue(),
		seen:      make(map[*Node]bool),
		rooms:     make(map[*Node]*Node),
		manifests: make(map[wantKey]*fetched),
		links:     newNodeSet(),
		failed:    newNodeSet(),
	}
	for _, step := range []func() error{
		b.start, b.inflate, b.build, b.settleFlags, b.pruneFailed, b.completePlatforms, b.checkTargets, b.completeAbsent, b.forgetBundles,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.result.Tree = b.tree
	return &b.result, nil
}

// Result is a tree and what is to be said about it.
type Result struct {
	Tree *Tree
	// Conflicts are peer dependencies that are not met and were accepted so.
	Conflicts []*PeerConflict
	// Engines are packages that are made for another Node or npm.
	Engines []*EngineError
	// Changed tells that something was placed: the tree differs from the one it
	// was started from by more than pruning.
	Changed bool
}

// Two packages whose peers exclude each other can put each other out of the same
// place for ever. Real trees need little more than one turn a node.
const (
	turnsMin     = 2000
	turnsPerNode = 20
)

// builder is one run of Ideal.
type builder struct {
	ctx  context.Context
	o    Options
	env  *env
	tree *Tree

	queue     *workQueue
	seen      map[*Node]bool       // nodes that were worked on
	rooms     map[*Node]*Node      // the last virtual root made for a node
	manifests map[wantKey]*fetched // by name and spec
	links     *nodeSet             // links whose targets may need work
	failed    *nodeSet             // nodes whose manifest could not be had
	bundled   []*Node              // nodes that were found in tarballs
	filling   int                  // nesting of fill
	turns     int                  // nodes worked on
	suspect   bool                 // flags of the tree that was started from may be wrong
	result    Result
}

// start makes the tree to begin with and queues every node of it that has a
// missing or invalid dependency.
func (b *builder) start() error {
	if err := b.startTree(); err != nil {
		return err
	}
	seen := map[*Node]bool{}
	stack := []*Node{b.tree.Root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		bad := false
		for _, e := range n.edgesOut.list {
			if e.to != nil {
				stack = append(stack, e.to)
			}
			if e.Type == PeerOptional && b.o.FrozenPeers {
				continue
			}
			bad = bad || e.to == nil || !e.Valid()
		}
		if bad {
			b.queue.push(n)
		}
	}
	return checkRootOverrides(b.tree.Root)
}

// startTree makes the tree of the lockfile, of node_modules, or of the project
// alone.
func (b *builder) startTree() error {
	root, err := newRoot(b.env, b.o.Dir, b.o.Manifest)
	if err != nil {
		return err
	}
	b.tree = root.tree
	switch {
	case b.o.Lock != nil:
		b.suspect = true
		b.tree.FromDisk = true
		return loadLock(root, b.o.Lock)
	case b.o.Actual != nil:
		b.tree.FromDisk = graft(b.o.Actual, root)
	}
	return nil
}

// newRoot makes the node of a project, in an indexed tree.
func newRoot(e *env, dir string, m *manifest.Manifest) (*Node, error) {
	at := filepath.ToSlash(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		at = filepath.ToSlash(real)
	}
	root := newNode(e, folderName(filepath.ToSlash(dir)), m)
	root.at = at
	root.flagsNone()
	newTree(e, root, true)
	var err error
	if root.overrides, err = newRuleSet(root.Manifest.Overrides); err != nil {
		return nil, err
	}
	root.declareEdges()
	if root.workspaces, err = findWorkspaces(at, root.Manifest.Workspaces); err != nil {
		return nil, err
	}
	if len(root.workspaces) > 0 {
		root.declareWorkspaces()
		root.declareEdges()
	}
	return root, nil
}

// build works the queue off.
func (b *builder) build() error {
	b.queue.push(b.tree.Root)
	for {
		n := b.queue.pop()
		if n == nil {
			if !b.followLinks() {
				return nil
			}
			continue
		}
		if b.seen[n] || n.tree != b.tree || n.HasShrinkwrap && !b.o.UnpackBundles {
			continue
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if b.turns++; b.turns > turnsMin+turnsPerNode*b.tree.Len() {
			return ErrUnsettled
		}
		b.seen[n] = true
		if err := b.buildNode(n); err != nil {
			return err
		}
	}
}

// buildNode finds a node for every edge of n that has a problem, and then places
// these nodes.
func (b *builder) buildNode(n *Node) error {
	if err := b.unpackBundle(n); err != nil {
		return err
	}
	type task struct {
		edge *Edge
		dep  *Node
	}
	var tasks []task
	for _, e := range b.problems(n) {
		if e.Conflicted {
			continue
		}
		dep, err := b.candidate(n, e)
		if err != nil {
			return err
		}
		tasks = append(tasks, task{e, dep})
	}
	sort.SliceStable(tasks, func(i, j int) bool {
		return compareNames(tasks[i].edge.Name, tasks[j].edge.Name) < 0
	})
	rules := placeRules{
		force: b.o.Force, strictPeerDeps: b.o.StrictPeerDeps, preferDedupe: b.o.PreferDedupe,
		warn: func(c *PeerConflict) { b.result.Conflicts = append(b.result.Conflicts, c) },
	}
	for _, t := range tasks {
		p, err := place(rules, t.dep, t.edge, nil)
		if err != nil {
			return err
		}
		if err := b.afterPlacing(p); err != nil {
			return err
		}
	}
	for _, e := range n.edgesOut.list {
		if e.to != nil && e.to.isLink && e.to.target != nil {
			b.links.add(e.to)
		}
	}
	return nil
}

// afterPlacing queues what a placement, and those of the peers that came with
// it, left to be done.
func (b *builder) afterPlacing(p *placer) error {
	n := p.placed
	if n == nil {
		return b.afterPeers(p)
	}
	if n.err != nil {
		b.failed.add(n)
	}
	b.result.Changed = true
	replaced := p.check.self == verdictReplace
	for e := range n.edgesIn.all() {
		if e == p.edge || e.Conflicted || e.Valid() {
			continue
		}
		// Nodes that were worked on are queued again if a replacement broke them,
		// or if an optional peer of theirs turned up in a wrong version.
		if replaced || !b.o.FrozenPeers {
			delete(b.seen, e.from)
		}
		if !b.seen[e.from] {
			b.queue.push(e.from)
		}
	}
	b.queue.push(n)
	if p.revisit != nil {
		for _, m := range p.revisit.list {
			delete(b.seen, m)
			b.queue.push(m)
		}
	}
	if err := b.loadFiles(n); err != nil {
		return err
	}
	return b.afterPeers(p)
}

func (b *builder) afterPeers(p *placer) error {
	for _, c := range p.children {
		if err := b.afterPlacing(c); err != nil {
			return err
		}
	}
	return nil
}

// problems returns the edges of n that a node has to be found for.
func (b *builder) problems(n *Node) []*Edge {
	var bundled map[string]bool
	if len(n.Manifest.BundleDependencies) > 0 && !n.isProject() {
		bundled = make(map[string]bool)
		for _, name := range n.Manifest.BundleDependencies {
			bundled[name] = true
		}
	}
	brought := n.inDepBundle()
	var out []*Edge
	for _, e := range n.edgesOut.list {
		switch {
		case brought && !(e.Type == Prod && e.to == nil): // see wantsMore
		case bundled[e.Name]: // the package brings it
		case e.to != nil && (b.failed.has(e.to) || e.to.inShrinkwrap()):
		case e.to == nil && e.Type == PeerOptional:
		case e.to == nil:
			out = append(out, e)
		case !e.Valid() && !(e.Type == PeerOptional && b.o.FrozenPeers):
			out = append(out, e)
		}
	}
	return out
}

// followLinks queues the targets of links that lie in the project and were not
// worked on. It reports whether there were any.
func (b *builder) followLinks() bool {
	found := false
	for _, l := range b.links.list {
		if l.tree != b.tree || l.target == nil || !l.target.within(b.tree.Root) || b.seen[l.target] {
			continue
		}
		if l.overrides != nil {
			l.target.rulesArrived(l.overrides)
		}
		b.queue.push(l.target)
		found = true
	}
	b.links = newNodeSet()
	return found
}

package install

import (
	"context"
	"errors"
	"iter"
	"slices"

	"weft/install/fetch"
	"weft/install/link"
	"weft/install/plan"
	"weft/install/report"
	"weft/install/resolve"
	"weft/install/schedule"
	"weft/install/state"
	"weft/install/store"
	"weft/npm/manifest"
)

// assemble makes node_modules what the tree says: it places what is to be added
// or changed as each becomes available, then removes what is not wanted, then
// links commands.
func (s *session) assemble(ctx context.Context) (err error) {
	if s.o.LockOnly {
		s.done.added = s.tree.Len() - 1
		return nil
	}
	links, err := link.Open(s.project.dir, link.TreeOptions{Warn: s.removed})
	if err != nil {
		return err
	}
	a := &assembly{
		s: s, links: links, suspect: s.suspects(),
		jobs: make(map[string]schedule.Key), manifests: make(map[string]*manifest.Manifest),
	}
	a.steps = plan.Diff(s.actual, s.tree, plan.Options{
		OmitDev: s.options.OmitDev, OmitOptional: s.options.OmitOptional, OmitPeer: s.options.OmitPeer,
	})
	a.distrust()
	resolve.CarryBundles(s.actual, s.tree, func(n *resolve.Node) bool { return a.kept[n.Location()] })
	ctx, a.failed = context.WithCancelCause(ctx)
	defer func() {
		a.failed(nil)
		if err != nil {
			s.sched.Close() // jobs that still place something end before the tree's handle does
		}
		s.fetcher.Watch(nil)
		links.Close()
	}()
	s.fetcher.Watch(a.watch())
	for _, stage := range []func(context.Context) error{a.gather, a.clear, a.place, a.remove, a.linkBins} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	a.finish(a.steps)
	return nil
}

// removed notes what had to go because it stood where a package belongs.
func (s *session) removed(path, what string) {
	s.rep.Warn(report.Warning{Code: "WARN_REMOVED", What: path + ": " + what})
}

// assembly is node_modules being made.
type assembly struct {
	s       *session
	links   *link.Tree
	steps   []plan.Step
	suspect *suspects
	kept    map[string]bool         // locations of packages that are not placed
	jobs    map[string]schedule.Key // by location: the job that puts a folder there
	failed  context.CancelCauseFunc // ends everything with the first error that matters
	// manifests are the package.json files of what was placed, by location.
	manifests map[string]*manifest.Manifest
	// dropped are the locations of optional packages that could not be had.
	dropped []string
}

// placing are the steps that put something somewhere. What is bundled comes with
// its holder.
func (a *assembly) placing() iter.Seq[plan.Step] {
	return func(yield func(plan.Step) bool) {
		for _, st := range a.steps {
			if (st.Action == plan.Add || st.Action == plan.Change) && !st.Bundled && !yield(st) {
				return
			}
		}
	}
}

// watch returns what the fetcher is to call when a package cannot be had: it ends
// everything at once if that package is needed. Waiting for the steps in their
// order would find out only after whatever comes before.
func (a *assembly) watch() func(schedule.Key, error) {
	needed := make(map[schedule.Key]*resolve.Node)
	for st := range a.placing() {
		if n := st.Ideal; !n.IsLink() && !n.Optional {
			needed[refOf(n).Key()] = n
		}
	}
	return func(k schedule.Key, err error) {
		if n := needed[k]; n != nil {
			a.failed(&failure{n, err})
		}
	}
}

// gather waits until every package is in the store, where node_modules holds
// something that works: a registry that fails must not cost anybody that. Into an
// empty one packages are placed as they come.
func (a *assembly) gather(ctx context.Context) error {
	if !slices.ContainsFunc(a.steps, func(st plan.Step) bool { return st.Action != plan.Add }) && !a.s.o.CI {
		return nil
	}
	for st := range a.placing() {
		if !st.Ideal.IsLink() {
			a.s.fetcher.Need(refOf(st.Ideal))
		}
	}
	for st := range a.placing() {
		n := st.Ideal
		if n.IsLink() {
			continue
		}
		if _, err := a.s.fetcher.Package(ctx, refOf(n)); ctx.Err() != nil {
			return reason(ctx)
		} else if err != nil && !n.Optional {
			return about(n, err)
		}
	}
	return nil
}

// clear prepares the project for a change: the record vouches for nothing any
// more, and under ci what was there goes.
func (a *assembly) clear(context.Context) error {
	if slices.ContainsFunc(a.steps, func(st plan.Step) bool { return st.Action != plan.Keep }) {
		if err := state.Suspend(a.s.project.dir); err != nil {
			return err
		}
	}
	if a.s.o.CI {
		return wipe(a.s.project.dir)
	}
	return nil
}

// place submits a job for each step that puts something somewhere, and waits for
// all. The first failure that matters cancels the rest.
func (a *assembly) place(ctx context.Context) error {
	var waiting []plan.Step
	for st := range a.placing() {
		waiting = append(waiting, st)
		a.submit(ctx, st)
	}
	a.s.rep.Add(report.LinksWanted, int64(len(waiting)))
	for _, st := range waiting {
		v, err := a.s.sched.Wait(ctx, a.jobs[st.Location])
		switch {
		case err == nil:
			a.settle(st, v.(*placed))
		case ctx.Err() != nil:
			return reason(ctx)
		case st.Ideal.Optional:
			a.drop(st.Ideal, err)
		default:
			return about(st.Ideal, err)
		}
	}
	return a.clearDropped()
}

// failure is the cause with which a job ends all others. Who required the package
// is found out by the pipeline, which owns the tree.
type failure struct {
	node *resolve.Node
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

// reason is why the placing was ended.
func reason(ctx context.Context) error {
	cause := context.Cause(ctx)
	if f, ok := cause.(*failure); ok {
		return about(f.node, f.err)
	}
	return cause
}

// placed is the result of a placement: what the package says of itself, where
// that is known.
type placed struct {
	pkg      *store.Package
	manifest *manifest.Manifest
}

// submit asks for the package, and for its placement once it is there and the
// folder that it nests in is in place.
func (a *assembly) submit(ctx context.Context, st plan.Step) {
	n, fetcher, links := st.Ideal, a.s.fetcher, a.links
	key := schedule.Key{Lane: fetch.LaneLink, Name: st.Location}
	job := schedule.Job{Key: key}
	if up, ok := a.jobs[parentLocation(n)]; ok {
		job.After = append(job.After, up)
	}
	if n.IsLink() {
		root, end := n.Tree().Root.RealPath(), n.RealPath()
		job.Run = func(context.Context) (any, error) {
			target, err := slashRel(root, end)
			if err != nil {
				return nil, err
			}
			return &placed{}, links.Symlink(st.Location, target)
		}
	} else {
		ref := refOf(n)
		fetcher.Need(ref)
		job.After = append(job.After, ref.Key())
		job.Run = func(ctx context.Context) (any, error) {
			pkg, err := fetcher.Package(ctx, ref)
			if err != nil {
				return nil, err
			}
			return a.put(ctx, pkg, ref, st.Location)
		}
	}
	a.jobs[st.Location] = key
	a.s.sched.Submit(a.guard(ctx, job, n))
}

// guard makes a failed job of a package that is needed end all others, and skips
// the job if that has happened.
func (a *assembly) guard(ctx context.Context, job schedule.Job, n *resolve.Node) schedule.Job {
	run, optional, rep := job.Run, n.Optional, a.s.rep
	job.Run = func(own context.Context) (any, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := run(own)
		if err != nil && !optional {
			a.failed(&failure{n, err})
		}
		rep.Add(report.LinksDone, 1)
		return v, err
	}
	return job
}

// put places a package. One that turns out to be damaged in the store is fetched
// once more.
func (a *assembly) put(ctx context.Context, pkg *store.Package, ref fetch.Ref, location string) (*placed, error) {
	err := a.links.Place(pkg, location, link.Options{})
	if errors.Is(err, store.ErrCorrupt) {
		if pkg, err = a.s.fetcher.Again(ctx, ref, pkg); err == nil {
			err = a.links.Place(pkg, location, link.Options{})
		}
	}
	if err != nil {
		return nil, err
	}
	return &placed{pkg: pkg, manifest: manifestOf(pkg)}, nil
}

// manifestOf reads the package.json of an unpacked package, with the commands and
// scripts that its files add; nil if it has none that can be read.
func manifestOf(pkg *store.Package) *manifest.Manifest {
	text, err := pkg.Manifest()
	if err != nil {
		return nil
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return nil
	}
	files := make([]string, len(pkg.Files))
	for i, f := range pkg.Files {
		files[i] = f.Path
	}
	m.ExpandBinDir(files)
	m.AddGypScript(files)
	return m
}

// drop makes an optional package inert that could not be had, with what has to go
// along.
func (a *assembly) drop(n *resolve.Node, err error) {
	if n.Inert {
		return // it fell with another one
	}
	a.s.rep.Detail("left out %s, which is optional: %v", report.NameOf(n), err)
	for _, fallen := range resolve.OptionalFailed(n) {
		if fallen.Parent() != nil { // else it is somebody's own directory
			a.dropped = append(a.dropped, fallen.Location())
		}
	}
}

// clearDropped removes what was placed for optional packages before they fell.
func (a *assembly) clearDropped() error {
	for _, location := range a.dropped {
		if err := a.links.Remove(location); err != nil {
			return err
		}
	}
	return nil
}

// remove takes away what is not wanted any more. A folder whose package was
// changed has kept what nests in it, so that only what lies below a removed one is
// gone already.
func (a *assembly) remove(context.Context) error {
	gone := make(map[string]bool)
	for _, st := range a.steps {
		if st.Action != plan.Remove {
			continue
		}
		up := parentLocation(st.Actual)
		gone[st.Location] = true
		if gone[up] {
			continue
		}
		if err := a.links.Remove(st.Location); err != nil {
			return report.ForPackage(err, report.NameOf(st.Actual))
		}
	}
	return nil
}

// settle takes over what the package that was placed says of itself.
func (a *assembly) settle(st plan.Step, p *placed) {
	if p.manifest == nil {
		return
	}
	a.manifests[st.Location] = p.manifest
	st.Ideal.Refresh(p.manifest)
}

// refreshKept does the same for a package that is kept although the tree has a new
// node for it, as when it is wanted in another way now.
func (a *assembly) refreshKept(st plan.Step) {
	if !st.Ideal.Short() {
		return
	}
	text, err := readFile(a.s.project.path(st.Location + "/" + manifestFile))
	if err != nil {
		return
	}
	if m, err := manifest.Parse(text); err == nil {
		st.Ideal.Refresh(m)
	}
}

// refOf names the content of a node. A lockfile may lack the address; then the
// registry is asked for that version's.
func refOf(n *resolve.Node) fetch.Ref {
	name := n.PackageName()
	if name == "" {
		name = n.Name
	}
	return fetch.Ref{Name: name, Version: n.Version(), Resolved: n.Resolved, Integrity: n.Integrity}
}

// parentLocation is the location of the package that n nests in, "" for the
// project.
func parentLocation(n *resolve.Node) string { return n.Parent().Location() }

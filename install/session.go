package install

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"weft/install/fetch"
	"weft/install/report"
	"weft/install/resolve"
	"weft/install/schedule"
	"weft/install/scripts"
	"weft/install/state"
	"weft/install/store"
	"weft/install/target"
	"weft/npm/npmrc"
	"weft/npm/registry"
)

// session is one install under way. It belongs to the pipeline's task; jobs get
// what they need by value.
type session struct {
	o       Options
	rep     *report.Reporter
	started time.Time

	config  *npmrc.Config
	folders folders
	project *project
	target  target.Target
	prints  string        // settings' fingerprint
	record  *state.Record // of the last install, nil without one
	taken   fs.FileInfo   // the record's file

	registry *registry.Client
	store    *store.Store
	sched    *schedule.Scheduler
	fetcher  *fetch.Fetcher

	options resolve.Options
	actual  *resolve.Tree // what lies in node_modules
	tree    *resolve.Tree // what is to lie there

	paused     atomic.Bool // a long pause was shown
	fresh      bool        // nothing was done but looking at the record
	lockSum    string      // hash of the lockfile that was written, "" if none was
	commands   []string    // locations of linked commands
	blocked    []scripts.Note
	deprecated []report.Deprecation
	done       counts
}

// counts are the packages of a finished install.
type counts struct{ added, changed, removed, kept int }

// open reads the project and finds out for what to install.
func (s *session) open(ctx context.Context) error {
	var err error
	if s.config, err = npmrc.Load(npmrc.Options{Dir: s.o.Dir, Home: home(s.o.Env), Env: s.o.Env, Flags: s.o.Flags}); err != nil {
		return &report.Problem{Code: report.CodeSetting, What: "the settings cannot be read", Why: err.Error(), Exit: report.ExitUsage, Err: err}
	}
	for _, w := range s.config.Warnings() {
		s.rep.Detail("%s", w)
	}
	if s.project, err = readProject(s.o.Dir); err != nil {
		return err
	}
	for _, layer := range []npmrc.Layer{npmrc.Project, npmrc.User, npmrc.Global} {
		if path := s.config.Source(layer); filepath.IsAbs(path) {
			if err := s.project.input(path); err != nil {
				return err
			}
		}
	}
	if err := checkSettings(s.config); err != nil {
		return err
	}
	if s.folders, err = findFolders(s.o, s.config); err != nil {
		return err
	}
	s.target, err = target.Detect(ctx, target.Options{
		NodeVersion: s.o.NodeVersion, Dir: s.project.dir, Env: s.o.Env,
		CacheDir: s.folders.cache, Manifest: s.project.manifest.Raw,
		OS: s.config.Get("os"), CPU: s.config.Get("cpu"), Libc: s.config.Get("libc"),
	})
	if err != nil {
		return err
	}
	members, err := resolve.FindWorkspaces(s.project.dir, s.project.manifest)
	if err != nil {
		return err
	}
	s.prints = fingerprint(s.config, s.target, members)
	return nil
}

// upToDate reports whether the last install left everything as it has to be.
func (s *session) upToDate() bool {
	var err error
	s.taken, _ = os.Lstat(s.project.path(state.File))
	if s.record, err = state.Read(s.project.dir); err != nil {
		s.rep.Detail("no record of an earlier install: %v", err)
		return false
	}
	if s.o.CI || s.o.LockOnly {
		return false
	}
	diff, found := s.record.Check(s.project.dir, s.prints)
	if found {
		s.rep.Detail("not up to date: %s", diff)
		return false
	}
	s.fresh, s.done.kept = true, s.record.Packages
	return true
}

// readLock reads the lockfile, if settings want one, and what goes with it. It is
// read under the project's lock, since another weft may just have written it.
func (s *session) readLock() error {
	for _, name := range []string{lockFile, shrinkwrapFile} {
		if err := s.project.input(name); err != nil {
			return err
		}
	}
	if !s.config.PackageLock() {
		return nil
	}
	return s.project.readLock()
}

// overtaken reports whether the project changed since it was read: another weft
// installed meanwhile, or somebody edited package.json.
func (s *session) overtaken() bool {
	now, _ := os.Lstat(s.project.path(state.File))
	switch {
	case (now == nil) != (s.taken == nil):
		return true
	case now != nil && !(os.SameFile(now, s.taken) && now.ModTime().Equal(s.taken.ModTime())):
		return true
	}
	return slices.ContainsFunc(s.project.inputs, func(in state.Input) bool { return in.Changed(s.project.dir) })
}

// connect makes what a real install needs: store, registry and scheduler.
func (s *session) connect(ctx context.Context) error {
	var err error
	if s.store, err = store.Open(s.folders.store); err != nil {
		return err
	}
	s.registry, err = registry.New(registry.Options{
		Config: s.config, CacheDir: s.folders.cache,
		UserAgent: s.config.UserAgent(target.NpmVersion, "v"+s.target.NodeVersion, s.target.OS, s.target.CPU),
		Observe:   s.observe,
	})
	if err != nil {
		return err
	}
	if s.sched, err = schedule.Start(ctx, schedule.Config{Lanes: fetch.Lanes(s.registry.MaxRequests())}); err != nil {
		return err
	}
	return nil
}

// longPause is how long a registry may keep us waiting without a word about it.
const longPause = 2 * time.Second

// observe passes the registry's events on. Of the long pauses the first is shown,
// since where one request has to wait most do.
func (s *session) observe(e registry.Event) {
	switch e.Kind {
	case registry.Fetched:
		s.rep.Add(report.BytesFetched, int64(e.Bytes))
	case registry.Retried:
		if e.Pause >= longPause && !s.paused.Swap(true) {
			s.rep.Notice(fmt.Sprintf("%s: %v, trying again in %s", e.URL, e.Err, e.Pause.Round(time.Second)))
			return
		}
		s.rep.Detail("%s: %v, trying again in %s", e.URL, e.Err, e.Pause)
	case registry.CacheStale:
		s.rep.Detail("%s: %v, using what is cached", e.URL, e.Err)
	case registry.CacheFailed:
		s.rep.Detail("%s could not be cached: %v", e.URL, e.Err)
	}
}

// close ends what connect began.
func (s *session) close() {
	if s.sched != nil {
		s.sched.Close()
	}
	if s.registry != nil {
		s.registry.Close()
	}
	if s.store != nil {
		s.store.Close()
	}
}

// summary tells what was done.
func (s *session) summary() *report.Summary {
	sum := &report.Summary{
		Added: s.done.added, Changed: s.done.changed, Removed: s.done.removed, Kept: s.done.kept,
		Duration: time.Since(s.started),
		UpToDate: s.fresh, LockOnly: s.o.LockOnly,
		Blocked: s.blocked, Deprecated: s.deprecated, Target: s.target,
	}
	if s.registry != nil {
		sum.Bytes = s.registry.Bytes()
	}
	if !s.fresh {
		sum.RootScripts = scripts.Root(s.project.manifest.Scripts)
	}
	return sum
}

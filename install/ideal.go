package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"weft/install/fetch"
	"weft/install/report"
	"weft/install/resolve"
	"weft/install/target"
	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// resolve makes the tree to be: the lockfile's under ci, else npm install's.
func (s *session) resolve(ctx context.Context) error {
	before, err := s.config.Before(s.started)
	if err != nil {
		return &report.Problem{Code: report.CodeSetting, What: "the setting before is no date", Why: err.Error(), Exit: report.ExitUsage, Err: err}
	}
	omit := s.config.Omit()
	s.options = resolve.Options{
		Dir: s.project.dir, Manifest: s.project.manifest, Lock: s.project.lock, Target: s.target,
		LegacyPeerDeps: s.config.Bool("legacy-peer-deps"), StrictPeerDeps: s.config.Bool("strict-peer-deps"),
		Force: s.config.Bool("force"), EngineStrict: s.config.Bool("engine-strict"),
		PreferDedupe: s.config.Bool("prefer-dedupe"), InstallLinks: s.config.Bool("install-links"),
		OmitDev:      slices.Contains(omit, "dev"),
		OmitOptional: slices.Contains(omit, "optional"),
		OmitPeer:     slices.Contains(omit, "peer"),
		Before:       before, DefaultTag: s.config.Get("tag"),
		FullMetadata: s.o.LockOnly, FrozenPeers: s.o.CI, UnpackBundles: true,
	}
	s.fetcher = fetch.New(fetch.Options{
		Scheduler: s.sched, Registry: s.registry, Store: s.store, Report: s.rep,
		Ahead: &fetch.Ahead{
			Pick: s.options.Pick, Full: s.options.FullMetadata || !before.IsZero(), Target: s.target,
			LegacyPeers: s.options.LegacyPeerDeps,
			// What is left out must be looked up for the lockfile, but not downloaded.
			Tarballs: !s.o.LockOnly && len(omit) == 0,
		},
	})
	s.options.Source, s.options.Observer = s.fetcher, s.fetcher
	if err := s.readActual(); err != nil {
		return err
	}
	if s.project.lock == nil {
		s.goAheadOfRoot()
	}
	result, err := resolve.Ideal(ctx, s.options)
	if err != nil {
		return err
	}
	s.tree = result.Tree
	if s.o.CI {
		if err := s.checkLock(); err != nil {
			return err
		}
	}
	s.fetcher.ForgetPackuments()
	s.warn(result)
	return nil
}

// warn notes peer conflicts that were accepted and packages for another Node.
func (s *session) warn(r *resolve.Result) {
	for _, c := range r.Conflicts {
		s.rep.Warn(report.Warning{Code: "ERESOLVE", Package: c.Wants.By, What: c.String(), Hint: "--legacy-peer-deps ignores peer dependencies"})
	}
	for _, e := range r.Engines {
		w := report.Warning{Code: "EBADENGINE", Package: report.NameOf(e.Node), What: e.Err.Error()}
		var engine *target.EngineError
		if errors.As(e.Err, &engine) {
			w.What = engine.Wants()
		}
		s.rep.Warn(w)
	}
}

// about wraps an error with the package it is about and who asked for it.
func about(n *resolve.Node, err error) error {
	return report.ForPackage(err, report.NameOf(n), report.Chain(n)...)
}

// needLock is the first thing that ci asks for.
func (s *session) needLock() error {
	if s.project.lock != nil {
		return nil
	}
	return &report.Problem{
		Code: report.CodeNoLockfile, What: "there is no package-lock.json to install from",
		Hint: "run `weft install` once and commit the lockfile", Exit: report.ExitFailure,
	}
}

// checkLock refuses to go on under ci where package.json asks for something that
// is not in the lockfile.
func (s *session) checkLock() error {
	virtual, err := resolve.Virtual(s.project.dir, s.project.manifest, s.project.lock)
	if err != nil {
		return err
	}
	var lines []string
	for _, m := range resolve.ValidateLock(virtual, s.tree) {
		lines = append(lines, m.String())
	}
	if len(lines) == 0 {
		return nil
	}
	return &report.Problem{
		Code: report.CodeLockStale, What: fmt.Sprintf("package.json and %s disagree", s.project.lockName),
		Why: strings.Join(lines, "\n"), Hint: "run `weft install` and commit the lockfile", Exit: report.ExitNegative,
	}
}

// readActual reads what is in node_modules. ci starts from nothing.
func (s *session) readActual() error {
	if s.o.CI {
		if err := s.needLock(); err != nil {
			return err
		}
	}
	// A node_modules that is a link or a file is replaced, whatever it leads to.
	st, err := os.Lstat(s.project.path("node_modules"))
	if s.o.CI || err == nil && !st.IsDir() {
		s.actual, err = resolve.Virtual(s.project.dir, s.project.manifest, new(lockfile.File))
		return err
	}
	if s.actual, err = resolve.Actual(s.project.dir); err != nil {
		return fmt.Errorf("read node_modules: %w", err)
	}
	// What a first install left half-made knows no origin and no hash, and a
	// lockfile made from it would not either.
	if !s.record.Unfinished() {
		s.options.Actual = s.actual
	}
	return nil
}

// goAheadOfRoot starts fetching what the project itself asks for.
func (s *session) goAheadOfRoot() {
	m := s.project.manifest
	for _, deps := range []manifest.Deps{m.Dependencies, m.DevDependencies, m.OptionalDependencies, m.PeerDependencies} {
		for _, d := range deps {
			s.fetcher.Want(d.Name, d.Spec)
		}
	}
}

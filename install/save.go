package install

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"weft/install/resolve"
	"weft/install/state"
	"weft/npm/lockfile"
	"weft/npm/npmrc"
)

// hiddenLock is where npm looks first for what node_modules holds.
const hiddenLock = "node_modules/.package-lock.json"

// save writes the lockfile if it changed, then what describes node_modules: npm's
// hidden lockfile, which must be newer than every folder, and weft's own record,
// which vouches for all of it and so comes last.
func (s *session) save(ctx context.Context) error {
	if err := s.saveLock(); err != nil {
		return err
	}
	if s.o.LockOnly {
		return nil
	}
	if err := s.saveHidden(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.saveRecord()
}

func (s *session) lockOptions() resolve.LockOptions {
	return resolve.LockOptions{
		OmitRegistryResolved: s.config.Bool("omit-lockfile-registry-resolved"),
		Previous:             s.project.lock,
	}
}

// saveLock writes the lockfile in the layout of package.json. One that would be
// the same is left alone, with its times.
func (s *session) saveLock() error {
	if s.o.CI || !s.config.PackageLock() {
		return nil
	}
	f := s.tree.Lockfile(s.lockOptions())
	if v := s.config.LockfileVersion(); v != 0 {
		f.LockfileVersion = v
	}
	text := f.Marshal(s.lockFormat())
	if bytes.Equal(text, s.project.lockText) {
		return nil
	}
	return writeFile(s.project.path(s.project.lockName), text)
}

// lockFormat is the layout of package.json, which npm gives to both lockfiles.
func (s *session) lockFormat() lockfile.Format {
	format := s.project.format
	format.Compact = !s.config.Bool("format-package-lock")
	return format
}

// saveHidden describes what was installed, if anything was.
func (s *session) saveHidden() error {
	if _, err := os.Stat(s.project.path("node_modules")); err != nil {
		return nil // nothing is installed and nothing has to be
	}
	o := s.lockOptions()
	o.Installed = true
	text := s.tree.Lockfile(o).Hidden().Marshal(s.lockFormat())
	return writeFile(s.project.path(hiddenLock), text)
}

// saveRecord notes everything that the next run compares.
func (s *session) saveRecord() error {
	if _, err := os.Stat(s.project.path("node_modules")); err != nil {
		return nil
	}
	r := &state.Record{Settings: s.prints}
	for _, path := range s.inputs() {
		in, err := state.TakeInput(s.project.dir, path)
		if err != nil {
			return err
		}
		r.Inputs = append(r.Inputs, in)
	}
	for _, n := range s.tree.Nodes() {
		if n.Parent() == nil || n.Inert {
			continue
		}
		r.Packages++
		if err := take(r, s.project.dir, n.Location()); err != nil {
			return err
		}
	}
	for _, path := range s.commands {
		// A command whose file is missing was not linked.
		_ = take(r, s.project.dir, path)
	}
	return r.Write(s.project.dir)
}

func take(r *state.Record, dir, path string) error {
	e, err := state.TakeEntry(dir, path)
	if err == nil {
		r.Entries = append(r.Entries, e)
	}
	return err
}

// inputs are the files that steer an install: package.json, both lockfiles, every
// npmrc, and the package.json of each directory that a link leads to.
func (s *session) inputs() []string {
	paths := []string{manifestFile, lockFile, shrinkwrapFile}
	for _, layer := range []npmrc.Layer{npmrc.Project, npmrc.User, npmrc.Global} {
		if path := s.config.Source(layer); filepath.IsAbs(path) {
			paths = append(paths, path)
		}
	}
	for _, n := range s.tree.Nodes() {
		if n.IsLink() {
			paths = append(paths, filepath.Join(filepath.FromSlash(n.RealPath()), manifestFile))
		}
	}
	return paths
}

// writeFile replaces a file whole or not at all, keeping its mode. A file that is
// a symbolic link stays one: what it leads to is replaced.
func writeFile(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o644)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".weft-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(text)
	if cerr := f.Chmod(mode); err == nil {
		err = cerr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

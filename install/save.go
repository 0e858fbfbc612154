package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"weft/install/resolve"
	"weft/install/state"
	"weft/npm/lockfile"
)

const (
	modulesFolder = "node_modules"
	// hiddenLock is where npm looks first for what node_modules holds.
	hiddenLock = "node_modules/.package-lock.json"
)

// save writes the lockfile if it changed, then what describes node_modules: npm's
// hidden lockfile, and weft's own record, which vouches for all of it.
func (s *session) save(ctx context.Context) error {
	if err := s.saveLock(); err != nil {
		return err
	}
	// Without a folder nothing is installed and nothing has to be.
	if st, err := os.Lstat(s.project.path(modulesFolder)); s.o.LockOnly || err != nil || !st.IsDir() {
		return nil
	}
	if err := s.saveHidden(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.saveRecord(); err != nil {
		return err
	}
	// For npm the hidden lockfile must be newer than every folder, and writing
	// the record has just touched one.
	now := time.Now()
	return os.Chtimes(s.project.path(hiddenLock), now, now)
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
	s.lockSum = state.Sum(text)
	return writeFile(s.project.path(s.project.lockName), text)
}

// lockFormat is the layout of package.json, which npm gives to both lockfiles.
func (s *session) lockFormat() lockfile.Format {
	format := s.project.format
	format.Compact = !s.config.Bool("format-package-lock")
	return format
}

// saveHidden describes what was installed.
func (s *session) saveHidden() error {
	o := s.lockOptions()
	o.Installed = true
	text := s.tree.Lockfile(o).Hidden().Marshal(s.lockFormat())
	return writeFile(s.project.path(hiddenLock), text)
}

// saveRecord notes everything that the next run compares.
func (s *session) saveRecord() error {
	r := &state.Record{Settings: s.prints}
	var err error
	if r.Inputs, err = s.inputs(); err != nil {
		return err
	}
	if err := take(r, s.project.dir, modulesFolder); err != nil {
		return err
	}
	for _, n := range s.tree.Nodes() {
		if n.Parent() == nil || n.Inert {
			continue
		}
		r.Packages++
		err := take(r, s.project.dir, n.Location())
		if err != nil && !(n.Bundled() && errors.Is(err, fs.ErrNotExist)) { // not every tarball holds what it says
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

// inputs are the files that steered this install, as it read or wrote them:
// package.json, both lockfiles, every npmrc, the package.json of each directory
// that a link leads to, and the hidden lockfile, which npm writes too.
func (s *session) inputs() ([]state.Input, error) {
	list := slices.Clone(s.project.inputs)
	dir := s.project.dir
	if s.lockSum != "" {
		at := slices.IndexFunc(list, func(in state.Input) bool { return in.Path == s.project.lockName })
		now, err := state.TakeInput(dir, s.project.lockName)
		if err != nil {
			return nil, err
		}
		if now.Hash != s.lockSum { // somebody else wrote it since
			now = state.Input{Path: s.project.lockName, Hash: s.lockSum}
		}
		list[at] = now
	}
	paths := []string{hiddenLock}
	for _, n := range s.tree.Nodes() {
		if n.IsLink() {
			paths = append(paths, filepath.Join(filepath.FromSlash(n.RealPath()), manifestFile))
		}
	}
	for _, path := range paths {
		in, err := state.TakeInput(dir, path)
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	return list, nil
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

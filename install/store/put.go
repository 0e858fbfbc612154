package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"weft/install/internal/dirfd"
	"weft/npm/tarball"
)

// Put stores an opened tarball under key, which is its verified integrity, and returns the package. If the store has it
// already, that one is returned; a damaged one is replaced. On an error nothing has become visible, and the error names
// the path that could not be written. The archive is only read.
//
// Two things differ from the tarball: files that package.json names as commands are executable (0755), as npm makes them
// when it links commands, and on file systems that fold names only the last of two folded files is kept.
func (s *Store) Put(key string, a *tarball.Archive) (*Package, error) {
	folder, err := folderOf(key)
	if err != nil {
		return nil, err
	}
	aside := randomName()
	index, err := s.write(key, aside, a)
	if err == nil {
		err = s.publish(key, aside, folder)
	}
	if err != nil {
		// Best effort: what stays is invisible, and Clean finds it.
		_ = s.tmp.RemoveAll(aside)
		return nil, fmt.Errorf("store package %s: %w", key, err)
	}
	return s.load(key, folder, index)
}

// write makes the whole package below tmp and returns its index.
func (s *Store) write(key, aside string, a *tarball.Archive) ([]byte, error) {
	if err := s.tmp.Mkdir(aside, ownerOnly); err != nil {
		return nil, err
	}
	dir, err := s.tmp.Sub(aside)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := dir.Mkdir(filesName, folderMode); err != nil {
		return nil, err
	}
	files, err := dir.Sub(filesName)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	w := writer{dir: files}
	manifest, _ := a.Lookup("package.json")
	bins := commandsOf(manifest.Data, a.Files)
	for _, f := range a.Files {
		if err := w.file(f, bins); err != nil {
			return nil, err
		}
	}
	index := w.encode(key, manifest.Data)
	return index, dir.WriteFile(indexName, index, 0o644)
}

// publish renames the finished package into place.
func (s *Store) publish(key, aside, folder string) error {
	parent, _, _ := strings.Cut(folder, "/")
	err := s.tmp.Rename(aside, s.root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.root.Mkdir(parent, ownerOnly); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		err = s.tmp.Rename(aside, s.root, folder)
	}
	if err == nil {
		return nil
	}
	if _, statErr := s.root.Lstat(folder); statErr != nil {
		return err
	}
	if _, getErr := s.Get(key); getErr == nil {
		return s.tmp.RemoveAll(aside) // somebody else was faster
	}
	broken := randomName()
	if err := s.root.Rename(folder, s.tmp, broken); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.tmp.Rename(aside, s.root, folder); err != nil {
		if _, getErr := s.Get(key); getErr != nil {
			return err
		}
		_ = s.tmp.RemoveAll(aside)
	}
	return s.tmp.RemoveAll(broken)
}

// writer writes the files of one package and keeps its index.
type writer struct {
	indexWriter
	dir  *dirfd.Dir
	made map[string]bool // folders
	last string          // the folder of the last file
}

func (w *writer) file(f tarball.File, bins commands) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
		return fmt.Errorf("the path %q leads out of the package", f.Path)
	}
	if i := strings.LastIndexByte(f.Path, '/'); i >= 0 && f.Path[:i] != w.last {
		if err := w.folder(f.Path[:i]); err != nil {
			return err
		}
		w.last = f.Path[:i]
	}
	mode := f.Mode.Perm()
	if bins[f.Path] {
		mode = 0o755
	}
	err := w.dir.WriteFile(f.Path, f.Data, mode)
	if errors.Is(err, fs.ErrExist) {
		if err = w.replaceFolded(f.Path); err == nil {
			err = w.dir.WriteFile(f.Path, f.Data, mode)
		}
	}
	if err != nil {
		return err
	}
	w.files = append(w.files, File{Path: f.Path, Mode: mode, Size: int64(len(f.Data)), Hash: checksum(f.Data)})
	return nil
}

// folder makes a folder and those above it.
func (w *writer) folder(path string) error {
	if w.made[path] {
		return nil
	}
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		if err := w.folder(path[:i]); err != nil {
			return err
		}
	}
	if err := w.dir.Mkdir(path, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if w.made == nil {
		w.made = make(map[string]bool)
	}
	w.made[path] = true
	w.folders = append(w.folders, path)
	return nil
}

// replaceFolded makes way for a file whose name, on this file system, is that of an earlier one. As with npm the last
// one stays.
func (w *writer) replaceFolded(path string) error {
	taken, err := w.dir.Lstat(path)
	if err != nil {
		return err
	}
	for i, f := range w.files {
		if info, err := w.dir.Lstat(f.Path); err == nil && (info.Inode == taken.Inode && info.Inode != 0 || strings.EqualFold(f.Path, path)) {
			w.files = append(w.files[:i], w.files[i+1:]...)
			break
		}
	}
	return w.dir.Unlink(path)
}

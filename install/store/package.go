package store

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"weft/install/internal/dirfd"
)

// File is one file of a package in the store.
type File struct {
	// Path is relative to the package folder, slash-separated and safe to join.
	Path string
	// Mode holds permission bits: 0644, with execute bits as the tarball or package.json's bin have them.
	Mode fs.FileMode
	// Size is in bytes.
	Size int64
	// Hash is the checksum of the content (see the package comment); equal for equal contents.
	Hash uint64
}

// Package is a package in the store. It is not changed after Get or Put, so any number of goroutines may use it; its
// slices must not be written to. It holds no handle and need not be closed.
type Package struct {
	// Key is the integrity it was put under.
	Key string
	// Dir is the folder of its files.
	Dir string
	// Files lists its files in the order of the tarball.
	Files []File
	// Folders lists every folder that has files or folders in it, but for the package's own; parents come first.
	Folders []string

	folder   string // below the store's root
	store    *Store
	manifest []byte
}

// indexBuffers holds what indexes are read into. Most have less than 16 KiB; those of more than keepIndexBytes are not
// worth keeping room for.
var indexBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 32<<10); return &b }}

const keepIndexBytes = 1 << 20

// Get finds a package by its key. The error is ErrAbsent if there is none, ErrCorrupt if its index cannot be read, and
// ErrKey if key is none.
func (s *Store) Get(key string) (*Package, error) {
	folder, err := folderOf(key)
	if err != nil {
		return nil, err
	}
	buf := indexBuffers.Get().(*[]byte)
	defer indexBuffers.Put(buf)
	data, err := s.root.Read(folder+"/"+indexName, (*buf)[:0], maxIndexSize)
	if cap(data) <= keepIndexBytes {
		*buf = data
	}
	if errors.Is(err, fs.ErrNotExist) {
		// A folder without an index is nothing that Put makes; it counts as damaged so that Put replaces it.
		if _, statErr := s.root.Lstat(folder); statErr == nil {
			return nil, fmt.Errorf("%s: %w: it has no index", key, ErrCorrupt)
		}
		return nil, fmt.Errorf("%s: %w", key, ErrAbsent)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s from the store: %w", key, err)
	}
	return s.load(key, folder, data)
}

func (s *Store) load(key, folder string, index []byte) (*Package, error) {
	p := &Package{store: s, folder: folder, Dir: s.root.Path() + "/" + folder + "/" + filesName}
	if err := p.decode(index); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", key, ErrCorrupt, err)
	}
	if p.Key != key {
		return nil, fmt.Errorf("%s: %w: the index says %s", key, ErrCorrupt, p.Key)
	}
	return p, nil
}

// Manifest returns the bytes of package.json as the tarball has them. They come with the index, so this reads nothing. A
// package without one is fs.ErrNotExist. The bytes must not be changed.
func (p *Package) Manifest() ([]byte, error) {
	if len(p.manifest) == 0 {
		return nil, &fs.PathError{Op: "read", Path: p.Dir + "/package.json", Err: fs.ErrNotExist}
	}
	return p.manifest, nil
}

// Open opens the folder of the package's files. The caller closes it.
func (p *Package) Open() (*dirfd.Dir, error) {
	dir, err := p.store.root.Sub(p.folder + "/" + filesName)
	if errors.Is(err, fs.ErrNotExist) || dirfd.NotFolder(err) {
		return nil, fmt.Errorf("%s: %w: %w", p.Key, ErrCorrupt, err)
	}
	return dir, err
}

// File returns the file at path, and whether there is one.
func (p *Package) File(path string) (File, bool) {
	for _, f := range p.Files {
		if f.Path == path {
			return f, true
		}
	}
	return File{}, false
}

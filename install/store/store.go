package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"weft/install/internal/dirfd"
)

// Conditions; test with errors.Is.
var (
	// ErrAbsent means that the store has no package of that key.
	ErrAbsent = errors.New("not in the store")
	// ErrKey means that a key is not one integrity hash of a known algorithm.
	ErrKey = errors.New("not a store key")
	// ErrCorrupt means that a package in the store is damaged. Putting it again repairs it.
	ErrCorrupt = errors.New("damaged in the store")
)

const (
	layout     = "v1"
	tmpFolder  = "tmp"
	indexName  = "index"
	filesName  = "package"
	lockName   = "lock"
	ownerOnly  = 0o700
	folderMode = 0o755
)

// Store is an open store. Any number of goroutines and processes may use one directory at the same time. Its calls block
// on the disk.
type Store struct {
	root *dirfd.Dir // <dir>/v1
	tmp  *dirfd.Dir
}

// DefaultDir returns where the store lives unless the user says otherwise: below $XDG_DATA_HOME, or
// ~/.local/share (Linux and others), ~/Library (macOS), %LOCALAPPDATA% (Windows); in each weft/store. getenv is
// os.Getenv, home the user's home folder. It is data and not cache, since cleaning a cache must not make the next
// install of every project a cold one.
func DefaultDir(getenv func(string) string, home string) string {
	base := getenv("XDG_DATA_HOME")
	switch {
	case filepath.IsAbs(base): // the specification wants anything else ignored
	case runtime.GOOS == "darwin":
		base = filepath.Join(home, "Library")
	case runtime.GOOS == "windows" && filepath.IsAbs(getenv("LOCALAPPDATA")):
		base = getenv("LOCALAPPDATA")
	default:
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "weft", "store")
}

// Open opens the store in dir, making it if there is none.
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, layout, tmpFolder), ownerOnly); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	root, err := dirfd.Open(filepath.Join(dir, layout))
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	tmp, err := root.Sub(tmpFolder)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", errors.Join(err, root.Close()))
	}
	return &Store{root: root, tmp: tmp}, nil
}

// Close releases the store's handles. Packages must not be opened or linked afterwards.
func (s *Store) Close() error { return errors.Join(s.tmp.Close(), s.root.Close()) }

// Dir returns the folder that the store was opened in.
func (s *Store) Dir() string { return filepath.Dir(s.root.Path()) }

// Delete removes a package. It disappears in one step; links to its files in projects stay. It is no error if it is absent.
func (s *Store) Delete(key string) error {
	name, err := folderOf(key)
	if err != nil {
		return err
	}
	aside := randomName()
	if err := s.root.Rename(name, s.tmp, aside); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("delete %s from the store: %w", key, err)
	}
	if err := s.tmp.RemoveAll(aside); err != nil {
		return fmt.Errorf("delete %s from the store: %w", key, err)
	}
	return nil
}

// Clean removes what killed processes left half-written, if it is older than age, and returns how many packages that
// was. An age of a day is safe: no package takes as long to write. One process cleans at a time, others wait.
func (s *Store) Clean(age time.Duration) (removed int, err error) {
	unlock, err := lockedfile.MutexAt(filepath.Join(s.root.Path(), lockName)).Lock()
	if err != nil {
		return 0, fmt.Errorf("clean store: %w", err)
	}
	defer unlock()
	entries, err := s.tmp.List()
	if err != nil {
		return 0, fmt.Errorf("clean store: %w", err)
	}
	var errs []error
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < age {
			continue
		}
		if err := s.tmp.RemoveAll(e.Name()); err != nil {
			errs = append(errs, fmt.Errorf("clean store: %w", err))
			continue
		}
		removed++
	}
	return removed, errors.Join(errs...)
}

// randomName returns a fresh name that nobody else picks.
func randomName() string { return strings.ToLower(rand.Text()) }

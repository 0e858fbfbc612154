package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// File is the record's place, relative to the project.
const File = "node_modules/.weft-state"

// Absent is the hash of an input that does not exist.
const Absent = "absent"

// settled is how long before the record was taken a file must have been changed
// last for its times to prove that it still is the same: a file system's clock
// ticks every few milliseconds, and two writes within a tick look alike.
const settled = 50 * time.Millisecond

// Record is what an install left. The zero Record matches no project.
type Record struct {
	Settings string // any text without a newline; compared as a whole
	Packages int    // how many packages are installed, for the closing line
	Inputs   []Input
	Entries  []Entry
}

// Input is a file that an install read.
type Input struct {
	Path  string // absolute, or relative to the project
	Hash  string // hex SHA-256 of its bytes, or Absent
	Stamp string // its identity, size and times; empty when they prove nothing
}

// Entry is a folder, a link or a file that an install made in node_modules.
type Entry struct {
	Path     string // relative to the project, with slashes
	Identity string // of a folder or a file
	Target   string // of a symbolic link, else empty
}

// Difference says what Check found first.
type Difference struct {
	Path string
	What string // "changed", "missing", "replaced", "settings"
}

func (d Difference) String() string {
	if d.Path == "" {
		return d.What
	}
	return d.Path + " " + d.What
}

// TakeInput describes a file as it is now. A file that does not exist is an
// input too: creating it later is a change.
func TakeInput(dir, path string) (Input, error) {
	in := Input{Path: path}
	full := resolve(dir, path)
	before, _ := stamp(full)
	data, err := os.ReadFile(full)
	if errors.Is(err, fs.ErrNotExist) {
		in.Hash = Absent
		return in, nil
	}
	if err != nil {
		return in, fmt.Errorf("state: %w", err)
	}
	sum := sha256.Sum256(data)
	in.Hash = hex.EncodeToString(sum[:])
	if after, at := stamp(full); after == before && time.Since(at) > settled {
		in.Stamp = after
	}
	return in, nil
}

// TakeEntry describes what stands at path, relative to dir.
func TakeEntry(dir, path string) (Entry, error) {
	e := Entry{Path: path}
	full := resolve(dir, path)
	id, isLink, err := identity(full)
	if err != nil {
		return e, fmt.Errorf("state: %w", err)
	}
	if !isLink {
		e.Identity = id
		return e, nil
	}
	if e.Target, err = os.Readlink(full); err != nil {
		return e, fmt.Errorf("state: %w", err)
	}
	return e, nil
}

// Check compares the record with the disk and the settings at hand. It returns
// the first difference, or false if everything is as it was left.
func (r *Record) Check(dir, settings string) (Difference, bool) {
	if r.Settings != settings || r.Settings == "" {
		return Difference{What: "settings"}, true
	}
	for _, in := range r.Inputs {
		if in.changed(dir) {
			return Difference{Path: in.Path, What: "changed"}, true
		}
	}
	for _, e := range r.Entries {
		now, err := TakeEntry(dir, e.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return Difference{Path: e.Path, What: "missing"}, true
		case err != nil || now != e:
			return Difference{Path: e.Path, What: "replaced"}, true
		}
	}
	return Difference{}, false
}

// changed trusts equal times and size, else it reads the file.
func (in Input) changed(dir string) bool {
	if in.Stamp != "" {
		if now, _ := stamp(resolve(dir, in.Path)); now == in.Stamp {
			return false
		}
	}
	now, err := TakeInput(dir, in.Path)
	return err != nil || now.Hash != in.Hash
}

func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

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
	in.Hash = Sum(data)
	if after, at := stamp(full); after == before && time.Since(at) > settled {
		in.Stamp = after
	}
	return in, nil
}

// Sum is the hash of an input with these bytes.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
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
		if in.Changed(dir) {
			return Difference{Path: in.Path, What: "changed"}, true
		}
	}
	for _, e := range r.Entries {
		if what := e.compare(dir); what != "" {
			return Difference{Path: e.Path, What: what}, true
		}
	}
	return Difference{}, false
}

// compare says how an entry differs from what is there, "" if it does not.
func (e Entry) compare(dir string) string {
	now, err := TakeEntry(dir, e.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case err != nil || now != e:
		return "replaced"
	}
	return ""
}

// Replaced lists the paths of all entries that are missing or replaced. What
// stands there was not put there by the install that took the record, whatever
// its package.json says.
func (r *Record) Replaced(dir string) []string {
	var paths []string
	for _, e := range r.Entries {
		if e.compare(dir) != "" {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// Changed reports whether the file is another one than when the input was taken.
// It trusts equal times and size, else it reads the file.
func (in Input) Changed(dir string) bool {
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

package lockfile

import (
	"iter"
	"slices"

	"weft/internal/jsonval"
)

// The versions of the format: with Dependencies alone, with both, with Packages alone.
const (
	Version1 = 1
	Version2 = 2
	Version3 = 3
)

// File is a lockfile. The zero File is an empty one, to be written as version 3.
type File struct {
	// Name and Version are the project's; "" if unknown.
	Name, Version string
	// LockfileVersion is the version to write; 0 counts as 3.
	LockfileVersion int
	// OriginalVersion is the version that was read; 0 if there was none or none was given.
	OriginalVersion int
	// Packages has an entry for each place, "" being the project itself.
	Packages Packages
	// Dependencies is the tree that versions 1 and 2 have for npm 6. Where it is null it is made from Packages
	// when a file of these versions is written, so whoever changes Packages sets it to null or to a tree of
	// their own. Parse fills it for version 2.
	Dependencies jsonval.Value
	// Extra has top-level members that are none of npm's own. npm keeps them.
	Extra []jsonval.Member
	// Indent and Newline are how the text that was read is laid out. npm writes lockfiles in the layout of
	// package.json instead, see DetectFormat.
	Indent, Newline string
	// Conflicted tells that the text had conflict markers, which Parse has resolved.
	Conflicted bool
	// Ancient tells that the file is from before npm 5.7 or so: its flags mean nothing.
	Ancient bool
}

// Hidden returns the form that is kept as node_modules/.package-lock.json: without the project's
// own entry and always of version 3. The entries are shared. What has not been installed must be
// left out by the caller.
func (f *File) Hidden() *File {
	h := &File{Name: f.Name, Version: f.Version, LockfileVersion: Version3, Extra: f.Extra}
	for location, e := range f.Packages.All() {
		if location != "" {
			h.Packages.Set(location, e)
		}
	}
	return h
}

// Packages is a map from locations to entries that remembers the order in which locations came. The
// zero value is empty. It is not safe for concurrent changes.
type Packages struct {
	list  []located
	index map[string]int
}

type located struct {
	location string
	entry    *Entry
}

// Len is the number of entries.
func (p *Packages) Len() int { return len(p.list) }

// Get returns the entry at a location, nil if there is none.
func (p *Packages) Get(location string) *Entry {
	if i, ok := p.index[location]; ok {
		return p.list[i].entry
	}
	return nil
}

// Set puts an entry at a location, in the place of one that is there.
func (p *Packages) Set(location string, e *Entry) {
	if i, ok := p.index[location]; ok {
		p.list[i].entry = e
		return
	}
	if p.index == nil {
		p.index = map[string]int{}
	}
	p.index[location] = len(p.list)
	p.list = append(p.list, located{location, e})
}

// grow makes room for n entries in an empty map.
func (p *Packages) grow(n int) {
	p.list = make([]located, 0, n)
	p.index = make(map[string]int, n)
}

// Delete removes the entry at a location, if there is one. It takes time in proportion to Len.
func (p *Packages) Delete(location string) {
	at, ok := p.index[location]
	if !ok {
		return
	}
	delete(p.index, location)
	p.list = slices.Delete(p.list, at, at+1)
	for i, l := range p.list[at:] {
		p.index[l.location] = at + i
	}
}

// All yields locations and entries in their order.
func (p *Packages) All() iter.Seq2[string, *Entry] {
	return func(yield func(string, *Entry) bool) {
		for _, l := range p.list {
			if !yield(l.location, l.entry) {
				return
			}
		}
	}
}

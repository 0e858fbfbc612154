package tarball

import (
	"fmt"
	"io/fs"
	"strings"
)

// tree is what a folder would hold after npm had written the entries seen so far.
type tree struct {
	windows  bool
	maxFiles int
	files    []File
	skipped  int

	at      map[string]int // path to index in files, or folder or fullFolder
	lastDir string         // the folder made last, to spare looking it up for its next file
}

const (
	folder     = -1 // nothing was written into it yet
	fullFolder = -2
)

func newTree(maxFiles int, windows bool) *tree {
	return &tree{windows: windows, maxFiles: maxFiles, at: make(map[string]int)}
}

// add writes one file. reuse says that an existing file is truncated rather than replaced, so that it keeps its mode.
func (t *tree) add(name string, mode uint32, data []byte, reuse bool) error {
	dir, base := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, base = name[:i], name[i+1:]
	}
	if !t.makeDir(dir) || len(base) > maxComponentBytes {
		t.skipped++
		return nil
	}
	switch index, exists := t.at[name]; {
	case exists && index == fullFolder:
		t.skipped++
		return nil
	case exists && index >= 0:
		t.files[index].Data = data
		if !reuse || t.windows {
			t.files[index].Mode = fs.FileMode(mode)
		}
		return nil
	case exists && t.lastDir == name:
		t.lastDir = ""
	}
	if len(t.files) == t.maxFiles {
		return fmt.Errorf("%w: more than %d files", ErrTooLarge, t.maxFiles)
	}
	t.at[name] = len(t.files)
	t.files = append(t.files, File{Path: name, Mode: fs.FileMode(mode), Data: data})
	if dir != "" {
		t.at[dir] = fullFolder
	}
	return nil
}

// makeDir makes dir and its parents, and reports whether dir stands. Those that could be made stay even if not.
func (t *tree) makeDir(dir string) bool {
	if dir == t.lastDir {
		return true
	}
	for end := 0; end < len(dir); {
		start := end
		if i := strings.IndexByte(dir[start:], '/'); i >= 0 {
			end = start + i
		} else {
			end = len(dir)
		}
		if end-start > maxComponentBytes {
			return false
		}
		part := dir[:end]
		index, exists := t.at[part]
		if exists && index >= 0 {
			return false
		}
		if !exists {
			t.at[part] = folder
			if start > 0 {
				t.at[dir[:start-1]] = fullFolder
			}
		}
		end++
	}
	t.lastDir = dir
	return true
}

package resolve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"weft/npm/manifest"
)

// Workspace is one member of a project.
type Workspace struct {
	Name string // its package name, or its folder's
	Dir  string // absolute slash path
}

// DuplicateWorkspaceError says that two workspaces have one name.
type DuplicateWorkspaceError struct {
	Name string
	Dirs []string
}

func (e *DuplicateWorkspaceError) Error() string {
	return fmt.Sprintf("find workspaces: %s is the name of %s", e.Name, strings.Join(e.Dirs, " and "))
}

// workspacePatterns splits the patterns of a workspaces field into those that
// include and those that exclude (by an odd number of "!"). An exclusion counts
// for what stands before it: a later pattern that it would match revokes it.
func workspacePatterns(field []string) (include, exclude []string) {
	for _, p := range field {
		bare := strings.TrimLeft(p, "!")
		negated := (len(p)-len(bare))%2 == 1
		bare = strings.TrimLeft(strings.TrimPrefix(bare, "."), "/")
		if strings.HasPrefix(p, "!.") || strings.HasPrefix(p, ".") {
			if trimmed := strings.TrimLeft(p, "!"); strings.HasPrefix(trimmed, ".") && !strings.HasPrefix(trimmed, "./") {
				bare = trimmed // ".github/*" keeps its dot
			}
		}
		if negated {
			exclude = append(exclude, bare)
			continue
		}
		kept := exclude[:0:0]
		for _, x := range exclude {
			if !globMatch(x, bare) {
				kept = append(kept, x)
			}
		}
		exclude = kept
		include = append(include, bare)
	}
	kept := include[:0:0]
	for _, p := range include {
		if !anyGlob(exclude, p) {
			kept = append(kept, p)
		}
	}
	return kept, exclude
}

// FindWorkspaces returns the workspaces that the project in dir (absolute) with
// this package.json has now, in npm's order. It reads the disk.
func FindWorkspaces(dir string, m *manifest.Manifest) ([]Workspace, error) {
	return findWorkspaces(filepath.ToSlash(dir), m.Workspaces)
}

// findWorkspaces returns the workspaces of the project in dir, in the order of
// the patterns, and within a pattern by path.
func findWorkspaces(dir string, field []string) ([]Workspace, error) {
	include, exclude := workspacePatterns(field)
	var out []Workspace
	seen := map[string]string{}
	for _, pattern := range include {
		dirs, err := globDirs(dir, pattern, exclude)
		if err != nil {
			return nil, err
		}
		for _, rel := range dirs {
			at := path.Join(dir, rel)
			m, err := readManifest(at)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			name := m.Name
			if name == "" {
				name = folderName(at)
			}
			if other, ok := seen[name]; ok {
				if other != at {
					return nil, &DuplicateWorkspaceError{name, []string{other, at}}
				}
				continue
			}
			seen[name] = at
			out = append(out, Workspace{name, at})
		}
	}
	return out, nil
}

// workspace returns the project's workspace of that name, nil if there is none.
func (n *Node) workspace(name string) *Workspace {
	for i := range n.workspaces {
		if n.workspaces[i].Name == name {
			return &n.workspaces[i]
		}
	}
	return nil
}

// globDirs returns the directories below dir that pattern matches, sorted.
func globDirs(dir, pattern string, exclude []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, alt := range expandBraces(pattern) {
		err := walkGlob(dir, "", splitPath(alt), exclude, func(rel string) {
			if !seen[rel] {
				seen[rel] = true
				out = append(out, rel)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return compareNames(out[i], out[j]) < 0 })
	return out, nil
}

func walkGlob(dir, rel string, segments []string, exclude []string, found func(string)) error {
	if rel != "" && anyGlob(exclude, rel) {
		return nil
	}
	if len(segments) == 0 {
		found(rel)
		return nil
	}
	seg := segments[0]
	if seg == ".." || seg == "." || !strings.ContainsAny(seg, "*?[") {
		next := path.Join(rel, seg)
		if seg == "node_modules" {
			return nil
		}
		if st, err := os.Stat(filepath.FromSlash(path.Join(dir, next))); err != nil || !st.IsDir() {
			return nil
		}
		return walkGlob(dir, next, segments[1:], exclude, found)
	}
	if seg == "**" {
		if err := walkGlob(dir, rel, segments[1:], exclude, found); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(filepath.FromSlash(path.Join(dir, rel)))
	if err != nil {
		return nil // not a folder that can be looked into
	}
	for _, entry := range entries {
		name := entry.Name()
		if name == "node_modules" || strings.HasPrefix(name, ".") && !strings.HasPrefix(seg, ".") {
			continue
		}
		at := path.Join(rel, name)
		isDir := entry.IsDir()
		if entry.Type()&fs.ModeSymlink != 0 && seg != "**" {
			st, err := os.Stat(filepath.FromSlash(path.Join(dir, at)))
			isDir = err == nil && st.IsDir()
		}
		if !isDir {
			continue
		}
		rest := segments[1:]
		if seg == "**" {
			rest = segments
		} else if !matchSegment(seg, name) {
			continue
		}
		if err := walkGlob(dir, at, rest, exclude, found); err != nil {
			return err
		}
	}
	return nil
}

// readManifest reads the package.json of a directory.
func readManifest(dir string) (*manifest.Manifest, error) {
	data, err := os.ReadFile(filepath.Join(filepath.FromSlash(dir), "package.json"))
	if err != nil {
		return nil, err
	}
	m, err := manifest.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path.Join(dir, "package.json"), err)
	}
	return m, nil
}

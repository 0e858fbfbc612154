package npmrc

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"weft/internal/jsonval"
)

// IsGlobal reports whether global packages are meant (--global, or
// location=global), in which case no project's file is read.
func (c *Config) IsGlobal() bool {
	return c.Bool("global") || c.Get("location") == "global"
}

// findProject sets projectDir, and workspaceDir where the folder it found
// first is a workspace of another further up.
func (c *Config) findProject() {
	if s, found := c.sets[CLI]["prefix"]; found {
		if prefix, _ := s.value.Str(); prefix != "" {
			c.projectDir = prefix
			return
		}
	}
	alone := c.IsGlobal()
	if s, found := c.sets[CLI]["workspaces"]; found && !isOn(s.value) {
		alone = true
	}
	nearest := ""
	for dir := filepath.Clean(c.dir); ; dir = filepath.Dir(dir) {
		switch {
		case nearest == "" && (isFile(filepath.Join(dir, "package.json")) || isDir(filepath.Join(dir, "node_modules"))):
			nearest = dir
			if alone {
				c.projectDir = nearest
				return
			}
		case nearest != "" && hasWorkspace(dir, nearest):
			c.projectDir, c.workspaceDir = dir, nearest
			if own := filepath.Join(nearest, ".npmrc"); isFile(own) {
				c.warn(Warning{Layer: Project, Source: own, Reason: "is not read; the workspace root's counts"})
			}
			return
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	if c.projectDir = nearest; nearest == "" {
		c.projectDir = c.dir
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// hasWorkspace reports whether the package.json in root names dir among its
// workspaces. A pattern that begins with "!" takes away again, the last one
// that matches decides.
func hasWorkspace(root, dir string) bool {
	data, err := readSmall(filepath.Join(root, "package.json"))
	if err != nil {
		return false
	}
	manifest, err := jsonval.Parse(data)
	if err != nil || !isFile(filepath.Join(dir, "package.json")) {
		return false
	}
	patterns, _ := manifest.Get("workspaces")
	if patterns.Kind() == jsonval.Object {
		patterns, _ = patterns.Get("packages")
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return false
	}
	segments := strings.Split(filepath.ToSlash(rel), "/")
	for _, segment := range segments {
		if segment == "node_modules" {
			return false
		}
	}
	matched := false
	for _, elem := range patterns.Elems() {
		pattern, _ := elem.Str()
		keep := true
		for strings.HasPrefix(pattern, "!") {
			pattern, keep = pattern[1:], !keep
		}
		pattern = path.Clean(strings.TrimLeft(filepath.ToSlash(pattern), "/"))
		if matchSegments(strings.Split(pattern, "/"), segments) {
			matched = keep
		}
	}
	return matched
}

// matchSegments compares a path with a pattern part by part; "**" stands for
// any number of parts.
func matchSegments(pattern, segments []string) bool {
	reach := make([]bool, len(segments)+1)
	reach[0] = true
	for _, part := range pattern {
		next := make([]bool, len(segments)+1)
		for i := range reach {
			if part == "**" {
				next[i] = reach[i] || i > 0 && next[i-1]
				continue
			}
			if i < len(segments) && reach[i] {
				ok, err := path.Match(part, segments[i])
				next[i+1] = ok && err == nil
			}
		}
		reach = next
	}
	return reach[len(segments)]
}

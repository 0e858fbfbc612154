// Package tree reads an installed node_modules folder and tells two of them
// apart: which packages stand where, and every file with its content and mode.
package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// File is what stands at one path.
type File struct {
	// Type is "file", "dir", "link" or "other".
	Type string
	// Mode holds the permission bits; 0 for links.
	Mode fs.FileMode
	// Content is the hash of a file's bytes, or a link's target.
	Content string
}

// Tree is an installed project's node_modules.
type Tree struct {
	// Files holds everything below node_modules by slash path, which begins
	// with "node_modules/".
	Files map[string]File
	// Packages maps each package folder to the version in its package.json.
	Packages map[string]string
}

// Read reads the node_modules folder of a project. Links are not followed. A
// project without node_modules gives an empty tree.
func Read(project string) (*Tree, error) {
	t := &Tree{Files: map[string]File{}, Packages: map[string]string{}}
	root := filepath.Join(project, "node_modules")
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			if full == root && os.IsNotExist(err) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(project, full)
		if err != nil {
			return err
		}
		slash := filepath.ToSlash(rel)
		f, err := readFile(full, d)
		if err != nil {
			return err
		}
		t.Files[slash] = f
		if path.Base(slash) == "package.json" && isPackage(path.Dir(slash)) {
			t.Packages[path.Dir(slash)], err = version(full)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read tree: %w", err)
	}
	return t, nil
}

func readFile(full string, d fs.DirEntry) (File, error) {
	info, err := d.Info()
	if err != nil {
		return File{}, err
	}
	f := File{Mode: info.Mode().Perm()}
	switch {
	case info.Mode().IsRegular():
		f.Type = "file"
		f.Content, err = hash(full)
	case info.IsDir():
		f.Type = "dir"
	case info.Mode().Type() == fs.ModeSymlink:
		f.Type, f.Mode = "link", 0
		f.Content, err = os.Readlink(full)
	default:
		f.Type = "other"
	}
	return f, err
}

func hash(full string) (string, error) {
	r, err := os.Open(full)
	if err != nil {
		return "", err
	}
	defer r.Close()
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isPackage reports whether a folder is where a package is installed: below
// node_modules, with one more part, or two for a scope.
func isPackage(dir string) bool {
	parts := strings.Split(dir, "/")
	n := len(parts)
	if n >= 3 && strings.HasPrefix(parts[n-2], "@") {
		n--
	} else if strings.HasPrefix(parts[n-1], "@") {
		return false
	}
	return n >= 2 && parts[n-2] == "node_modules" && !strings.HasPrefix(parts[n-1], ".")
}

// version reads a package.json's version; "" where it has none that is text.
func version(full string) (string, error) {
	data, err := os.ReadFile(full)
	if err != nil {
		return "", err
	}
	var manifest struct {
		Version any `json:"version"`
	}
	data = []byte(strings.TrimPrefix(string(data), "\ufeff"))
	if err := json.Unmarshal(data, &manifest); err != nil {
		return "", fmt.Errorf("%s: %w", full, err)
	}
	v, _ := manifest.Version.(string)
	return v, nil
}

package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Find looks for a tool: weft at the given path, the others in the folder dir
// (such as node_modules/.bin, "" for none) and then on PATH.
func Find(name, weft, dir string) (Tool, error) {
	path := weft
	switch {
	case name == "weft":
	case dir != "" && isFile(filepath.Join(dir, name)):
		path = filepath.Join(dir, name)
	default:
		var err error
		if path, err = exec.LookPath(name); err != nil {
			return Tool{}, fmt.Errorf("find %s: %w", name, err)
		}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return Tool{}, err
	}
	if !isFile(abs) {
		return Tool{}, fmt.Errorf("find %s: no program at %q", name, path)
	}
	return Tool{Name: name, Path: abs}, nil
}

// FindAll finds those of the named tools that are there.
func FindAll(names []string, weft, dir string) []Tool {
	var tools []Tool
	for _, name := range names {
		if t, err := Find(name, weft, dir); err == nil {
			tools = append(tools, t)
		}
	}
	return tools
}

// Version asks the tool for its version. It runs the program and blocks.
func (t Tool) Version() (string, error) {
	home, err := os.MkdirTemp("", "version-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	arg := "--version"
	if t.Name == "weft" {
		arg = "version"
	}
	cmd := exec.Command(t.Path, arg)
	cmd.Dir, cmd.Env = home, t.Env(Place{Project: home, Home: home, Cache: home})
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("version of %s: %w", t.Name, err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

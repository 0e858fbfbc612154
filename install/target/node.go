package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"weft/npm/semver"
)

// nodeTimeout bounds how long a node program may take to tell its version; a
// shim that downloads a release on first use must not hang an install.
const nodeTimeout = 10 * time.Second

// shimLimit separates node itself from programs of the same name that pick a
// node by the folder they are called in (volta, asdf, mise, nodenv). Node is
// some 40 MB or more; the answer of something small is not remembered, because
// the same file may answer otherwise in the next project.
const shimLimit = 4 << 20

// nodeFile is a node program: its path with symbolic links resolved, and what
// identifies its content as far as a cache is concerned.
type nodeFile struct {
	path  string
	size  int64
	mtime time.Time
}

func (n nodeFile) shim() bool { return n.size < shimLimit }

// findNode walks PATH (and PATHEXT on Windows) of env. Relative entries are
// passed over: what a project's folder contains must not be run by installing.
func findNode(env []string, dir string) (nodeFile, bool) {
	names := []string{"node"}
	if runtime.GOOS == "windows" {
		names = nil
		exts := getenv(env, "PATHEXT")
		if exts == "" {
			exts = ".COM;.EXE;.BAT;.CMD"
		}
		for ext := range strings.SplitSeq(exts, ";") {
			names = append(names, "node"+strings.ToLower(ext))
		}
	}
	for _, folder := range filepath.SplitList(getenv(env, "PATH")) {
		if !filepath.IsAbs(folder) || within(dir, folder) {
			continue
		}
		for _, name := range names {
			if n, ok := statNode(filepath.Join(folder, name)); ok {
				return n, true
			}
		}
	}
	return nodeFile{}, false
}

// within reports whether folder is a node_modules/.bin of dir: `npx weft` and
// npm's scripts put that first on PATH, and a dependency's bin called node
// (the npm package of that name has one) is not the Node of the machine.
func within(dir, folder string) bool {
	abs, err := filepath.Abs(dir)
	return err == nil && folder == filepath.Join(abs, "node_modules", ".bin")
}

func statNode(path string) (nodeFile, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nodeFile{}, false
	}
	if runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return nodeFile{}, false
	}
	// A shim may look at the name it was called by, so the link stays for
	// those; real nodes are named by where they are.
	n := nodeFile{path: path, size: info.Size(), mtime: info.ModTime()}
	if real, err := filepath.EvalSymlinks(path); err == nil && !n.shim() {
		n.path = real
	}
	return n, true
}

// getenv returns the last value of key in env. Windows compares names without
// case.
func getenv(env []string, key string) string {
	for i := len(env) - 1; i >= 0; i-- {
		name, value, ok := strings.Cut(env[i], "=")
		if ok && (name == key || runtime.GOOS == "windows" && strings.EqualFold(name, key)) {
			return value
		}
	}
	return ""
}

// nodeVersion is node's own answer, from the cache if it is known.
func nodeVersion(ctx context.Context, node nodeFile, o Options) (string, error) {
	cache := answerCache{dir: o.CacheDir}
	if !node.shim() {
		if version, ok := cache.load(node); ok {
			return version, nil
		}
	}
	version, err := askNode(ctx, node.path, o)
	if err != nil {
		return "", err
	}
	if !node.shim() {
		cache.save(node, version)
	}
	return version, nil
}

func askNode(ctx context.Context, path string, o Options) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, nodeTimeout)
	defer cancel()
	var out limitedBuffer
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Env, cmd.Stdout = o.Dir, o.Env, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return "", fmt.Errorf("run node --version: %w", err)
	}
	text := strings.TrimSpace(out.String())
	version, ok := semver.Valid(text, semver.Options{})
	if !ok {
		return "", fmt.Errorf("run node --version: %q is no version", text)
	}
	return version, nil
}

// limitedBuffer keeps the first bytes that a program prints and drops the
// rest.
type limitedBuffer struct{ bytes.Buffer }

const outputLimit = 256

func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), outputLimit-b.Len())])
	return len(p), nil
}

package target

import (
	"context"
	"os"
	"path/filepath"
	"runtime"

	"weft/internal/jsonval"
)

// NpmVersion is the npm whose behaviour weft reproduces; packages that ask for
// a range of npm in their engines are held against it.
const NpmVersion = "11.19.1"

// Where a node version came from: the values of Target.NodeSource.
const (
	SourceFlag        = "--node-version"
	SourcePath        = "node on PATH"
	SourceDevEngines  = "devEngines.runtime"
	SourceNvmrc       = ".nvmrc"
	SourceNodeVersion = ".node-version"
	SourceDefault     = "current LTS"
)

// Target is what a tree is installed for. It is a plain value: copy it freely,
// use it from any goroutine.
type Target struct {
	// NodeVersion is an exact version without a leading v, such as "24.21.0".
	NodeVersion string
	// NodeSource is one of the Source constants.
	NodeSource string
	// NodePath is the node program that was found on PATH, or "".
	NodePath string
	// OS and CPU are spelled as process.platform and process.arch have them:
	// linux, darwin, win32, ...; x64, arm64, ia32, ...
	OS, CPU string
	// Libc is "glibc" or "musl" on Linux, "" elsewhere and where neither is
	// recognised.
	Libc string
	// Notes say which sources were passed over and why, one sentence each.
	Notes []string
}

// IsDefault reports whether nothing named a Node, so that the constant was
// taken; the summary then says so.
func (t Target) IsDefault() bool { return t.NodeSource == SourceDefault }

// Options are Detect's inputs. The zero value asks the process's own
// environment and looks at the working directory.
type Options struct {
	// NodeVersion is the --node-version flag: a version, a range or an alias
	// as Resolve takes it. "" asks the other sources.
	NodeVersion string
	// Dir is the project's folder, "" the working directory.
	Dir string
	// Env is the environment as os.Environ has it; nil means os.Environ().
	Env []string
	// CacheDir holds remembered answers of node; "" remembers nothing.
	CacheDir string
	// Manifest is package.json. Null, the zero Value, lets Detect read it from
	// Dir, which it only does when there is no node on PATH.
	Manifest jsonval.Value
	// OS, CPU and Libc override what is found (npm's os, cpu and libc
	// settings).
	OS, CPU, Libc string

	// lddPath stands in for /usr/bin/ldd in tests.
	lddPath string
}

// Detect finds the target. It blocks: it reads a few small files and, when the
// cache holds no answer, runs `node --version` once. A broken source other than
// the flag is passed over with a note; the only errors are a *VersionError for
// a NodeVersion that cannot be resolved and ctx's.
func Detect(ctx context.Context, o Options) (Target, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Dir == "" {
		o.Dir = "."
	}
	var t Target
	node, found := findNode(o.Env, o.Dir)
	if found {
		t.NodePath = node.path
	}
	if err := o.detectNode(ctx, &t, node, found); err != nil {
		return Target{}, err
	}
	o.detectPlatform(&t, node, found)
	return t, nil
}

func (o Options) detectNode(ctx context.Context, t *Target, node nodeFile, found bool) error {
	if o.NodeVersion != "" {
		version, ok := Resolve(o.NodeVersion)
		if !ok {
			return &VersionError{Source: SourceFlag, Text: o.NodeVersion}
		}
		t.NodeVersion, t.NodeSource = version, SourceFlag
		return nil
	}
	if found {
		version, err := nodeVersion(ctx, node, o)
		switch {
		case err == nil:
			t.NodeVersion, t.NodeSource = version, SourcePath
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		t.Notes = append(t.Notes, node.path+" did not tell its version: "+err.Error())
	}
	for _, d := range declared(o) {
		if d.err != nil {
			t.Notes = append(t.Notes, d.err.Error())
			continue
		}
		t.NodeVersion, t.NodeSource = d.version, d.source
		return nil
	}
	t.NodeVersion, t.NodeSource = DefaultNodeVersion, SourceDefault
	return nil
}

func (o Options) detectPlatform(t *Target, node nodeFile, found bool) {
	var bin binary
	if found && !node.shim() && (o.CPU == "" || o.Libc == "") {
		bin = readBinary(node.path)
	}
	t.OS, t.CPU, t.Libc = o.OS, o.CPU, o.Libc
	if t.OS == "" {
		t.OS = nodeOS(runtime.GOOS)
	}
	if t.CPU == "" {
		t.CPU = bin.cpu
	}
	if t.CPU == "" {
		t.CPU = nodeCPU(runtime.GOARCH)
	}
	if t.Libc == "" && t.OS == "linux" {
		ldd := o.lddPath
		if ldd == "" {
			ldd = "/usr/bin/ldd"
		}
		t.Libc = libcFamily(ldd, bin)
	}
}

func (o Options) path(name string) string { return filepath.Join(o.Dir, name) }

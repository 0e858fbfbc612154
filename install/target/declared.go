package target

import (
	"fmt"
	"io"
	"os"
	"strings"

	"weft/internal/jsonval"
)

// declaration is what one file says about the Node that a project wants, or
// why it could not be used.
type declaration struct {
	version string
	source  string
	err     error
}

// Version files are one line; package.json is seldom more than a few KiB.
const (
	versionFileLimit = 4 << 10
	manifestLimit    = 16 << 20
)

// declared lists the project's declarations in the order of their weight;
// files that do not exist or say nothing about Node are left out.
func declared(o Options) []declaration {
	var found []declaration
	if wish, ok := devEngine(o); ok {
		found = append(found, declare(SourceDevEngines, wish))
	}
	for _, name := range []string{SourceNvmrc, SourceNodeVersion} {
		data, err := readLimited(o.path(name), versionFileLimit)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			found = append(found, declaration{source: name, err: fmt.Errorf("%s was passed over: %w", name, err)})
		default:
			if wish := firstLine(string(data)); wish != "" {
				found = append(found, declare(name, wish))
			}
		}
	}
	return found
}

func declare(source, wish string) declaration {
	version, ok := Resolve(wish)
	if !ok {
		return declaration{source: source, err: &VersionError{Source: source, Text: wish}}
	}
	return declaration{version: version, source: source}
}

// firstLine is the first line that is neither blank nor a # comment, without a
// comment behind it.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// devEngine reads devEngines.runtime, which is one object or a list of them,
// and returns the version of the first that is about node. An entry without a
// version accepts any. A package.json that cannot be read is somebody else's
// error to report.
func devEngine(o Options) (string, bool) {
	manifest := o.Manifest
	if manifest.IsNull() {
		data, err := readLimited(o.path("package.json"), manifestLimit)
		if err != nil {
			return "", false
		}
		if manifest, err = jsonval.Parse(data); err != nil {
			return "", false
		}
	}
	engines, _ := manifest.Get("devEngines")
	runtime, _ := engines.Get("runtime")
	list := []jsonval.Value{runtime}
	if runtime.Kind() == jsonval.Array {
		list = runtime.Elems()
	}
	for _, engine := range list {
		name, _ := engine.Get("name")
		version, _ := engine.Get("version")
		if n, _ := name.Str(); n != "node" {
			continue
		}
		if wish, _ := version.Str(); wish != "" {
			return wish, true
		}
	}
	return "", false
}

func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("longer than %d bytes", limit)
	}
	return data, err
}

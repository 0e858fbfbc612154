package target

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
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
// version accepts any.
func devEngine(o Options) (string, bool) {
	data := o.Manifest
	if data == nil {
		var err error
		if data, err = readLimited(o.path("package.json"), manifestLimit); err != nil {
			return "", false
		}
	}
	var manifest struct {
		DevEngines struct{ Runtime json.RawMessage }
	}
	if json.Unmarshal(data, &manifest) != nil {
		return "", false
	}
	type engine struct{ Name, Version string }
	var list []engine
	if json.Unmarshal(manifest.DevEngines.Runtime, &list) != nil {
		var one engine
		if json.Unmarshal(manifest.DevEngines.Runtime, &one) != nil {
			return "", false
		}
		list = []engine{one}
	}
	for _, e := range list {
		if e.Name == "node" && e.Version != "" {
			return e.Version, true
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

package universe

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"weft/internal/jsonval"
)

// digest gives the small files that stand for a tarball: its package.json with
// the fields that matter, its programs as lines of their own, the package.json
// of every bundled package, and what else npm looks for by name.
func digest(tgz []byte) (files map[string]string, executable []string, err error) {
	content, modes, err := unpack(tgz)
	if err != nil {
		return nil, nil, err
	}
	manifest, err := jsonval.Parse([]byte(content["package.json"]))
	if err != nil {
		return nil, nil, fmt.Errorf("package.json: %w", err)
	}
	files = map[string]string{}
	var binFolder string
	if directories, ok := manifest.Get("directories"); ok {
		if bin, ok := directories.Get("bin"); ok {
			binFolder, _ = bin.Str()
			binFolder = path.Clean(binFolder) + "/"
		}
	}
	bins := programs(manifest)
	for p := range content {
		switch {
		case p == "package.json":
			files[p], err = smallManifest(manifest)
		case strings.HasPrefix(p, "node_modules/") && path.Base(p) == "package.json" && bundledRoot(p):
			var inner jsonval.Value
			if inner, err = jsonval.Parse([]byte(content[p])); err == nil {
				files[p], err = smallManifest(inner)
			}
		case p == "npm-shrinkwrap.json":
			files[p] = content[p]
		case p == "binding.gyp":
			files[p] = "{}\n"
		case slices.Contains(bins, p) || binFolder != "" && path.Dir(p)+"/" == binFolder:
			files[p] = "#!/usr/bin/env node\n"
			if modes[p]&0o111 != 0 {
				executable = append(executable, p)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	slices.Sort(executable)
	return files, executable, nil
}

// bundledRoot reports whether a package.json is that of a package below
// node_modules, rather than one deeper inside a package.
func bundledRoot(p string) bool {
	parts := strings.Split(path.Dir(p), "/")
	n := len(parts)
	if n >= 3 && strings.HasPrefix(parts[n-2], "@") {
		n--
	}
	return n >= 2 && parts[n-2] == "node_modules"
}

// smallManifest writes a package.json with name, version and the fields that
// installing needs.
func smallManifest(manifest jsonval.Value) (string, error) {
	var head []jsonval.Member
	for _, key := range []string{"name", "version"} {
		v, ok := manifest.Get(key)
		if !ok {
			return "", errors.New("no " + key)
		}
		head = append(head, jsonval.Member{Key: key, Value: v})
	}
	return compactText(jsonval.OfObject(append(head, trimManifest(manifest).Members()...)...)) + "\n", nil
}

// unpack reads the regular files of a recorded tarball, whose first path part
// is dropped.
func unpack(tgz []byte) (content map[string]string, modes map[string]int64, err error) {
	zr, err := gzip.NewReader(bytes.NewReader(tgz))
	if err != nil {
		return nil, nil, err
	}
	content, modes = map[string]string{}, map[string]int64{}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return content, modes, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		_, p, _ := strings.Cut(path.Clean(h.Name), "/")
		data, err := io.ReadAll(io.LimitReader(tr, sizeLimit))
		if err != nil {
			return nil, nil, err
		}
		content[p], modes[p] = string(data), h.Mode
	}
}

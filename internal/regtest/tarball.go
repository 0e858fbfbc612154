package regtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"weft/internal/jsonval"
	"weft/internal/regtest/document"
)

// packed is the modification time of all files, the one that npm packs with.
var packed = time.Date(1985, time.October, 26, 8, 15, 0, 0, time.UTC)

// tarball makes the package's tarball: package.json first, the other files by
// path. The gzip blocks are stored rather than compressed, which keeps the
// bytes the same under every version of Go.
func (p Package) tarball() ([]byte, error) {
	if p.Tarball != nil {
		return p.Tarball, nil
	}
	manifest, err := p.manifest()
	if err != nil {
		return nil, err
	}
	text, err := jsonval.Parse(document.AppendObject(nil, manifest))
	if err != nil {
		return nil, fmt.Errorf("manifest of %s: %w", p, err)
	}
	files := maps.Clone(p.Files)
	if files == nil {
		files = map[string]string{}
	}
	if _, ok := files["package.json"]; !ok {
		files["package.json"] = string(append(jsonval.AppendJSON(nil, text, "  ", "\n"), '\n'))
	}
	if _, ok := files["index.js"]; !ok && !p.NoMain {
		files["index.js"] = fmt.Sprintf("module.exports = %q\n", p.String())
	}
	return pack(files, p.Modes)
}

func pack(files map[string]string, modes map[string]fs.FileMode) ([]byte, error) {
	var buf bytes.Buffer
	zw, err := gzip.NewWriterLevel(&buf, gzip.NoCompression)
	if err != nil {
		return nil, err
	}
	tw := tar.NewWriter(zw)
	names := slices.Sorted(maps.Keys(files))
	if i := slices.Index(names, "package.json"); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, "package.json")
	}
	for _, name := range names {
		mode := int64(0o644)
		if m, ok := modes[name]; ok {
			mode = int64(m.Perm())
		}
		header := &tar.Header{Name: "package/" + name, Mode: mode, Size: int64(len(files[name])), ModTime: packed, Typeflag: tar.TypeReg}
		if err := tw.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := tw.Write([]byte(files[name])); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

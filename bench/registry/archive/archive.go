// Package archive keeps what a package registry once answered, on disk, so that
// it can be served again without the network.
//
// An archive is a folder:
//
//	registry.json            where it came from and with which tools
//	docs/NAME.json.gz        full packuments, as the registry sent them
//	short/NAME.json.gz       abbreviated packuments, derived by document.Abbreviate
//	tarballs/NAME/-/FILE     tarballs, under the path of their address
//
// A slash in a scoped NAME is written %2f below docs and short. Addresses of
// tarballs inside the packuments are those of the recorded registry; the one
// who serves the archive rewrites them with [Rewrite].
package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"weft/internal/regtest/document"
)

// ErrAbsent reports that an archive holds no such packument or tarball.
var ErrAbsent = errors.New("not in the archive")

// Info is the content of registry.json.
type Info struct {
	// Origin is the address of the recorded registry, with a final slash.
	Origin string `json:"origin"`
	// Fixture names the recorded project.
	Fixture string `json:"fixture"`
	// Recorded is the day of the recording, as YYYY-MM-DD.
	Recorded string `json:"recorded"`
	// Tools maps each installer that asked to its version.
	Tools map[string]string `json:"tools"`
}

// Doc is one package's packument in both forms, as JSON text.
type Doc struct {
	Name        string
	Full, Short []byte
}

// Archive is an open archive. Its methods may be called from several
// goroutines; they block on the disk.
type Archive struct {
	dir string
	// Info is what registry.json said when the archive was opened.
	Info Info
}

// Open opens the archive in dir, which must hold a registry.json.
func Open(dir string) (*Archive, error) {
	data, err := os.ReadFile(filepath.Join(dir, "registry.json"))
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	a := &Archive{dir: dir}
	if err := json.Unmarshal(data, &a.Info); err != nil {
		return nil, fmt.Errorf("open archive %s: %w", dir, err)
	}
	return a, nil
}

// Create makes dir an archive if it is none yet and writes info into it. What
// the archive already holds stays.
func Create(dir string, info Info) (*Archive, error) {
	for _, sub := range []string{"docs", "short", "tarballs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, fmt.Errorf("create archive: %w", err)
		}
	}
	a := &Archive{dir: dir, Info: info}
	return a, a.SaveInfo()
}

// SaveInfo writes a.Info to registry.json.
func (a *Archive) SaveInfo() error {
	data, err := json.MarshalIndent(a.Info, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(a.dir, "registry.json"), append(data, '\n'))
}

// Doc reads the packument of a package. The error is ErrAbsent when there is
// none.
func (a *Archive) Doc(name string) (*Doc, error) {
	file, err := fileName(name)
	if err != nil {
		return nil, err
	}
	full, err := readGzip(filepath.Join(a.dir, "docs", file))
	if err != nil {
		return nil, fmt.Errorf("packument of %s: %w", name, err)
	}
	short, err := readGzip(filepath.Join(a.dir, "short", file))
	if err != nil {
		return nil, fmt.Errorf("packument of %s: %w", name, err)
	}
	return &Doc{Name: name, Full: full, Short: short}, nil
}

// PutDoc stores a full packument and the abbreviated one derived from it, both
// as compact JSON, and returns them.
func (a *Archive) PutDoc(name string, full []byte) (*Doc, error) {
	file, err := fileName(name)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, full); err != nil {
		return nil, fmt.Errorf("packument of %s: %w", name, err)
	}
	full = compact.Bytes()
	short, err := document.Abbreviate(full)
	if err != nil {
		return nil, fmt.Errorf("packument of %s: %w", name, err)
	}
	if err := writeGzip(filepath.Join(a.dir, "short", file), short); err != nil {
		return nil, err
	}
	if err := writeGzip(filepath.Join(a.dir, "docs", file), full); err != nil {
		return nil, err
	}
	return &Doc{Name: name, Full: full, Short: short}, nil
}

// Names lists the packages whose packuments are stored, in byte order of their
// file names.
func (a *Archive) Names() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(a.dir, "docs"))
	if err != nil {
		return nil, fmt.Errorf("list archive: %w", err)
	}
	var names []string
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".json.gz"); ok {
			names = append(names, strings.Replace(base, "%2f", "/", 1))
		}
	}
	return names, nil
}

// Tarball reads the tarball stored under the path of its address, such as
// "name/-/name-1.0.0.tgz". The error is ErrAbsent when there is none.
func (a *Archive) Tarball(path string) ([]byte, error) {
	if !fs.ValidPath(path) {
		return nil, fmt.Errorf("tarball %q: %w", path, fs.ErrInvalid)
	}
	data, err := os.ReadFile(filepath.Join(a.dir, "tarballs", filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrAbsent
	}
	if err != nil {
		return nil, fmt.Errorf("tarball %s: %w", path, err)
	}
	return data, nil
}

// PutTarball stores a tarball under the path of its address.
func (a *Archive) PutTarball(path string, data []byte) error {
	if !fs.ValidPath(path) {
		return fmt.Errorf("tarball %q: %w", path, fs.ErrInvalid)
	}
	return writeFile(filepath.Join(a.dir, "tarballs", filepath.FromSlash(path)), data)
}

// Tarballs lists the paths of all stored tarballs in byte order.
func (a *Archive) Tarballs() ([]string, error) {
	var paths []string
	root := os.DirFS(filepath.Join(a.dir, "tarballs"))
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list archive: %w", err)
	}
	return paths, nil
}

// Rewrite replaces the registry's address from by to in every tarball address
// of a packument in compact JSON. Both end in a slash.
func Rewrite(doc []byte, from, to string) []byte {
	doc = bytes.ReplaceAll(doc, []byte(`"tarball":"`+from), []byte(`"tarball":"`+to))
	if rest, ok := strings.CutPrefix(from, "https:"); ok {
		doc = bytes.ReplaceAll(doc, []byte(`"tarball":"http:`+rest), []byte(`"tarball":"`+to))
	}
	return doc
}

// fileName is the name of a packument's file. What cannot be a package's name
// is fs.ErrInvalid.
func fileName(name string) (string, error) {
	odd := strings.ContainsAny(name, "%\\\x00") || strings.Count(name, "/") > 1 ||
		strings.Contains(name, "/") != strings.HasPrefix(name, "@")
	if odd || strings.HasPrefix(name, ".") || !fs.ValidPath(name) {
		return "", fmt.Errorf("packument of %q: %w", name, fs.ErrInvalid)
	}
	return strings.Replace(name, "/", "%2f", 1) + ".json.gz", nil
}

func readGzip(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrAbsent
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zr)
}

func writeGzip(path string, data []byte) error {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	if _, err := zw.Write(data); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	return writeFile(path, buf.Bytes())
}

// writeFile makes path's folder and puts data there in one step, so that a
// reader never sees half a file.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

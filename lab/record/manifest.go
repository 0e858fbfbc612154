package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ManifestSchema names the form of manifest.json.
const ManifestSchema = "weft-manifest/v1"

const (
	manifestBytesMax = 64 << 20
	filesMax         = 200_000
)

// ErrNoManifest means that a record was not finished: it may be resumed.
var ErrNoManifest = errors.New("record: there is no manifest")

// ManifestError lists what is not as the manifest has it, as paths with
// slashes.
type ManifestError struct{ Changed, Missing, Extra []string }

// Error lists all of it.
func (e *ManifestError) Error() string {
	var parts []string
	for _, p := range []struct {
		what  string
		files []string
	}{{"changed", e.Changed}, {"missing", e.Missing}, {"not in the manifest", e.Extra}} {
		if len(p.files) > 0 {
			parts = append(parts, p.what+": "+strings.Join(p.files, ", "))
		}
	}
	return "record: verify: " + strings.Join(parts, "; ")
}

type manifest struct {
	Schema string         `json:"schema"`
	Files  []manifestFile `json:"files"`
}

type manifestFile struct {
	Path   string `json:"path"` // with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func writeManifest(dir string) error {
	files, err := hashAll(dir)
	if err != nil {
		return err
	}
	return saveManifest(dir, files)
}

func saveManifest(dir string, files []manifestFile) error {
	text, err := json.MarshalIndent(manifest{ManifestSchema, files}, "", "  ")
	if err != nil {
		return fmt.Errorf("record: manifest: %w", err)
	}
	return writeFile(filepath.Join(dir, ManifestFile), append(text, '\n'))
}

// hashAll lists all files but the manifest, sorted.
func hashAll(dir string) ([]manifestFile, error) {
	var files []manifestFile
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() || path == ManifestFile:
			return nil
		case !e.Type().IsRegular():
			return fmt.Errorf("%w: %s is no regular file", ErrFormat, path)
		case len(files) >= filesMax:
			return fmt.Errorf("%w: more than %d files", ErrFormat, filesMax)
		}
		f, err := root.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		n, text, err := hashStream(f)
		files = append(files, manifestFile{path, n, text})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return files, nil
}

func readManifest(dir string) (manifest, error) {
	var m manifest
	data, err := readLimited(filepath.Join(dir, ManifestFile), manifestBytesMax)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%w: %s", ErrNoManifest, dir)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Schema != ManifestSchema || len(m.Files) > filesMax {
		return m, fmt.Errorf("%w: %s is no manifest of schema %s", ErrFormat, ManifestFile, ManifestSchema)
	}
	return m, nil
}

// Verify compares every file of a run directory with the manifest. It fails
// with ErrNoManifest, ErrFormat or a [*ManifestError].
func Verify(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	files, err := hashAll(dir)
	if err != nil {
		return err
	}
	there := map[string]manifestFile{}
	for _, f := range files {
		there[f.Path] = f
	}
	var e ManifestError
	for _, want := range m.Files {
		switch got, ok := there[want.Path]; {
		case !ok:
			e.Missing = append(e.Missing, want.Path)
		case got != want:
			e.Changed = append(e.Changed, want.Path)
		}
		delete(there, want.Path)
	}
	for _, f := range files {
		if _, extra := there[f.Path]; extra {
			e.Extra = append(e.Extra, f.Path)
		}
	}
	if len(e.Changed)+len(e.Missing)+len(e.Extra) > 0 {
		return &e
	}
	return nil
}

// AddReport writes a file whose name begins with "report." into a finished run
// directory, or replaces it, and enters it in the manifest. All else that the
// manifest says stays. Without a manifest the file is written alone.
func AddReport(dir, name string, data []byte) error {
	if !strings.HasPrefix(name, "report.") || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("record: %q is no name of a report", name)
	}
	if err := writeFile(filepath.Join(dir, name), data); err != nil {
		return err
	}
	m, err := readManifest(dir)
	if errors.Is(err, ErrNoManifest) {
		return nil
	}
	if err != nil {
		return err
	}
	m.Files = slices.DeleteFunc(m.Files, func(f manifestFile) bool { return f.Path == name })
	m.Files = append(m.Files, manifestFile{name, int64(len(data)), hash(data)})
	slices.SortFunc(m.Files, func(a, b manifestFile) int { return strings.Compare(a.Path, b.Path) })
	return saveManifest(dir, m.Files)
}

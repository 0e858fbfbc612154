package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/lab/plan"
)

// Names of files in a run directory.
const (
	PlanFile     = "plan.yaml"
	EnvFile      = "env.json"
	RunsFile     = "runs.csv"
	ManifestFile = "manifest.json"
	SamplesDir   = "samples"
)

// ErrExists means that there is something in the folder already.
var ErrExists = errors.New("record: the folder is not empty")

// ErrInUse means that another process writes the run directory.
var ErrInUse = errors.New("record: the run directory is in use")

// Dir is a run directory that is being written. Its methods may be called from
// several goroutines; they block on the disk.
type Dir struct {
	path string
	lock *os.File // plan.yaml, which never changes

	mu     sync.Mutex
	env    Env
	series map[string]*series // by folder: "." and the confirmations
}

// Create makes a run directory at path, which must not exist or be empty
// (ErrExists). The plan's seed must be drawn. env is kept with schema, seed and
// the plan's hash filled in.
func Create(path string, p *plan.Plan, env Env) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("record: create: %w", err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("record: create: %w", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrExists, path)
	}
	text := p.Marshal()
	env.Schema, env.Seed, env.PlanSHA256 = EnvSchema, p.Seed, hash(text)
	d := &Dir{path: path, env: env, series: map[string]*series{}}
	if err := writeFile(filepath.Join(path, PlanFile), text); err != nil {
		return nil, err
	}
	if err := d.hold(); err != nil {
		return nil, err
	}
	if err := d.writeEnv(); err != nil {
		d.release()
		return nil, err
	}
	return d, nil
}

// hold takes the lock.
func (d *Dir) hold() error {
	f, err := os.Open(filepath.Join(d.path, PlanFile))
	if err != nil {
		return fmt.Errorf("record: open: %w", err)
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return fmt.Errorf("%w: %s", ErrInUse, d.path)
	}
	d.lock = f
	return nil
}

func (d *Dir) release() {
	for _, s := range d.series {
		s.file.Close()
	}
	d.series = map[string]*series{}
	d.lock.Close()
}

// Path is the folder.
func (d *Dir) Path() string { return d.path }

// Env is a copy of the surroundings as they are recorded now.
func (d *Dir) Env() Env {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.env
}

// Update changes the surroundings and writes env.json.
func (d *Dir) Update(change func(*Env)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.env)
	return d.writeEnv()
}

// Note adds a note; the same kind and text is noted once.
func (d *Dir) Note(n Note) error {
	return d.Update(func(e *Env) {
		if len(e.Notes) < NotesMax && !slices.ContainsFunc(e.Notes, func(have Note) bool { return have.Kind == n.Kind && have.Text == n.Text }) {
			e.Notes = append(e.Notes, n)
		}
	})
}

func (d *Dir) writeEnv() error {
	text, err := json.MarshalIndent(d.env, "", "  ")
	if err != nil {
		return fmt.Errorf("record: env.json: %w", err)
	}
	return writeFile(filepath.Join(d.path, EnvFile), append(text, '\n'))
}

// folder is where the runs of a series are kept.
func folder(series string) string {
	if strings.HasPrefix(series, "confirm-") {
		return series
	}
	return "."
}

// Append adds a run. When it returns without an error, the run is on disk;
// with an error, the record is as it was before.
func (d *Dir) Append(r Run) error {
	if err := checkRun(r); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := folder(r.Series)
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("record: %q cannot be the name of a series", r.Series)
	}
	s := d.series[name]
	if s == nil {
		var err error
		if s, err = createSeries(filepath.Join(d.path, name)); err != nil {
			return err
		}
		d.series[name] = s
	}
	return s.append(r)
}

// Finish writes the manifest and ends the writing. The Dir is of no use
// afterwards, also if it fails.
func (d *Dir) Finish() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.release()
	return writeManifest(d.path)
}

// Close ends the writing without a manifest: the record can be resumed.
func (d *Dir) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.release()
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// writeFile replaces a file at once, or leaves it as it was.
func writeFile(path string, data []byte) error {
	dir, base := filepath.Split(path)
	f, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return fmt.Errorf("record: write %s: %w", base, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("record: write %s: %w", base, err)
	}
	return syncDir(dir)
}

// syncDir makes a new name last. Systems that cannot sync folders do not need
// it.
func syncDir(dir string) error {
	f, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return fmt.Errorf("record: sync: %w", err)
	}
	f.Sync()
	return f.Close()
}

// series is an open runs.csv.
type series struct {
	path   string
	file   *os.File
	header []string
	size   int64 // of what is whole
	broken error
}

func createSeries(dir string) (*series, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	path := filepath.Join(dir, RunsFile)
	header := Columns()
	if err := writeFile(path, line(header)); err != nil {
		return nil, err
	}
	return openSeries(path, header)
}

func openSeries(path string, header []string) (*series, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	size, err := f.Seek(0, 2)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("record: %w", err)
	}
	return &series{path: path, file: f, header: header, size: size}, nil
}

func (s *series) append(r Run) error {
	if s.broken != nil {
		return s.broken
	}
	if err := s.widen(r); err != nil {
		return err
	}
	text := line(row(s.header, r))
	if len(text) > lineBytesMax || s.size+int64(len(text)) > CSVBytesMax {
		return fmt.Errorf("record: a row of %d bytes is past the limit", len(text))
	}
	_, err := s.file.WriteAt(text, s.size)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		if cut := s.file.Truncate(s.size); cut != nil {
			s.broken = fmt.Errorf("record: append: %w", errors.Join(err, cut))
		}
		return fmt.Errorf("record: append: %w", err)
	}
	s.size += int64(len(text))
	return nil
}

// widen gives new custom metrics their columns: the file is written anew with
// empty cells in the rows that are there.
func (s *series) widen(r Run) error {
	var more []string
	for name := range r.Values {
		if !slices.Contains(s.header, name) {
			more = append(more, name)
		}
	}
	if len(more) == 0 {
		return nil
	}
	slices.Sort(more)
	header := append(slices.Clone(s.header), more...)
	if err := checkHeader(header); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	data := make([]byte, s.size)
	if _, err := s.file.ReadAt(data, 0); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	_, runs, _, err := parseCSV(data)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(line(header))
	for _, r := range runs {
		b.Write(line(row(header, r)))
	}
	if err := writeFile(s.path, b.Bytes()); err != nil {
		return err
	}
	s.file.Close()
	next, err := openSeries(s.path, header)
	if err != nil {
		s.broken = err
		return err
	}
	*s = *next
	return nil
}

// confirmations lists the folders of confirmation series, sorted by number.
func confirmations(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	var names []string
	for i := 1; i <= plan.ConfirmMax; i++ {
		name := plan.ConfirmationName(i)
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && e.IsDir() }) {
			names = append(names, name)
		}
	}
	return names, nil
}

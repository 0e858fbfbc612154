package record

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"weft/lab/plan"
)

// Limits on the other files.
const (
	envBytesMax   = 8 << 20
	curveBytesMax = 16 << 20
	NotesMax      = 1000
)

// Record is what a run directory holds.
type Record struct {
	Path string
	Plan *plan.Plan
	Env  Env
	Runs []Run // of all series, in order
	// Torn says of which files the last line was incomplete and left out.
	Torn []string
}

// Open reads a run directory. It fails with ErrFormat, an error of
// [plan.Parse] or one of the file system.
func Open(dir string) (*Record, error) {
	r := &Record{Path: dir}
	text, err := readLimited(filepath.Join(dir, PlanFile), plan.FileBytesMax)
	if err != nil {
		return nil, err
	}
	if r.Plan, err = plan.Parse(PlanFile, text); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if r.Env, err = readEnv(dir); err != nil {
		return nil, err
	}
	r.Runs, r.Torn, err = readRuns(dir)
	return r, err
}

// Read gives the runs of all series of a run directory. A line that was torn
// by a crash is left out; [Open] says so.
func Read(dir string) ([]Run, error) {
	runs, _, err := readRuns(dir)
	return runs, err
}

func readRuns(dir string) (runs []Run, torn []string, err error) {
	names, err := confirmations(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range append([]string{"."}, names...) {
		file := path.Join(name, RunsFile)
		data, err := readLimited(filepath.Join(dir, filepath.FromSlash(file)), CSVBytesMax)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		_, part, rest, err := parseCSV(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, r := range part {
			if folder(r.Series) != name {
				return nil, nil, fmt.Errorf("%w: %s has a run of series %q", ErrFormat, file, r.Series)
			}
		}
		if len(rest) > 0 {
			torn = append(torn, file)
		}
		runs = append(runs, part...)
	}
	return runs, torn, nil
}

func readEnv(dir string) (Env, error) {
	var e Env
	data, err := readLimited(filepath.Join(dir, EnvFile), envBytesMax)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%w: %s: %v", ErrFormat, EnvFile, err)
	}
	if e.Schema != EnvSchema {
		return e, fmt.Errorf("%w: %s: schema %q, not %q", ErrFormat, EnvFile, e.Schema, EnvSchema)
	}
	return e, nil
}

func readLimited(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%w: %s is larger than %d bytes", ErrFormat, filepath.Base(file), most)
	}
	return data, nil
}

// Point is a moment of a memory curve.
type Point struct {
	At       time.Duration // since the start
	RSSBytes int64         // of the whole process tree
	Threads  int
}

// Curve is a process tree's memory over the time of a run.
type Curve struct {
	Arm, Workload string
	Block         int
	Points        []Point
}

var curveColumns = []string{"arm", "workload", "block", "at_ns", "rss_bytes", "threads"}

// AddCurve keeps a memory curve under samples/.
func (d *Dir) AddCurve(name string, c Curve) error {
	var b strings.Builder
	b.Write(line(curveColumns))
	for _, p := range c.Points {
		b.Write(line([]string{
			c.Arm, c.Workload, strconv.Itoa(c.Block), strconv.FormatInt(int64(p.At), 10),
			strconv.FormatInt(p.RSSBytes, 10), strconv.Itoa(p.Threads),
		}))
	}
	return d.AddSample("memory-"+name+".csv", []byte(b.String()))
}

// AddSample keeps a file under samples/. The name is a plain file name.
func (d *Dir) AddSample(name string, data []byte) error {
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("record: %q cannot be the name of a sample", name)
	}
	dir := filepath.Join(d.path, SamplesDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return writeFile(filepath.Join(dir, name), data)
}

// Curves reads the memory curves of a run directory, sorted by file name.
func Curves(dir string) ([]Curve, error) {
	files, err := filepath.Glob(filepath.Join(dir, SamplesDir, "memory-*.csv"))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	var curves []Curve
	for _, file := range files {
		data, err := readLimited(file, curveBytesMax)
		if err != nil {
			return nil, err
		}
		c, err := parseCurve(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
		curves = append(curves, c)
	}
	return curves, nil
}

func parseCurve(text string) (Curve, error) {
	var c Curve
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = len(curveColumns)
	for i := 0; ; i++ {
		cells, err := r.Read()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, fmt.Errorf("%w: %v", ErrFormat, err)
		}
		if i == 0 {
			continue
		}
		var n [4]int64
		for j := range n {
			if n[j], err = strconv.ParseInt(cells[2+j], 10, 64); err != nil {
				return c, fmt.Errorf("%w: row %d: %q is no whole number", ErrFormat, i+1, cells[2+j])
			}
		}
		c.Arm, c.Workload, c.Block = cells[0], cells[1], int(n[0])
		c.Points = append(c.Points, Point{time.Duration(n[1]), n[2], int(n[3])})
	}
}

package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"weft/install/report"
	"weft/install/state"
	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// The files of a project that say what to install.
const (
	manifestFile   = "package.json"
	lockFile       = "package-lock.json"
	shrinkwrapFile = "npm-shrinkwrap.json"
)

// maxProjectFile bounds package.json and the lockfile: a hundred times the
// largest that are known.
const maxProjectFile = 512 << 20

// project is what was read from the project's folder.
type project struct {
	dir      string // absolute
	manifest *manifest.Manifest
	format   lockfile.Format // of package.json, and so of the lockfile

	lock     *lockfile.File // nil without one, and before readLock
	lockName string         // the lockfile's name, also if it is yet to be written
	lockText []byte         // as it was read

	inputs []state.Input // what was read, as it was just before
}

// readProject reads package.json.
func readProject(dir string) (*project, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p := &project{dir: abs, lockName: lockFile}
	if err := p.input(manifestFile); err != nil {
		return nil, manifestProblem(abs, err)
	}
	text, err := readFile(filepath.Join(abs, manifestFile))
	if err != nil {
		return nil, manifestProblem(abs, err)
	}
	if p.manifest, err = manifest.Parse(text); err != nil {
		return nil, manifestProblem(abs, err)
	}
	p.format = lockfile.DetectFormat(text)
	return p, nil
}

// input notes a file that is about to be read. Noted afterwards, a change made in
// between would count as seen.
func (p *project) input(path string) error {
	in, err := state.TakeInput(p.dir, path)
	if err == nil {
		p.inputs = append(p.inputs, in)
	}
	return err
}

// readLock reads npm-shrinkwrap.json or else package-lock.json.
func (p *project) readLock() error {
	for _, name := range []string{shrinkwrapFile, lockFile} {
		text, err := readFile(filepath.Join(p.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			p.lock, err = lockfile.ParseIn(text, lockfile.Project{Dir: p.dir, Root: p.manifest})
		}
		if err != nil {
			return &report.Problem{
				Code: report.CodeLockfile, What: name + " cannot be read", Why: err.Error(),
				Hint: "restore it from version control, or delete it to resolve everything anew", Exit: report.ExitFailure, Err: err,
			}
		}
		p.lockName, p.lockText = name, text
		return nil
	}
	return nil
}

func manifestProblem(dir string, err error) error {
	problem := &report.Problem{Code: report.CodeManifest, Exit: report.ExitFailure, Err: err}
	if errors.Is(err, fs.ErrNotExist) {
		problem.What = "there is no package.json in " + dir
		problem.Hint = "go to the project's folder, or name it with --dir"
		return problem
	}
	problem.What, problem.Why = "package.json cannot be read", err.Error()
	problem.Hint = "mend the file; what is wrong with it stands above"
	return problem
}

// readFile reads a file that must not be larger than any real one.
func readFile(path string) ([]byte, error) {
	if st, err := os.Stat(path); err == nil && st.Size() > maxProjectFile {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, st.Size(), maxProjectFile)
	}
	return os.ReadFile(path)
}

// path gives the absolute path of a location.
func (p *project) path(location string) string {
	return filepath.Join(p.dir, filepath.FromSlash(location))
}

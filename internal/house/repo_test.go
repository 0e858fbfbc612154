package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// repo is every file that belongs to the repository, by slash path from its
// top.
type repo struct {
	top   string
	files []string
	fset  *token.FileSet
	gos   []*source // the Go files, parsed
}

// source is one Go file.
type source struct {
	path string // slash path from the top
	dir  string // its folder
	text string
	ast  *ast.File
}

func (s *source) test() bool      { return strings.HasSuffix(s.path, "_test.go") }
func (s *source) generated() bool { return ast.IsGenerated(s.ast) }

// load reads the repository once for all tests.
var load = sync.OnceValues(func() (*repo, error) {
	top, err := findTop()
	if err != nil {
		return nil, err
	}
	r := &repo{top: top, fset: token.NewFileSet()}
	if r.files, err = listFiles(top); err != nil {
		return nil, err
	}
	var names []string
	for _, name := range r.files {
		if strings.HasSuffix(name, ".go") && !slices.Contains(strings.Split(name, "/"), "testdata") {
			names = append(names, name)
		}
	}
	r.gos = make([]*source, len(names))
	errs := make([]error, len(names))
	var group sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() {
			limit <- struct{}{}
			r.gos[i], errs[i] = r.parse(name)
			<-limit
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return r, nil
})

func (r *repo) parse(name string) (*source, error) {
	data, err := os.ReadFile(filepath.Join(r.top, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	return parseSource(r.fset, name, string(data))
}

func parseSource(fset *token.FileSet, name, text string) (*source, error) {
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{path: name, dir: path.Dir(name), text: text, ast: file}, nil
}

func theRepo(t *testing.T) *repo {
	t.Helper()
	r, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.gos) == 0 {
		t.Fatal("the repository has no Go files")
	}
	return r
}

// snippet parses one file for a rule's own test.
func snippet(t *testing.T, name, text string) *source {
	t.Helper()
	s, err := parseSource(token.NewFileSet(), name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func findTop() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fs.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// listFiles asks git for what is tracked; in an unpacked archive, where there
// is no git, everything that .gitignore would not name counts.
func listFiles(top string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		return walkFiles(top)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		// A file that is deleted and not yet committed has no content to judge.
		if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	return files, nil
}

func walkFiles(top string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if entry.IsDir() {
			if entry.Name() == ".git" || entry.Name() == "node_modules" || rel == "bin" || rel == "bench/data" || rel == "bench/results" {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() {
			files = append(files, rel)
		}
		return nil
	})
	return files, err
}

// complain fails the test with each finding.
func complain(t *testing.T, findings []string) {
	t.Helper()
	slices.Sort(findings)
	for _, f := range findings {
		t.Error(f)
	}
}

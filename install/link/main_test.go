package link

import (
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"weft/install/store"
	"weft/npm/tarball"
)

// childVariable makes this test binary a process that places packages into the project it names, until it is killed.
const childVariable = "WEFT_LINK_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		child(dir)
		return
	}
	code := m.Run()
	if scratchMade != "" {
		os.RemoveAll(scratchMade)
	}
	os.Exit(code)
}

// scratch is a folder for what benchmarks leave until the very end.
var scratch = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "weft-link-")
	if err != nil {
		panic(err)
	}
	scratchMade = dir
	return dir
})

var scratchMade string

// testKey makes a store key of any text.
func testKey(text string) string {
	sum := sha512.Sum512([]byte(text))
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fixture is a store and a project beside it.
type fixture struct {
	*testing.T
	dir   string
	store *store.Store
	tree  *Tree
	warns []string
}

func newFixture(t *testing.T) *fixture { return newFixtureIn(t, t.TempDir(), t.TempDir()) }

func newFixtureIn(t *testing.T, dir, storeDir string) *fixture {
	t.Helper()
	f := &fixture{T: t, dir: filepath.Join(dir, "project")}
	f.must(os.MkdirAll(f.dir, 0o755))
	var err error
	f.store, err = store.Open(filepath.Join(storeDir, "store"))
	f.must(err)
	f.tree, err = Open(f.dir, TreeOptions{Warn: func(path, what string) { f.warns = append(f.warns, path+": "+what) }})
	f.must(err)
	t.Cleanup(func() { f.tree.Close(); f.store.Close() })
	return f
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// put makes a package of path and content pairs; a path that ends in * is executable.
func (f *fixture) put(pairs ...string) *store.Package {
	f.Helper()
	a := &tarball.Archive{}
	for i := 0; i < len(pairs); i += 2 {
		file := tarball.File{Path: strings.TrimSuffix(pairs[i], "*"), Mode: 0o644, Data: []byte(pairs[i+1])}
		if file.Path != pairs[i] {
			file.Mode = 0o755
		}
		a.Files = append(a.Files, file)
	}
	p, err := f.store.Put(testKey(strings.Join(pairs, "\x00")), a)
	f.must(err)
	return p
}

func (f *fixture) place(p *store.Package, loc string) {
	f.Helper()
	f.must(f.tree.Place(p, loc, Options{}))
}

// write makes a file of the project, with its folders.
func (f *fixture) write(rel, content string) {
	f.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(rel)), 0o755))
	f.must(os.WriteFile(f.path(rel), []byte(content), 0o644))
}

func (f *fixture) symlink(text, rel string) {
	f.Helper()
	f.must(os.MkdirAll(filepath.Dir(f.path(rel)), 0o755))
	f.must(os.Symlink(text, f.path(rel)))
}

func (f *fixture) path(rel string) string { return filepath.Join(f.dir, filepath.FromSlash(rel)) }

// holds compares everything below rel with lines of "path content", "path/" for empty folders, "path -> text" for symlinks.
func (f *fixture) holds(rel string, want ...string) {
	f.Helper()
	got := list(f.path(rel))
	sort.Strings(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		f.Errorf("%s holds\n%s\nwant\n%s", rel, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func list(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			out = append(out, fmt.Sprintf("%s: %v", rel, err))
		case e.Type() == fs.ModeSymlink:
			text, _ := os.Readlink(path)
			out = append(out, rel+" -> "+text)
		case e.IsDir():
			if entries, _ := os.ReadDir(path); len(entries) == 0 && rel != "." {
				out = append(out, rel+"/")
			}
		default:
			data, _ := os.ReadFile(path)
			out = append(out, rel+" "+string(data))
		}
		return nil
	})
	sort.Strings(out)
	return out
}

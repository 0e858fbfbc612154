package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/install/store"
)

func TestLocations(t *testing.T) {
	for _, s := range []string{"node_modules/a", "node_modules/@s/a", "node_modules/a/node_modules/b", "node_modules/@s/a/node_modules/@t/b",
		"packages/w/node_modules/a", "node_modules/A.b-c_d~1", "node_modules/constructor"} {
		if _, err := parseLocation(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", "a", "src", "src/a", "node_modules", "node_modules/", "/node_modules/a", "node_modules//a", "node_modules/.", "node_modules/..",
		"node_modules/../a", "../node_modules/a", "node_modules/a/../b", "node_modules/.bin", "node_modules/.a", "node_modules/@s", "node_modules/@s/@t",
		"node_modules/node_modules", "node_modules/a/b", "node_modules/@s/a/b", "@s/a", "x/@s/a", "node_modules/a\x00b", "node_modules/a/node_modules",
		"node_modules/@s/.a", "./node_modules/a"} {
		if _, err := parseLocation(s); !errors.Is(err, ErrLocation) {
			t.Errorf("%q: error %v", s, err)
		}
	}
	l, err := parseLocation("packages/w/node_modules/@s/a/node_modules/b")
	if want := []string{"packages/w", "packages/w/node_modules/@s/a"}; err != nil || fmt.Sprint(l.above) != fmt.Sprint(want) {
		t.Errorf("above are %q, want %q", l.above, want)
	}
}

func TestPlace(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "index.js", "1", "lib/deep/a.js", "2", "run*", "3")
	f.place(p, "node_modules/a")
	f.place(p, "node_modules/@s/b")
	f.place(p, "node_modules/a/node_modules/c")
	for _, loc := range []string{"node_modules/@s/b", "node_modules/a/node_modules/c"} {
		f.holds(loc, "package.json {}", "index.js 1", "lib/deep/a.js 2", "run 3")
	}
	if runtime.GOOS != "windows" {
		here, err := os.Stat(f.path("node_modules/a/lib/deep/a.js"))
		f.must(err)
		there, err := os.Stat(filepath.Join(p.Dir, "lib/deep/a.js"))
		f.must(err)
		if !os.SameFile(here, there) {
			t.Error("the file is no hard link")
		}
		if info, _ := os.Stat(f.path("node_modules/a/run")); info.Mode() != 0o755 {
			t.Errorf("mode %v", info.Mode())
		}
	}
	for _, loc := range []string{"node_modules/../x", "src"} {
		if err := f.tree.Place(p, loc, Options{}); !errors.Is(err, ErrLocation) {
			t.Errorf("%s: error %v", loc, err)
		}
	}
	f.noneHidden()
}

func (f *fixture) noneHidden() {
	f.Helper()
	for _, line := range list(f.dir) {
		if strings.Contains(line, hiddenPrefix) {
			f.Errorf("left behind: %s", line)
		}
	}
}

func TestPlacePrivate(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "run*", "store's")
	f.must(f.tree.Place(p, "node_modules/a", Options{Private: true}))
	f.must(os.WriteFile(f.path("node_modules/a/run"), []byte("mine"), 0o644))
	f.must(f.store.Verify(p.Key))
	if info, _ := os.Stat(f.path("node_modules/a/run")); runtime.GOOS != "windows" && info.Mode() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	if f.tree.Copied() {
		t.Error("a private package made the whole tree copied")
	}
}

func TestReplace(t *testing.T) {
	f := newFixture(t)
	one := f.put("package.json", "1", "old.js", "x")
	two := f.put("package.json", "2", "lib/new.js", "y")
	f.place(one, "node_modules/a")
	f.place(two, "node_modules/a")
	f.holds("node_modules/a", "package.json 2", "lib/new.js y")

	f.place(one, "node_modules/a/node_modules/b")
	f.place(one, "node_modules/a/node_modules/@s/c")
	f.symlink("../b/old.js", "node_modules/a/node_modules/.bin/b")
	f.place(one, "node_modules/a")
	f.holds("node_modules/a", "package.json 1", "old.js x", "node_modules/b/package.json 1", "node_modules/b/old.js x",
		"node_modules/@s/c/package.json 1", "node_modules/@s/c/old.js x", "node_modules/.bin/b -> ../b/old.js")

	// A package that brings packages of its own: those stay, others join them.
	bundler := f.put("package.json", "3", "node_modules/b/own.js", "own", "node_modules/@s/d/own.js", "own")
	f.place(bundler, "node_modules/a")
	f.holds("node_modules/a", "package.json 3", "node_modules/b/own.js own", "node_modules/@s/d/own.js own",
		"node_modules/@s/c/package.json 1", "node_modules/@s/c/old.js x", "node_modules/.bin/b -> ../b/old.js")
	f.noneHidden()
}

// An empty folder, a file and symlinks in the place of a package make way; what symlinks point to is left alone.
func TestReplaceOtherThings(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}")
	f.write("own/src.js", "mine")
	f.write("own/node_modules/x/package.json", "mine")
	f.write("node_modules/file", "a file")
	f.symlink("../own", "node_modules/linked")
	f.symlink("nowhere", "node_modules/dangling")
	f.symlink("../../own", "node_modules/@s/linked")
	f.must(os.MkdirAll(f.path("node_modules/empty"), 0o755))
	f.must(os.MkdirAll(f.path("node_modules/half/node_modules"), 0o755))
	for _, loc := range []string{"file", "linked", "dangling", "@s/linked", "empty"} {
		f.place(p, "node_modules/"+loc)
		f.holds("node_modules/"+loc, "package.json {}")
	}
	f.place(p, "node_modules/half")
	f.holds("node_modules/half", "package.json {}", "node_modules/")
	f.holds("own", "src.js mine", "node_modules/x/package.json mine")
	f.noneHidden()
}

func TestSymlinksOnTheWay(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}")
	outside := t.TempDir()
	f.must(os.WriteFile(filepath.Join(outside, "theirs"), []byte("x"), 0o644))
	f.symlink(outside, "node_modules")
	f.place(p, "node_modules/a")
	f.symlink(outside, "node_modules/@s")
	f.place(p, "node_modules/@s/b")
	f.write("node_modules/a/node_modules", "a file")
	f.place(p, "node_modules/a/node_modules/c")
	f.holds("node_modules", "a/package.json {}", "@s/b/package.json {}", "a/node_modules/c/package.json {}")
	if want := "node_modules node_modules/@s node_modules/a/node_modules"; strings.Join(paths(f.warns), " ") != want {
		t.Errorf("warnings %q, want for %s", f.warns, want)
	}
	// A package folder that is a symlink is somebody's: nothing is placed through it.
	f.symlink(outside, "node_modules/linked")
	if err := f.tree.Place(p, "node_modules/linked/node_modules/d", Options{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("error %v", err)
	}
	f.symlink(outside, "packages/w")
	if err := f.tree.Place(p, "packages/w/node_modules/d", Options{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("error %v", err)
	}
	if err := f.tree.Remove("node_modules/linked/node_modules/d"); !errors.Is(err, ErrBlocked) {
		t.Errorf("error %v", err)
	}
	if got := list(outside); len(got) != 1 {
		t.Errorf("outside are %q", got)
	}
}

func paths(warns []string) (out []string) {
	for _, w := range warns {
		path, _, _ := strings.Cut(w, ": ")
		out = append(out, path)
	}
	return out
}

// Where the store lacks a file the package is not placed, and the old one stays.
func TestDamagedStore(t *testing.T) {
	f := newFixture(t)
	one := f.put("package.json", "1")
	two := f.put("package.json", "2", "lib/a.js", "a", "z.js", "z")
	f.place(one, "node_modules/a")
	f.must(os.Remove(filepath.Join(two.Dir, "lib", "a.js")))
	err := f.tree.Place(two, "node_modules/a", Options{})
	var corrupt *store.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Files[0].Path != "lib/a.js" {
		t.Errorf("error %v", err)
	}
	f.must(os.RemoveAll(filepath.Dir(two.Dir)))
	if err := f.tree.Place(two, "node_modules/a", Options{Private: true}); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("error %v", err)
	}
	f.holds("node_modules/a", "package.json 1")
	f.noneHidden()
}

// retire is what stands in where two things cannot be exchanged in one step.
func TestRetire(t *testing.T) {
	f := newFixture(t)
	f.write("node_modules/a/old", "1")
	f.write("node_modules/.weft-stage/new", "2")
	nm, err := f.tree.root.Sub("node_modules")
	f.must(err)
	defer nm.Close()
	retired, err := retire(nm, ".weft-stage", "a")
	f.must(err)
	f.holds("node_modules", "a/new 2", retired+"/old 1")
	if _, err := retire(nm, "gone", "a"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	f.holds("node_modules", "a/new 2", retired+"/old 1")
}

func TestRemove(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "lib/a.js", "1")
	f.write("own/src.js", "mine")
	for _, loc := range []string{"node_modules/a", "node_modules/a/node_modules/b", "node_modules/@s/c", "node_modules/@s/d"} {
		f.place(p, loc)
	}
	f.symlink("../own", "node_modules/linked")
	for _, loc := range []string{"node_modules/a", "node_modules/@s/c", "node_modules/linked", "node_modules/never", "node_modules/x/node_modules/y", "nowhere/node_modules/z"} {
		f.must(f.tree.Remove(loc))
	}
	f.holds("node_modules", "@s/d/package.json {}", "@s/d/lib/a.js 1")
	f.must(f.tree.Remove("node_modules/@s/d"))
	f.holds(".", "node_modules/", "own/src.js mine")
	f.must(f.store.Verify(p.Key))
	for _, loc := range []string{"own", "node_modules/..", "node_modules/.bin", ""} {
		if err := f.tree.Remove(loc); !errors.Is(err, ErrLocation) {
			t.Errorf("%q: error %v", loc, err)
		}
	}
}

func TestClean(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}")
	f.place(p, "node_modules/a")
	old := time.Now().Add(-time.Hour)
	for _, rel := range []string{"node_modules/" + hiddenName("x"), "node_modules/@s/" + hiddenName("y"), "node_modules/.bin/" + hiddenName("z")} {
		f.write(rel+"/lib/f", "1")
		f.must(os.Chtimes(f.path(rel), old, old))
	}
	fresh := "node_modules/" + hiddenName("fresh")
	f.write(fresh+"/f", "1")
	for _, rel := range []string{".cache", ".weft-", ".weft-mine", ".weft-x-abc", ".package-lock.json"} {
		f.write("node_modules/"+rel+"/f", "1")
		f.must(os.Chtimes(f.path("node_modules/"+rel), old, old))
	}
	if n, err := f.tree.Clean("node_modules", time.Minute); n != 3 || err != nil {
		t.Errorf("removed %d, error %v", n, err)
	}
	if n, err := f.tree.Clean("node_modules", 0); n != 1 || err != nil {
		t.Errorf("removed %d, error %v", n, err)
	}
	if n, err := f.tree.Clean("elsewhere/node_modules", 0); n != 0 || err != nil {
		t.Errorf("removed %d, error %v", n, err)
	}
	f.holds("node_modules", "a/package.json {}", ".cache/f 1", ".weft-/f 1", ".weft-mine/f 1", ".weft-x-abc/f 1", ".package-lock.json/f 1", "@s/", ".bin/")
}

func TestSymlink(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}")
	f.write("packages/w/package.json", "w")
	f.place(p, "node_modules/was-package")
	for _, c := range []struct{ loc, target, text string }{
		{"node_modules/w", "packages/w", "../packages/w"},
		{"node_modules/@s/w", "packages/w", "../../packages/w"},
		{"node_modules/out", "../elsewhere", "../../elsewhere"},
		{"node_modules/was-package", "packages/w", "../packages/w"},
		{"node_modules/w", "packages/other", "../packages/other"},
		{"node_modules/w", "packages/w", "../packages/w"},
		{"packages/w/node_modules/x", "packages/w", ".."},
		{"packages/w/node_modules/y", "packages/v", "../../v"},
	} {
		for range 2 {
			f.must(f.tree.Symlink(c.loc, c.target))
		}
		if text, _ := os.Readlink(f.path(c.loc)); filepath.ToSlash(text) != c.text {
			t.Errorf("%s -> %s is %q, want %q", c.loc, c.target, text, c.text)
		}
	}
	if err := f.tree.Symlink("src", "packages/w"); !errors.Is(err, ErrLocation) {
		t.Errorf("error %v", err)
	}
	f.noneHidden()
}

// TestAnyOrder places parents and what is nested in them at the same time, again and again, from many goroutines.
func TestAnyOrder(t *testing.T) {
	f := newFixture(t)
	packages := []*store.Package{f.put("package.json", "1", "lib/a.js", "1"), f.put("package.json", "2", "lib/b.js", "2")}
	locs := []string{"node_modules/a", "node_modules/a/node_modules/b", "node_modules/a/node_modules/b/node_modules/c", "node_modules/a/node_modules/@s/d",
		"node_modules/@s/e", "node_modules/@s/e/node_modules/f"}
	var group sync.WaitGroup
	for i, loc := range locs {
		for _, p := range packages {
			group.Go(func() {
				for range 20 {
					if err := f.tree.Place(p, loc, Options{}); err != nil {
						t.Error(err)
					}
					if i == 4 {
						if _, err := f.tree.Clean("node_modules", time.Hour); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
	group.Wait()
	for _, loc := range locs {
		checkWhole(t, f.path(loc))
	}
	f.noneHidden()
	if len(f.tree.locks.held) != 0 {
		t.Errorf("%d locks are still held", len(f.tree.locks.held))
	}
}

// checkWhole wants one of the two packages of TestAnyOrder and of the child processes in dir.
func checkWhole(t *testing.T, dir string) {
	t.Helper()
	data, _ := os.ReadFile(filepath.Join(dir, "package.json"))
	file := map[string]string{"1": "a.js", "2": "b.js"}[string(data)]
	entries, _ := os.ReadDir(filepath.Join(dir, "lib"))
	if file == "" || len(entries) == 0 || entries[0].Name() != file {
		t.Errorf("%s is not whole: %q, %v", dir, data, entries)
	}
}

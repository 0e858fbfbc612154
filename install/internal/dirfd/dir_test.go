package dirfd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
)

type fixture struct {
	*testing.T
	*Dir
	at string
}

func open(t *testing.T) *fixture {
	t.Helper()
	at := t.TempDir()
	d, err := Open(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return &fixture{T: t, Dir: d, at: at}
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) content(rel string) string {
	data, err := os.ReadFile(filepath.Join(f.at, rel))
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func TestNames(t *testing.T) {
	for _, s := range []string{"a", "a.b", "...", "@s", "ä b", ".hidden"} {
		if !IsName(s) {
			t.Errorf("%q is a name", s)
		}
	}
	for _, s := range []string{"", ".", "..", "a/b", "/", "/a", "a/", "a\x00b"} {
		if IsName(s) {
			t.Errorf("%q is no name", s)
		}
	}
}

func TestSub(t *testing.T) {
	f := open(t)
	f.must(os.MkdirAll(filepath.Join(f.at, "a", "b", "c"), 0o755))
	f.must(os.WriteFile(filepath.Join(f.at, "file"), nil, 0o644))
	f.must(os.Symlink("a", filepath.Join(f.at, "link")))
	f.must(os.Symlink(f.at, filepath.Join(f.at, "a", "up")))
	for rel, check := range map[string]func(error) bool{
		"": ok, ".": ok, "a": ok, "a/b/c": ok,
		"file": NotFolder, "link": NotFolder, "link/b": NotFolder, "a/up": NotFolder, "a/up/a": NotFolder, "file/x": NotFolder,
		"gone": notExist, "a/gone/c": notExist,
		"..": failed, "a/../..": failed, "/": failed, "a/b/../../..": failed,
	} {
		d, err := f.Sub(rel)
		if !check(err) {
			t.Errorf("%q: error %v", rel, err)
		}
		if err == nil {
			if want := filepath.Join(f.at, rel); d.Path() != want {
				t.Errorf("%q: path %q", rel, d.Path())
			}
			f.must(d.Close())
		} else if !strings.Contains(rel, "..") && !strings.Contains(err.Error(), f.at) {
			t.Errorf("%q: the error %q names no path", rel, err)
		}
	}
}

func ok(err error) bool       { return err == nil }
func failed(err error) bool   { return err != nil }
func notExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func TestMkdirAll(t *testing.T) {
	f := open(t)
	for range 2 {
		d, err := f.MkdirAll("a/b/c", 0o755)
		f.must(err)
		f.must(d.Close())
	}
	f.must(os.Symlink("a", filepath.Join(f.at, "link")))
	if _, err := f.MkdirAll("link/new", 0o755); !NotFolder(err) {
		t.Errorf("error %v", err)
	}
	f.must(os.WriteFile(filepath.Join(f.at, "a", "file"), nil, 0o644))
	if _, err := f.MkdirAll("a/file/new", 0o755); !NotFolder(err) {
		t.Errorf("error %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Join(f.at, "a")); len(entries) != 2 {
		t.Errorf("entries %v", entries)
	}
}

func TestFiles(t *testing.T) {
	f := open(t)
	f.must(f.WriteFile("a", []byte("hello"), 0o755))
	f.must(f.WriteFile("empty", nil, 0o600))
	if err := f.WriteFile("a", nil, 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	info, err := f.Lstat("a")
	f.must(err)
	if info.Size != 5 || info.Links != 1 || !info.Mode.IsRegular() || runtime.GOOS != "windows" && info.Mode != 0o755 {
		t.Errorf("info %+v", info)
	}
	for limit, want := range map[int]error{4: io.ErrShortBuffer, 5: nil, 100: nil} {
		for _, size := range []int{0, 1, 5, 6, 100} {
			got, err := f.Read("a", make([]byte, 0, size), limit)
			if !errors.Is(err, want) || err == nil && string(got) != "hello" {
				t.Errorf("limit %d, buffer of %d: %q, %v", limit, size, got, err)
			}
		}
	}
	if got, err := f.Read("a", []byte("say "), 5); err != nil || string(got) != "say hello" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := f.Read("empty", nil, 0); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := f.Head("a", make([]byte, 3)); err != nil || string(got) != "hel" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := f.Head("empty", make([]byte, 3)); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := f.Read("gone", nil, 5); !notExist(err) {
		t.Errorf("error %v", err)
	}
	if _, err := f.Head("gone", nil); !notExist(err) {
		t.Errorf("error %v", err)
	}
	f.must(f.Chmod("a", 0o644))
	if info, _ := f.Lstat("a"); runtime.GOOS != "windows" && info.Mode != 0o644 {
		t.Errorf("mode %v", info.Mode)
	}
	big := strings.Repeat("b", 3<<20)
	f.must(f.WriteFile("big", []byte(big), 0o644))
	if got, err := f.Read("big", nil, len(big)); err != nil || string(got) != big {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestLinksAndCopies(t *testing.T) {
	f := open(t)
	long := strings.Repeat(strings.Repeat("l", 200)+"/", 4)
	to, err := f.MkdirAll("to/"+long[:len(long)-1], 0o755)
	f.must(err)
	f.must(to.Close())
	to, err = f.Sub("to")
	f.must(err)
	defer to.Close()
	f.must(f.WriteFile("a", []byte("hello"), 0o755))
	f.must(f.Link("a", to, "a"))
	f.must(f.Link("a", to, "other"))
	f.must(f.Link("a", to, long+"x"))
	if info, _ := to.Lstat("a"); runtime.GOOS != "windows" && info.Links != 4 {
		t.Errorf("info %+v", info)
	}
	if err := f.Link("a", to, "a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if err := f.Link("gone", to, "b"); !notExist(err) || !strings.Contains(err.Error(), filepath.Join(f.at, "gone")) {
		t.Errorf("error %v", err)
	}
	for name, clone := range map[string]bool{"cloned": true, "copied": false} {
		if _, err := f.Copy("a", to, name, 0o600, clone); err != nil {
			t.Error(err)
		}
		info, _ := to.Lstat(name)
		if f.content("to/"+name) != "hello" || info.Links != 1 || runtime.GOOS != "windows" && info.Mode != 0o600 {
			t.Errorf("%s: %q, %+v", name, f.content("to/"+name), info)
		}
		if _, err := f.Copy("a", to, name, 0o600, clone); !errors.Is(err, fs.ErrExist) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := f.Copy("gone", to, "b", 0o600, true); !notExist(err) {
		t.Errorf("error %v", err)
	}
}

func TestRenameAndSwap(t *testing.T) {
	f := open(t)
	f.must(f.Mkdir("a", 0o755))
	f.must(f.WriteFile("a/in-a", nil, 0o644))
	f.must(f.Mkdir("b", 0o755))
	f.must(f.WriteFile("b/in-b", nil, 0o644))
	if err := f.Rename("a", f.Dir, "b"); err == nil {
		t.Error("a folder that is not empty was replaced")
	}
	switch err := f.Swap("a", f.Dir, "b"); {
	case errors.Is(err, errors.ErrUnsupported):
	case err != nil:
		t.Error(err)
	case f.content("a/in-b") != "" || f.content("b/in-a") != "":
		t.Error("not swapped")
	}
	if err := f.Swap("a", f.Dir, "gone"); err == nil {
		t.Error("swapped with nothing")
	}
	f.must(f.Rename("a", f.Dir, "c"))
	if err := f.Rename("a", f.Dir, "c"); !notExist(err) {
		t.Errorf("error %v", err)
	}
}

func TestSymlinks(t *testing.T) {
	f := open(t)
	text := strings.Repeat("x/", 400) + "y"
	f.must(f.Symlink(text, "link"))
	if got, err := f.Readlink("link"); err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
	f.must(f.WriteFile("file", nil, 0o644))
	if _, err := f.Readlink("file"); err == nil {
		t.Error("a file is no symlink")
	}
	f.must(f.Symlink("file", "to-file"))
	if err := f.Chmod("to-file", 0o600); err == nil && runtime.GOOS != "windows" {
		t.Error("chmod followed a symlink")
	}
	if _, err := f.Read("to-file", nil, 10); err == nil && runtime.GOOS != "windows" {
		t.Error("read followed a symlink")
	}
	if info, _ := f.Lstat("to-file"); info.Mode&fs.ModeSymlink == 0 {
		t.Errorf("mode %v", info.Mode)
	}
}

func TestRemoveAll(t *testing.T) {
	f := open(t)
	deep, err := f.MkdirAll("a/"+strings.Repeat("d/", 300)+"e", 0o755)
	f.must(err)
	f.must(deep.WriteFile("f", nil, 0o644))
	f.must(deep.Symlink(f.at, "up"))
	f.must(deep.Close())
	f.must(f.WriteFile("keep", nil, 0o644))
	f.must(f.Symlink(".", "self"))
	for _, name := range []string{"a", "self", "gone"} {
		f.must(f.RemoveAll(name))
	}
	entries, err := f.List()
	f.must(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	sort.Strings(names)
	if strings.Join(names, " ") != "keep" {
		t.Errorf("left %q", names)
	}
	if err := f.RemoveDir("keep"); err == nil {
		t.Error("a file is no folder")
	}
}

func TestOpenFails(t *testing.T) {
	f := open(t)
	f.must(f.WriteFile("file", nil, 0o644))
	if _, err := Open(filepath.Join(f.at, "file")); !NotFolder(err) {
		t.Errorf("error %v", err)
	}
	if _, err := Open(filepath.Join(f.at, "gone")); !notExist(err) {
		t.Errorf("error %v", err)
	}
}

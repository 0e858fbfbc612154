package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/npm/tarball"
)

func TestKeys(t *testing.T) {
	digest := strings.Repeat("A", 86) + "=="
	for _, c := range []struct {
		key  string
		want string
	}{
		{"sha512-" + digest, "00/" + strings.Repeat("00", 64)},
		{"sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "00/" + strings.Repeat("00", 20)},
		{"sha256-/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "ff/ff" + strings.Repeat("00", 31)},
		{"", ""}, {"sha512", ""}, {"sha512-", ""}, {"sha512-AAAA", ""}, {"md5-AAAAAAAAAAAAAAAAAAAAAA==", ""},
		{"sha512-" + digest + "?x", ""}, {"sha512-" + digest + " sha512-" + digest, ""}, {"sha512-../../" + digest[6:], ""},
		{"sha512-" + strings.Repeat("../", 28) + "AA==", "fb/"},
	} {
		got, err := folderOf(c.key)
		switch {
		case c.want == "" && !errors.Is(err, ErrKey):
			t.Errorf("%q: %q, error %v", c.key, got, err)
		case c.want != "" && err != nil && !strings.HasSuffix(c.want, "/"):
			t.Errorf("%q: %v", c.key, err)
		case c.want != "" && !strings.HasPrefix(got, c.want) && err == nil:
			t.Errorf("%q: %q, want %q", c.key, got, c.want)
		}
		if strings.Contains(got, ".") {
			t.Errorf("%q: %q", c.key, got)
		}
	}
}

func TestPutAndGet(t *testing.T) {
	s := open(t)
	key := testKey("a")
	if _, err := s.Get(key); !errors.Is(err, ErrAbsent) {
		t.Fatalf("error %v", err)
	}
	a := archive("package.json", `{"name":"a","bin":{"x":"./bin/x.js","y":"gone.js"}}`, "index.js", "1", "empty", "", "lib/deep/er/a.js", "22",
		"lib/b.js", "333", "tool*", "#!", "bin/x.js", "#!/usr/bin/env node\n", "node_modules/inner/package.json", "{}", "Ω/🌟", "star")
	put, err := s.Put(key, a)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*Package{put, got} {
		checkPackage(t, p, a)
	}
	if m, err := got.Manifest(); err != nil || !bytes.Equal(m, a.Files[0].Data) {
		t.Errorf("manifest %q, error %v", m, err)
	}
	if f, _ := got.File("bin/x.js"); f.Mode != 0o755 {
		t.Errorf("the command has mode %o", f.Mode)
	}
	if f, _ := got.File("tool"); f.Mode != 0o755 {
		t.Errorf("the executable has mode %o", f.Mode)
	}
	if want := []string{"lib", "lib/deep", "lib/deep/er", "bin", "node_modules", "node_modules/inner", "Ω"}; !slices.Equal(got.Folders, want) {
		t.Errorf("folders %q, want %q", got.Folders, want)
	}
	if err := s.Verify(key); err != nil {
		t.Error(err)
	}
	if _, err := s.Get("sha512-x"); !errors.Is(err, ErrKey) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Put("sha512-x", a); !errors.Is(err, ErrKey) {
		t.Errorf("error %v", err)
	}
	again, err := s.Put(key, a)
	if err != nil {
		t.Fatal(err)
	}
	checkPackage(t, again, a)
	if left, _ := s.tmp.List(); len(left) != 0 {
		t.Errorf("left in tmp: %v", left)
	}
	if info, _ := os.Stat(filepath.Join(s.Dir(), layout)); modesKept && info.Mode().Perm() != 0o700 {
		t.Errorf("the store has mode %o", info.Mode().Perm())
	}
}

// checkPackage compares a package, in the index and on disk, with what was put.
func checkPackage(t *testing.T, p *Package, a *tarball.Archive) {
	t.Helper()
	if len(p.Files) != len(a.Files) {
		t.Fatalf("%d files, want %d", len(p.Files), len(a.Files))
	}
	for i, f := range p.Files {
		want := a.Files[i]
		if f.Path != want.Path || f.Size != int64(len(want.Data)) || f.Hash != checksum(want.Data) {
			t.Errorf("file %+v, want %s", f, want.Path)
		}
		data, err := os.ReadFile(filepath.Join(p.Dir, f.Path))
		if err != nil || !bytes.Equal(data, want.Data) {
			t.Errorf("%s: content %q, error %v", f.Path, data, err)
		}
		if info, err := os.Lstat(filepath.Join(p.Dir, f.Path)); err == nil && modesKept && info.Mode() != f.Mode {
			t.Errorf("%s: mode %v, want %v", f.Path, info.Mode(), f.Mode)
		}
	}
}

func TestCommands(t *testing.T) {
	s := open(t)
	for i, c := range []struct{ manifest, want string }{
		{`{"name":"a","bin":"one.js"}`, "one.js"},
		{`{"name":"@s/a","bin":"./dir/two"}`, "dir/two"},
		{`{"name":"a","directories":{"bin":"dir"}}`, "dir/two dir/sub/three"},
		{`{"name":"a","bin":{"x":"../../one.js"}}`, "one.js"},
		{`{"name":"a","bin":{"x":"/etc/passwd"}}`, ""},
		{`{"name":"a"}`, ""}, {`not json`, ""}, {`[]`, ""}, {`{"bin":5}`, ""}, {``, ""},
	} {
		p, err := s.Put(testKey(fmt.Sprint(i)), archive("package.json", c.manifest, "one.js", "1", "dir/two", "2", "dir/.hidden", "", "dir/sub/three", "3"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range p.Files {
			if f.Mode == 0o755 {
				got = append(got, f.Path)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: executable are %q, want %q", c.manifest, got, c.want)
		}
	}
}

func TestNoManifest(t *testing.T) {
	s := open(t)
	p, err := s.Put(testKey("x"), archive("index.js", "1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Manifest(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	empty, err := s.Put(testKey("empty"), archive())
	if err != nil || len(empty.Files) != 0 {
		t.Errorf("%v, %v", empty, err)
	}
	if _, err := s.Get(testKey("empty")); err != nil {
		t.Error(err)
	}
}

func TestUnsafePaths(t *testing.T) {
	s := open(t)
	for _, path := range []string{"", "../x", "/x", "a/../../x", "a/..", ".."} {
		if _, err := s.Put(testKey(path), archive("package.json", "{}", path, "x")); err == nil {
			t.Errorf("%q was written", path)
		}
		if _, err := s.Get(testKey(path)); !errors.Is(err, ErrAbsent) {
			t.Errorf("%q: error %v", path, err)
		}
	}
	if left, _ := s.tmp.List(); len(left) != 0 {
		t.Errorf("left in tmp: %v", left)
	}
}

func TestDeepAndLong(t *testing.T) {
	s := open(t)
	deep := strings.Repeat("d/", 1000) + "f"
	long := strings.Repeat(strings.Repeat("n", 250)+"/", 13) + strings.Repeat("n", 250)
	a := archive("package.json", "{}", deep, "1", long, "2", strings.Repeat("w", 255), "3")
	if _, err := s.Put(testKey("deep"), a); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(testKey("deep")); err != nil {
		t.Error(err)
	}
	if err := s.Delete(testKey("deep")); err != nil {
		t.Error(err)
	}
	if _, err := s.Put(testKey("wide"), archive("a/"+strings.Repeat("w", 256), "1")); err == nil || !strings.Contains(err.Error(), "wwww") {
		t.Errorf("error %v", err)
	}
}

// A path that exists already is how a folding file system shows two names that are one to it.
func TestFoldedNames(t *testing.T) {
	s := open(t)
	p, err := s.Put(testKey("twice"), archive("package.json", "{}", "lib/a.js", "first", "lib/b.js", "b", "lib/a.js", "second"))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) != 3 {
		t.Errorf("files %v", p.Files)
	}
	if err := s.Verify(p.Key); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(filepath.Join(p.Dir, "lib/a.js")); string(data) != "second" {
		t.Errorf("content %q", data)
	}
}

func TestVerify(t *testing.T) {
	s := open(t)
	key := testKey("v")
	for name, damage := range map[string]func(path string) error{
		"edited":    func(p string) error { return os.WriteFile(p, []byte("2"), 0o644) },
		"longer":    func(p string) error { return os.WriteFile(p, []byte("1 and more"), 0o644) },
		"emptied":   func(p string) error { return os.Truncate(p, 0) },
		"removed":   os.Remove,
		"symlinked": func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/etc/hostname", p)) },
		"a folder":  func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
		"chmodded":  func(p string) error { return os.Chmod(p, 0o600) },
	} {
		p, err := s.Put(key, archive("package.json", "{}", "lib/a.js", "1", "b.js", "b"))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(key); err != nil {
			t.Fatal(err)
		}
		if err := damage(filepath.Join(p.Dir, "lib", "a.js")); err != nil {
			t.Fatal(err)
		}
		err = s.Verify(key)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || !errors.Is(err, ErrCorrupt) || len(corrupt.Files) != 1 || corrupt.Files[0].Path != "lib/a.js" {
			t.Errorf("%s: error %v", name, err)
		}
		if err := s.Delete(key); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Verify(key); !errors.Is(err, ErrAbsent) {
		t.Errorf("error %v", err)
	}
	if err := s.Delete(key); err != nil {
		t.Errorf("deleting what is absent: %v", err)
	}
}

// A damaged package is neither found nor in the way of putting it again.
func TestRepair(t *testing.T) {
	s := open(t)
	key := testKey("r")
	a := archive("package.json", "{}", "a.js", "1")
	for name, damage := range map[string]func(dir string) error{
		"flipped":   func(d string) error { return flip(filepath.Join(d, indexName), 30) },
		"magic":     func(d string) error { return flip(filepath.Join(d, indexName), 0) },
		"cut":       func(d string) error { return os.Truncate(filepath.Join(d, indexName), 50) },
		"empty":     func(d string) error { return os.Truncate(filepath.Join(d, indexName), 0) },
		"no index":  func(d string) error { return os.Remove(filepath.Join(d, indexName)) },
		"no folder": func(d string) error { return os.RemoveAll(filepath.Join(d, filesName)) },
	} {
		p, err := s.Put(key, a)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := damage(filepath.Dir(p.Dir)); err != nil {
			t.Fatal(err)
		}
		p, err = s.Get(key)
		if err == nil {
			_, err = p.Open() // the index is right, the files are gone
			if errors.Is(err, ErrCorrupt) {
				err = errors.Join(err, s.Delete(key))
			}
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v", name, err)
		}
		if p, err = s.Put(key, a); err != nil {
			t.Fatal(name, err)
		}
		checkPackage(t, p, a)
		if err := s.Verify(key); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := s.tmp.List(); len(left) != 0 {
		t.Errorf("left in tmp: %v", left)
	}
}

func flip(file string, at int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	data[at] ^= 1
	return os.WriteFile(file, data, 0o644)
}

func TestClean(t *testing.T) {
	s := open(t)
	for _, name := range []string{"old", "new"} {
		if err := os.MkdirAll(filepath.Join(s.Dir(), layout, tmpFolder, name, filesName, "lib"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(s.Dir(), layout, tmpFolder, "old"), old, old); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Clean(24 * time.Hour); n != 1 || err != nil {
		t.Errorf("removed %d, error %v", n, err)
	}
	if left, _ := s.tmp.List(); len(left) != 1 || left[0].Name() != "new" {
		t.Errorf("left %v", left)
	}
}

func TestManyGoroutines(t *testing.T) {
	s := open(t)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 12 {
				n := (i + g/2) % 6
				key := testKey(fmt.Sprint(n))
				a := childArchive(n)
				p, err := s.Put(key, a)
				if err == nil {
					p, err = s.Get(key)
				}
				if err != nil {
					t.Error(err)
					return
				}
				checkPackage(t, p, a)
			}
		})
	}
	group.Wait()
	if left, _ := s.tmp.List(); len(left) != 0 {
		t.Errorf("left in tmp: %v", left)
	}
}

func TestDefaultDir(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	if got, want := DefaultDir(env("XDG_DATA_HOME", "/data"), "/home/u"), filepath.Join("/data", "weft", "store"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if runtime.GOOS == "linux" {
		if got := DefaultDir(env(), "/home/u"); got != "/home/u/.local/share/weft/store" {
			t.Errorf("got %s", got)
		}
	}
}

func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "store")); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkPut(b *testing.B) {
	dir, err := os.MkdirTemp("", "weft-store-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	s, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	// 50 files of 8 KB, as packages are on average.
	a := &tarball.Archive{}
	for i := range 50 {
		a.Files = append(a.Files, tarball.File{Path: fmt.Sprintf("lib/part-%d/file-%d.js", i/12, i), Mode: 0o644, Data: bytes.Repeat([]byte{byte(i)}, 8<<10)})
	}
	a.Files[0] = tarball.File{Path: "package.json", Mode: 0o644, Data: []byte(`{"name":"p","version":"1.0.0"}`)}
	b.SetBytes(50 * 8 << 10)
	n := 0
	for b.Loop() {
		n++
		if _, err := s.Put(testKey(fmt.Sprint(n)), a); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	key := testKey("1")
	if _, err := s.Put(key, childArchive(1)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Get(key); err != nil {
			b.Fatal(err)
		}
	}
}

package tree

import (
	"os"
	"path/filepath"
	"testing"

	"weft/bench/internal/difference"
)

// project makes a project with packages in all the places they may stand.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/package.json":                         `{"name": "a", "version": "1.0.0"}`,
		"a/lib/package.json":                     `{"type": "module"}`,
		"a/index.js":                             "1",
		"@s/b/package.json":                      "\ufeff" + `{"name": "@s/b", "version": "2.0.0"}`,
		"@s/b/node_modules/c/package.json":       `{"version": 3}`,
		"a/node_modules/@s/d/package.json":       `{"version": "4.0.0"}`,
		"a/fixtures/node_modules/package.json":   `{"version": "0.0.0"}`,
		"a/fixtures/node_modules/e/package.json": `{"version": "5.0.0"}`,
		".package-lock.json":                     "{}",
	} {
		write(t, filepath.Join(dir, "node_modules", name), text)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../a/index.js", filepath.Join(bin, "a")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) *Tree {
	t.Helper()
	tree, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestRead(t *testing.T) {
	got := read(t, project(t))
	want := map[string]string{
		"node_modules/a":                         "1.0.0",
		"node_modules/@s/b":                      "2.0.0",
		"node_modules/@s/b/node_modules/c":       "",
		"node_modules/a/node_modules/@s/d":       "4.0.0",
		"node_modules/a/fixtures/node_modules/e": "5.0.0",
	}
	for _, name := range union(want, got.Packages) {
		w, ok := want[name]
		if g, found := got.Packages[name]; ok != found || w != g {
			t.Errorf("%s: %q (%v), want %q (%v)", name, g, found, w, ok)
		}
	}
	if f := got.Files["node_modules/.bin/a"]; f.Type != "link" || f.Content != "../a/index.js" {
		t.Errorf("link: %+v", f)
	}
	if f := got.Files["node_modules/a/index.js"]; f.Type != "file" || f.Mode != 0o644 || len(f.Content) != 64 {
		t.Errorf("file: %+v", f)
	}
	if empty := read(t, t.TempDir()); len(empty.Files) != 0 {
		t.Errorf("no node_modules: %v", empty.Files)
	}
	broken := t.TempDir()
	write(t, filepath.Join(broken, "node_modules", "a", "package.json"), "{")
	if _, err := Read(broken); err == nil {
		t.Error("a broken package.json was read")
	}
}

func TestDifferences(t *testing.T) {
	at := func(dir, name string) string { return filepath.Join(dir, "node_modules", filepath.FromSlash(name)) }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name   string
		change func(dir string)
		want   map[string]int
	}{
		{"nothing", func(string) {}, nil},
		{"the installer's own file", func(dir string) { write(t, at(dir, ".package-lock.json"), "[]") }, nil},
		{"content", func(dir string) { write(t, at(dir, "a/index.js"), "2") }, map[string]int{"file content": 1}},
		{"mode", func(dir string) { must(os.Chmod(at(dir, "a/index.js"), 0o755)) }, map[string]int{"file mode": 1}},
		{"folder's mode", func(dir string) { must(os.Chmod(at(dir, "a"), 0o700)) }, map[string]int{"dir mode": 1}},
		{"link", func(dir string) {
			must(os.Remove(at(dir, ".bin/a")))
			must(os.Symlink("../a/other.js", at(dir, ".bin/a")))
		}, map[string]int{"link content": 1}},
		{"type", func(dir string) {
			must(os.Remove(at(dir, ".bin/a")))
			write(t, at(dir, ".bin/a"), "1")
		}, map[string]int{"file type": 1}},
		{"version", func(dir string) { write(t, at(dir, "a/package.json"), `{"version": "9.0.0"}`) },
			map[string]int{"package version": 1, "file content": 1}},
		{"missing", func(dir string) { must(os.RemoveAll(at(dir, "@s/b"))) },
			map[string]int{"package missing": 2, "dir missing": 1}},
		{"extra", func(dir string) { write(t, at(dir, "a/node_modules/z/package.json"), `{"version": "1.0.0"}`) },
			map[string]int{"package extra": 1, "dir extra": 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := project(t), project(t)
			tc.change(b)
			list := Packages(read(t, a), read(t, b))
			list = append(list, Files(read(t, a), read(t, b))...)
			got := difference.Count(list)
			if len(got) != len(tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
			for kind, n := range tc.want {
				if got[kind] != n {
					t.Errorf("%d of %q, want %d", got[kind], kind, n)
				}
			}
		})
	}
}

package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"weft/install/internal/dirfd"
	"weft/install/internal/smalldisk"
)

func TestFullDisk(t *testing.T) {
	dir := smalldisk.Mount(t, "size=256k")
	f := newFixtureIn(t, dir, t.TempDir())
	one := f.put("package.json", "1", "a.js", "small")
	big := f.put("package.json", "2", "a.bin", strings.Repeat("a", 150<<10), "lib/b.bin", strings.Repeat("b", 150<<10))
	f.place(one, "node_modules/a")
	for _, loc := range []string{"node_modules/a", "node_modules/b", "node_modules/@s/c"} {
		err := f.tree.Place(big, loc, Options{})
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "b.bin") {
			t.Errorf("%s: error %v", loc, err)
		}
	}
	f.holds("node_modules", "a/package.json 1", "a/a.js small", "@s/")
	if !f.tree.Copied() {
		t.Error("another device, and the files are not copied")
	}
	f.must(syscall.Mount("", dir, "", syscall.MS_REMOUNT, "size=1m"))
	f.place(big, "node_modules/a")
	if got := list(f.path("node_modules/a")); len(got) != 3 {
		t.Errorf("%d files", len(got))
	}
}

func TestNoInodes(t *testing.T) {
	dir := smalldisk.Mount(t, "size=1m,nr_inodes=30")
	f := newFixtureIn(t, dir, t.TempDir())
	var pairs []string
	for i := range 40 {
		pairs = append(pairs, fmt.Sprintf("d%d/f", i), "x")
	}
	if err := f.tree.Place(f.put(pairs...), "node_modules/a", Options{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	f.holds("node_modules")
}

func TestOtherDevice(t *testing.T) {
	f := newFixtureIn(t, smalldisk.Mount(t, "size=10m"), t.TempDir())
	p := f.put("package.json", "{}", "lib/run*", script, "empty", "")
	f.place(p, "node_modules/a")
	f.holds("node_modules/a", "package.json {}", "lib/run "+script, "empty ")
	if info, err := os.Stat(f.path("node_modules/a/lib/run")); err != nil || info.Mode() != 0o755 {
		t.Errorf("mode %v, error %v", info, err)
	}
	if !f.tree.Copied() {
		t.Error("not copied")
	}
	f.must(f.tree.Bins("node_modules", []Bin{{Name: "run", Package: "node_modules/a", Target: "lib/run"}, {Name: "empty", Package: "node_modules/a", Target: "empty"}}))
	f.must(f.store.Verify(p.Key))
}

// TestTooManyLinks fills a file's links up to the limit of the file system: that file is copied, the others are linked.
func TestTooManyLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 65,000 links")
	}
	f := newFixture(t)
	p := f.put("package.json", "{}", "full", "x")
	source, err := p.Open()
	f.must(err)
	defer source.Close()
	f.must(os.Mkdir(filepath.Join(f.dir, "links"), 0o755))
	links, err := dirfd.Open(filepath.Join(f.dir, "links"))
	f.must(err)
	defer links.Close()
	for i := 0; err == nil; i++ {
		if i == 66_000 {
			t.Skip("this file system has no such limit")
		}
		err = source.Link("full", links, fmt.Sprint(i))
	}
	if !errors.Is(err, syscall.EMLINK) {
		t.Fatal(err)
	}
	f.place(p, "node_modules/a")
	f.holds("node_modules/a", "package.json {}", "full x")
	var full, manifest syscall.Stat_t
	f.must(syscall.Stat(f.path("node_modules/a/full"), &full))
	f.must(syscall.Stat(f.path("node_modules/a/package.json"), &manifest))
	if full.Nlink != 1 || manifest.Nlink != 2 || f.tree.Copied() {
		t.Errorf("%d and %d links, copied is %v", full.Nlink, manifest.Nlink, f.tree.Copied())
	}
}

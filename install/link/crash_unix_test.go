//go:build linux || darwin

package link

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"weft/install/store"
	"weft/npm/tarball"
)

const childPackages = 12

func childArchive(version int) *tarball.Archive {
	a := &tarball.Archive{Files: []tarball.File{{Path: "package.json", Mode: 0o644, Data: fmt.Append(nil, version)}}}
	for i := range 30 {
		a.Files = append(a.Files, tarball.File{Path: fmt.Sprintf("lib/v%d-%d.js", version, i), Mode: 0o644})
	}
	return a
}

// child places two versions of its packages by turns into the project beside its store.
func child(dir string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	s, err := store.Open(filepath.Join(dir, "store"))
	fail(err)
	tree, err := Open(filepath.Join(dir, "project"), TreeOptions{})
	fail(err)
	var packages [2]*store.Package
	for i := range packages {
		packages[i], err = s.Put(testKey(fmt.Sprint("child", i)), childArchive(i))
		fail(err)
	}
	for round := range 10 {
		for n := range childPackages {
			loc := fmt.Sprintf("node_modules/p%d", n/2)
			if n%2 == 1 {
				loc += "/node_modules/inner"
			}
			fail(tree.Place(packages[round%2], loc, Options{Private: n > 8}))
		}
	}
}

func startChild(t *testing.T, dir string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

// checkProject wants every package whole, in either version, or absent.
func checkProject(t *testing.T, dir string, all bool) {
	t.Helper()
	for n := range childPackages {
		at := filepath.Join(dir, "project", "node_modules", fmt.Sprint("p", n/2))
		if n%2 == 1 {
			at = filepath.Join(at, "node_modules", "inner")
		}
		data, err := os.ReadFile(filepath.Join(at, "package.json"))
		if errors.Is(err, os.ErrNotExist) && !all {
			continue
		}
		entries, _ := os.ReadDir(filepath.Join(at, "lib"))
		files, _ := filepath.Glob(filepath.Join(at, "lib", "v"+string(data)+"-*"))
		if err != nil || len(files) != 30 || len(entries) != 30 {
			t.Errorf("%s is not whole: %q, %d of 30 files, %d entries, error %v", at, data, len(files), len(entries), err)
		}
	}
}

// TestKilled kills a process at random moments of its work and looks at every package; another one finishes.
func TestKilled(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "project"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 25 {
		cmd, _ := startChild(t, dir)
		// The moment is what is random here; nothing waits for it.
		time.Sleep(time.Duration(rng.IntN(60_000)) * time.Microsecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		checkProject(t, dir, false)
	}
	cmd, out := startChild(t, dir)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkProject(t, dir, true)
	tree, err := Open(filepath.Join(dir, "project"), TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	folders := []string{"node_modules"}
	for n := range childPackages / 2 {
		folders = append(folders, fmt.Sprintf("node_modules/p%d/node_modules", n))
	}
	for _, nm := range folders {
		if _, err := tree.Clean(nm, 0); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "project", "node_modules", ".weft-*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestTwoProcesses runs two processes on one project. They may fail each other's work, but never leave half a package.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "project"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, firstOut := startChild(t, dir)
	second, secondOut := startChild(t, dir)
	for _, c := range []struct {
		*exec.Cmd
		out *bytes.Buffer
	}{{first, firstOut}, {second, secondOut}} {
		if err := c.Wait(); err != nil {
			t.Logf("%v: %s", err, c.out)
		}
	}
	checkProject(t, dir, false)
	third, out := startChild(t, dir)
	if err := third.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkProject(t, dir, true)
}

//go:build unix

package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asNobody runs f as a user who owns nothing, where the tests run as root: nothing
// is read-only for root.
func asNobody(t *testing.T, dirs []string, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(name, nobody, nobody))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Setreuid(-1, nobody); err != nil {
		t.Skipf("cannot become another user: %v", err)
	}
	defer func() {
		if err := syscall.Setreuid(-1, 0); err != nil {
			panic(err)
		}
	}()
	if _, err := os.Stat(dirs[0]); err != nil {
		t.Skipf("another user cannot get here: %v", err)
	}
	f()
}

func chmodAll(t *testing.T, dir string, folders, files fs.FileMode) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return os.Chmod(name, folders)
		case e.Type().IsRegular():
			return os.Chmod(name, files)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// openTop lets another user reach a test's own folder.
func openTop(t *testing.T, dir string) {
	t.Helper()
	for top := filepath.Dir(dir); len(top) > len(os.TempDir()); top = filepath.Dir(top) {
		if err := os.Chmod(top, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnlyProject fails with words, and what is there stays.
func TestReadOnlyProject(t *testing.T) {
	s := newSite(t, basicProject, basics)
	openTop(t, s.dir)
	if err := os.Chmod(s.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.dir, 0o755)
	for _, dir := range []string{s.store, s.cache} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	asNobody(t, []string{s.dir, s.home, s.store, s.cache}, func() {
		words, err := s.fails()
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(words, s.dir) && !strings.Contains(words, "node_modules") {
			t.Errorf("%v; it says:\n%s", err, words)
		}
	})
	s.has("!node_modules", "!package-lock.json")
}

// TestReadOnlyStore: what is in it can be installed; what is not fails with words.
func TestReadOnlyStore(t *testing.T) {
	s := newSite(t, basicProject, basics)
	openTop(t, s.dir)
	s.run(flag("omit", "dev"))
	s.remove("node_modules")
	chmodAll(t, s.store, 0o555, 0o444)
	defer chmodAll(t, s.store, 0o755, 0o644)
	asNobody(t, []string{s.dir, s.home, s.store, s.cache}, func() {
		sum, err := Run(context.Background(), s.options(flag("omit", "dev")))
		if err != nil {
			words, _ := s.fails(flag("omit", "dev"))
			t.Fatalf("what the store has: %s", words)
		}
		s.counts(sum, 3, 0, 0, 0)
		words, err := s.fails()
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(words, "lone@3.0.0") {
			t.Errorf("%v; it says:\n%s", err, words)
		}
		s.has("node_modules/app/index.js", "!node_modules/lone")
	})
}

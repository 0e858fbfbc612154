package store

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"weft/install/internal/smalldisk"
	"weft/npm/tarball"
)

func TestFullDisk(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		archive *tarball.Archive
	}{
		"no space": {"size=256k", archive("package.json", "{}", "a.bin", strings.Repeat("a", 100<<10), "b.bin", string(bytes.Repeat([]byte("b"), 400<<10)), "c.bin", "c")},
		"no inodes": {"size=10m,nr_inodes=20", func() *tarball.Archive {
			a := childArchive(1)
			return a
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			dir := smalldisk.Mount(t, c.options)
			s, err := Open(filepath.Join(dir, "store"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			key := testKey(name)
			_, err = s.Put(key, c.archive)
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(layout, tmpFolder)) {
				t.Fatalf("error %v", err)
			}
			if _, err := s.Get(key); !errors.Is(err, ErrAbsent) {
				t.Errorf("error %v", err)
			}
			if left, _ := s.tmp.List(); len(left) != 0 {
				t.Errorf("left in tmp: %v", left)
			}
			if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, "size=20m,nr_inodes=1000"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Put(key, c.archive); err != nil {
				t.Error(err)
			}
			if err := s.Verify(key); err != nil {
				t.Error(err)
			}
		})
	}
}

// A store on a read-only disk can still be read.
func TestReadOnlyStore(t *testing.T) {
	dir := smalldisk.Mount(t, "size=10m")
	s, err := Open(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Put(testKey("a"), archive("package.json", "{}")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(testKey("b"), archive("package.json", "{}")); !errors.Is(err, syscall.EROFS) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Get(testKey("a")); err != nil {
		t.Error(err)
	}
}

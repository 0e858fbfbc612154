package store

import (
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"weft/npm/tarball"
)

// childVariable makes this test binary a child process that puts packages until it is killed or has put them all.
const childVariable = "WEFT_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// child puts packages 0 to n-1 into a store, starting with the one that its process is told to.
func child(dir string) {
	s, err := Open(dir)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	first, _ := strconv.Atoi(os.Args[1])
	for i := range childPackages {
		n := (first + i) % childPackages
		if _, err := s.Put(testKey(strconv.Itoa(n)), childArchive(n)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

const childPackages = 40

// childArchive gives package n a content that depends on it, and enough files to be killed among.
func childArchive(n int) *tarball.Archive {
	a := &tarball.Archive{}
	a.Files = append(a.Files, tarball.File{Path: "package.json", Mode: 0o644, Data: fmt.Appendf(nil, `{"name":"p%d","version":"1.0.0"}`, n)})
	for i := range 60 {
		a.Files = append(a.Files, tarball.File{Path: fmt.Sprintf("lib/%d/f%d.js", i/10, i), Mode: 0o644, Data: fmt.Appendf(nil, "%d %d\n", n, i)})
	}
	return a
}

func testKey(text string) string {
	sum := sha512.Sum512([]byte(text))
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// archive makes an archive of path and content pairs; a path that ends in * is executable.
func archive(pairs ...string) *tarball.Archive {
	a := &tarball.Archive{}
	for i := 0; i < len(pairs); i += 2 {
		f := tarball.File{Path: pairs[i], Mode: 0o644, Data: []byte(pairs[i+1])}
		if last := len(f.Path) - 1; last >= 0 && f.Path[last] == '*' {
			f.Path, f.Mode = f.Path[:last], 0o755
		}
		a.Files = append(a.Files, f)
	}
	return a
}

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.TempDir() + "/store")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// old is a time before any age that a test uses.
var old = time.Now().Add(-48 * time.Hour)

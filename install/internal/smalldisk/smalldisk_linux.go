// Package smalldisk gives tests a file system that is soon full.
package smalldisk

import (
	"os"
	"syscall"
	"testing"
)

// Mount mounts a tmpfs with options such as "size=256k" for the length of a test
// and returns its folder. It takes root and skips the test without.
func Mount(t testing.TB, options string) string {
	t.Helper()
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("cannot mount: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

package dirfd

import "testing"

// TestWithoutOpenat2 opens folders as kernels before 5.6 and some sandboxes make it necessary.
func TestWithoutOpenat2(t *testing.T) {
	if !noOpenat2.CompareAndSwap(false, true) {
		t.Skip("this kernel has no openat2 anyway")
	}
	defer noOpenat2.Store(false)
	t.Run("Sub", TestSub)
	t.Run("MkdirAll", TestMkdirAll)
	t.Run("RemoveAll", TestRemoveAll)
}

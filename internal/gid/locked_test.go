package gid

import (
	"runtime"
	"testing"
)

func TestLocked(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("not known here")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			if locked, known := Locked(); locked || !known {
				t.Errorf("at first: %v, %v", locked, known)
			}
			for range 3 {
				runtime.LockOSThread()
			}
			for range 3 {
				runtime.Gosched()
				if locked, _ := Locked(); !locked {
					t.Error("a lock is not seen")
				}
				runtime.UnlockOSThread()
			}
		}
	}()
	<-done
}

// TestStackSize sees the stack grow.
func TestStackSize(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("not known here")
	}
	sizes := make(chan int)
	go func() {
		sizes <- StackSize()
		sizes <- grown(100)
	}()
	if a, b := <-sizes, <-sizes; a < 2048 || a&(a-1) != 0 || b < 100<<10 || b&(b-1) != 0 {
		t.Errorf("%d bytes, then %d", a, b)
	}
}

func grown(n int) int {
	var pad [1 << 10]byte
	if n == 0 {
		return StackSize()
	}
	return grown(n-1) + int(pad[n])
}

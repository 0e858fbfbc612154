package gid

import (
	"sync"
	"testing"
)

func TestDistinctWhileAlive(t *testing.T) {
	const n = 200
	for _, get := range []func() uintptr{Get, parsed} {
		var mu sync.Mutex
		seen := map[uintptr]bool{}
		var ready, done sync.WaitGroup
		ready.Add(n)
		hold := make(chan struct{})
		for range n {
			done.Go(func() {
				a := get()
				mu.Lock()
				seen[a] = true
				mu.Unlock()
				ready.Done()
				<-hold
				if b := get(); b != a || b == 0 {
					t.Errorf("one goroutine had %#x and then %#x", a, b)
				}
			})
		}
		ready.Wait()
		if len(seen) != n {
			t.Errorf("%d goroutines had %d numbers", n, len(seen))
		}
		close(hold)
		done.Wait()
	}
}

// TestStackGrowth checks that a moved stack leaves the number alone.
func TestStackGrowth(t *testing.T) {
	a := Get()
	if b := deep(200); b != a {
		t.Fatalf("number changed from %#x to %#x as the stack grew", a, b)
	}
}

func deep(n int) uintptr {
	var pad [1024]byte
	pad[n%len(pad)] = 1
	if n == 0 {
		return Get()
	}
	return deep(n-1) + uintptr(pad[(n+1)%len(pad)])
}

func BenchmarkGet(b *testing.B) {
	for b.Loop() {
		Get()
	}
}

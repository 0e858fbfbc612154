package task

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestDequeModel runs random operations of one thread on small rings beside
// slices that do the same slowly.
func TestDequeModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, size := range []int{2, 4, 8} {
		var a, b deque
		a.init(size)
		b.init(size)
		// Wrap the counters early.
		start := uint32(1<<32 - 5)
		a.head.Store(start)
		a.tail.Store(start)
		var wantA, wantB []*task
		for range 20000 {
			switch r.IntN(5) {
			case 0, 1:
				x := new(task)
				if ok := a.push(x); ok != (len(wantA) < size) {
					t.Fatalf("push said %v with %d of %d", ok, len(wantA), size)
				} else if ok {
					wantA = append(wantA, x)
				}
			case 2:
				var want *task
				if len(wantA) > 0 {
					want, wantA = wantA[0], wantA[1:]
				}
				if got := a.pop(); got != want {
					t.Fatalf("pop gave %p, want %p", got, want)
				}
			case 3:
				if len(wantB) > 0 {
					if got := b.pop(); got != wantB[0] {
						t.Fatalf("pop of the thief gave %p, want %p", got, wantB[0])
					}
					wantB = wantB[1:]
					continue
				}
				n := len(wantA) - len(wantA)/2
				got := a.stealInto(&b)
				if n == 0 {
					if got != nil {
						t.Fatal("stole from an empty ring")
					}
					continue
				}
				if got != wantA[n-1] {
					t.Fatalf("stole %p, want %p", got, wantA[n-1])
				}
				wantB = append(wantB, wantA[:n-1]...)
				wantA = wantA[n:]
			case 4:
				first, last, n := a.spill()
				if full := len(wantA) == size; (n > 0) != full {
					t.Fatalf("spilled %d of %d", n, len(wantA))
				}
				for i := range n {
					if first != wantA[i] || (i == n-1) != (first == last) {
						t.Fatalf("spilled %p at %d, want %p", first, i, wantA[i])
					}
					first = first.next
				}
				wantA = wantA[n:]
			}
			if a.len() != len(wantA) || b.len() != len(wantB) {
				t.Fatalf("lengths %d and %d, want %d and %d", a.len(), b.len(), len(wantA), len(wantB))
			}
		}
	}
}

// TestDequeThieves lets thieves work on a small ring while its owner pushes, pops
// and spills: every task comes out exactly once.
func TestDequeThieves(t *testing.T) {
	const n, thieves = 40000, 3
	var d deque
	d.init(4)
	taken := make([]atomic.Int32, n)
	ids := make(map[*task]int, n)
	all := make([]*task, n)
	for i := range all {
		all[i] = new(task)
		ids[all[i]] = i
	}
	var left atomic.Int64
	left.Store(n)
	take := func(x *task) {
		taken[ids[x]].Add(1)
		left.Add(-1)
	}
	var wg sync.WaitGroup
	for range thieves {
		wg.Go(func() {
			var own deque
			own.init(4)
			for left.Load() > 0 {
				x := d.stealInto(&own)
				for ; x != nil; x = own.pop() {
					take(x)
				}
				runtime.Gosched()
			}
		})
	}
	for i, x := range all {
		for !d.push(x) {
			first, _, k := d.spill()
			for range k {
				next := first.next
				take(first)
				first = next
			}
		}
		if i%3 == 0 {
			if x := d.pop(); x != nil {
				take(x)
			}
		}
	}
	for x := d.pop(); x != nil; x = d.pop() {
		take(x)
	}
	wg.Wait()
	for i := range taken {
		if k := taken[i].Load(); k != 1 {
			t.Fatalf("task %d was taken %d times", i, k)
		}
	}
}

func TestBitmap(t *testing.T) {
	var b bitmap
	b.init(130)
	for _, i := range []int{0, 63, 64, 129} {
		b.set(i)
	}
	if !b.any() || b.len() != 4 || !b.clear(64) || b.clear(64) {
		t.Error("set, clear and len disagree")
	}
	for _, want := range []int{0, 63, 129, -1} {
		if got := b.take(); got != want {
			t.Errorf("took %d, want %d", got, want)
		}
	}
}

// TestFifo checks order and the batch that grab moves.
func TestFifo(t *testing.T) {
	var q fifo
	var d deque
	d.init(8)
	xs := make([]*task, 20)
	for i := range xs {
		xs[i] = new(task)
		q.push(xs[i])
	}
	if got := q.pop(); got != xs[0] {
		t.Fatal("pop out of order")
	}
	if got := q.grab(&d, 2); got != xs[1] || d.len() != 4 || q.len() != 14 {
		t.Fatalf("grab: %d moved, %d left", d.len(), q.len())
	}
	for i := 2; i < 6; i++ {
		if d.pop() != xs[i] {
			t.Fatal("grab moved out of order")
		}
	}
	for i := 6; i < 20; i++ {
		if q.pop() != xs[i] {
			t.Fatal("pop out of order after grab")
		}
	}
	if q.pop() != nil || q.len() != 0 {
		t.Fatal("not empty at the end")
	}
}

// TestDequeKeepsNothing looks that an empty ring holds no pointer to what was in
// it: a stale one would keep a task alive, and all its ancestors.
func TestDequeKeepsNothing(t *testing.T) {
	var a, b deque
	a.init(8)
	b.init(8)
	start := uint32(1<<32 - 5)
	for _, d := range []*deque{&a, &b} {
		d.head.Store(start)
		d.tail.Store(start)
		d.swept = start
	}
	for round := range 20 {
		for range round % 8 {
			a.push(new(task))
		}
		a.stealInto(&b)
		for a.pop() != nil {
		}
		for b.pop() != nil {
		}
		for _, d := range []*deque{&a, &b} {
			for i := range d.ring {
				if d.ring[i].Load() != nil {
					t.Fatalf("round %d: cell %d of an empty ring holds a task", round, i)
				}
			}
		}
	}
}

package inflate

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"
)

// guarded is memory between two pages that nobody may touch, so that a read or write one byte outside ends in a fault,
// and the fault, by debug.SetPanicOnFault, in a panic.
type guarded []byte

func newGuarded(t testing.TB, size int) guarded {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, edge := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : page+size : page+size]
}

// atEnd and atBegin are the n bytes that touch the forbidden page behind and before.
func (g guarded) atEnd(n int) []byte   { return g[len(g)-n:] }
func (g guarded) atBegin(n int) []byte { return g[:n:n] }

// fences are two such memories, for input and output.
type fences struct{ in, out guarded }

func newFences(t testing.TB) fences {
	return fences{newGuarded(t, 1<<20), newGuarded(t, testLimit)}
}

// check decodes src with input and output at either edge, into a buffer that just suffices and into larger ones. Output
// that is not known in advance has room for the most that src could be.
func (f fences) check(t testing.TB, src []byte) {
	t.Helper()
	if len(src) > len(f.in) {
		t.Skip("longer than the guarded memory")
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v\n%x", r, head(src))
		}
	}()
	want, _, wantErr := referenceGunzip(src, testLimit)
	for _, slack := range []int{0, 1, 300, 5000} {
		size := min(len(want)+slack, len(f.out))
		if wantErr != nil {
			size = min(1+slack*50, len(f.out))
		}
		for _, placed := range []struct{ in, out []byte }{{f.in.atEnd(len(src)), f.out.atEnd(size)}, {f.in.atBegin(len(src)), f.out.atBegin(size)}} {
			copy(placed.in, src)
			got, _, err := Gunzip(placed.out[:0], placed.in, size)
			if wantErr == nil && (err != nil || !bytes.Equal(got, want)) {
				t.Fatalf("slack %d: %d bytes, %v; want %d\n%x", slack, len(got), err, len(want), head(src))
			}
			if wantErr != nil && err == nil {
				t.Fatalf("slack %d: no error, the reference says %v\n%x", slack, wantErr, head(src))
			}
		}
	}
}

func TestFenced(t *testing.T) {
	f := newFences(t)
	for _, s := range append(bodies(), framings()...) {
		t.Run(s.name, func(t *testing.T) {
			f.check(t, s.data)
			for cut := 1; cut <= 40 && cut < len(s.data); cut++ {
				f.check(t, s.data[:len(s.data)-cut])
			}
		})
	}
	rng := newRand(t)
	for i, src := range samples(rng, 20) {
		t.Run(fmt.Sprint("sample/", i), func(t *testing.T) {
			f.check(t, src)
			for range 20 {
				f.check(t, src[:rng.IntN(len(src))])
			}
			body := src[headerFixedBytes : len(src)-trailerBytes]
			for range 30 {
				flipped := bytes.Clone(body)
				flipped[rng.IntN(min(len(body), 200))] ^= 1 << rng.IntN(8)
				f.check(t, framed(flipped))
			}
		})
	}
	for range 300 {
		f.check(t, framed(randomDynamic(rng)))
	}
}

func TestFencesHold(t *testing.T) {
	g := newGuarded(t, 1)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, i := range []int{-1, len(g)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("byte %d can be read", i)
				}
			}()
			touch(g, i)
		}()
	}
}

var touched byte

// touch reads a byte outside of b.
func touch(b []byte, i int) {
	touched = *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

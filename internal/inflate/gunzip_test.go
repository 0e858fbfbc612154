package inflate

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

const testLimit = 4 << 20

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests; 0 takes the clock")

func newRand(t testing.TB) *rand.Rand {
	s := *seedFlag
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", s)
	return rand.New(rand.NewPCG(s, 1))
}

// check holds Gunzip against the reference, with buffers of several sizes.
func check(t testing.TB, src []byte, limit int) (out []byte, err error) {
	t.Helper()
	want, wantRest, wantErr := referenceGunzip(src, limit)
	for _, capacity := range []int{0, len(want), len(want) + 1000} {
		dst := append(make([]byte, 0, capacity+3), "dst"...)
		got, rest, err := Gunzip(dst, src, limit)
		if !errors.Is(err, wantErr) || (err == nil) != (wantErr == nil) {
			t.Fatalf("capacity %d: error %v, the reference says %v\n%x", capacity, err, wantErr, head(src))
		}
		if !bytes.HasPrefix(got, []byte("dst")) || !bytes.Equal(got[3:], want) || !bytes.Equal(rest, wantRest) {
			t.Fatalf("capacity %d: %d bytes and %d more, the reference has %d and %d\n%x", capacity, len(got)-3, len(rest), len(want), len(wantRest), head(src))
		}
		if capacity > 0 && wantErr == nil && &got[0] != &dst[0] {
			t.Fatalf("capacity %d sufficed for %d bytes and was left", capacity, len(want))
		}
		if c := cap(got); c > cap(dst) && c > 3+limit {
			t.Fatalf("capacity %d was grown to %d, limit %d", capacity, c, limit)
		}
	}
	return want, wantErr
}

func head(b []byte) []byte { return b[:min(len(b), 2000)] }

func TestStreams(t *testing.T) {
	for _, s := range append(bodies(), framings()...) {
		t.Run(s.name, func(t *testing.T) {
			out, err := check(t, s.data, testLimit)
			if err != nil {
				return
			}
			check(t, s.data, len(out))
			if len(out) > 0 {
				if _, err := check(t, s.data, len(out)-1); !errors.Is(err, ErrTooLarge) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
}

// samples are inputs of all kinds of blocks as compressors write them.
func samples(rng *rand.Rand, n int) (all [][]byte) {
	levels := []int{gzip.HuffmanOnly, gzip.NoCompression, gzip.BestSpeed, gzip.DefaultCompression, gzip.BestCompression}
	for i := range n {
		data := make([]byte, rng.IntN(20_000))
		period, alphabet := 1+rng.IntN(40), 1+rng.IntN(256)
		for k := range data {
			if k >= period && rng.IntN(10) > i%4*3-1 {
				data[k] = data[k-period]
			} else {
				data[k] = byte(rng.IntN(alphabet))
			}
		}
		all = append(all, gz(data, levels[i%len(levels)]))
	}
	return all
}

func TestEveryCut(t *testing.T) {
	for _, src := range append(samples(newRand(t), 5), framed(mustBody(t, "dynamic/long-codes"))) {
		src = src[:min(len(src), 3000)]
		for n := range src {
			if _, _, err := Gunzip(nil, src[:n], testLimit); !errors.Is(err, ErrTruncated) {
				t.Fatalf("%d of %d bytes: %v", n, len(src), err)
			}
		}
	}
}

func mustBody(t *testing.T, name string) []byte {
	for _, s := range bodies() {
		if s.name == name {
			return s.data[headerFixedBytes : len(s.data)-trailerBytes]
		}
	}
	t.Fatal("there is no body", name)
	return nil
}

func TestFlippedBits(t *testing.T) {
	rng := newRand(t)
	for _, src := range samples(rng, 10) {
		for range 50 {
			flipped := bytes.Clone(src)
			flipped[rng.IntN(len(src))] ^= 1 << rng.IntN(8)
			check(t, flipped, testLimit)
		}
		// With a right trailer, so that nothing but the body can be wrong, and most often near its head.
		body := src[headerFixedBytes : len(src)-trailerBytes]
		for i := range min(8*len(body), 200) {
			flipped := bytes.Clone(body)
			flipped[i/8] ^= 1 << (i % 8)
			check(t, framed(flipped), testLimit)
		}
	}
}

func TestRandomCodes(t *testing.T) {
	rng := newRand(t)
	valid := 0
	for range 1500 {
		if _, err := check(t, framed(randomDynamic(rng)), testLimit); err == nil {
			valid++
		}
	}
	if valid < 50 {
		t.Errorf("%d valid ones try little", valid)
	}
}

// Where the standard library's reader and node agree, which is almost everywhere, so must this.
func TestAgainstReaders(t *testing.T) {
	for _, src := range samples(newRand(t), 60) {
		r, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, rest, err := Gunzip(nil, src, testLimit); err != nil || len(rest) > 0 || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes and %d more, %v; want %d", len(got), len(rest), err, len(want))
		}
	}
}

func TestManyMembers(t *testing.T) {
	rng := newRand(t)
	var src, want []byte
	for i := range 300 {
		data := bytes.Repeat([]byte{byte(i)}, rng.IntN(500)*(i%2))
		want = append(want, data...)
		src = append(src, gz(data, 1+i%9)...)
	}
	if got, rest, err := Gunzip(nil, append(src, 0, 0, 7), testLimit); err != nil || len(rest) != 3 || !bytes.Equal(got, want) {
		t.Fatalf("%d bytes and %d more, %v; want %d", len(got), len(rest), err, len(want))
	}
}

// What a trailer claims must cost neither memory nor correctness.
func TestLyingLength(t *testing.T) {
	for _, size := range []uint32{0, 1, 99, 1 << 31, math.MaxUint32} {
		src := gz(make([]byte, 100_000), 9)
		binary.LittleEndian.PutUint32(src[len(src)-4:], size)
		if hint := SizeHint(src, math.MaxInt); hint > 64<<10 {
			t.Errorf("a hint of %d bytes for %d", hint, len(src))
		}
		if _, err := check(t, src, testLimit); !errors.Is(err, ErrChecksum) {
			t.Errorf("error %v", err)
		}
	}
}

func TestSizeHint(t *testing.T) {
	src := gz(bytes.Repeat([]byte("0123456789abcdef"), 4000), 6)
	for limit, want := range map[int]int{math.MaxInt: 64_000, 64_000: 64_000, 100: 100, 0: 0, -1: 0} {
		if got := SizeHint(src, limit); got != want {
			t.Errorf("limit %d: %d", limit, got)
		}
	}
	if got := SizeHint(src[:17], math.MaxInt); got != 0 {
		t.Errorf("too short: %d", got)
	}
}

func TestLimits(t *testing.T) {
	src := gz([]byte("hello"), 6)
	for _, limit := range []int{math.MinInt, -1, 0, 4} {
		if out, rest, err := Gunzip([]byte("dst"), src, limit); !errors.Is(err, ErrTooLarge) || string(out) != "dst" || rest != nil {
			t.Errorf("limit %d: %q %v", limit, out, err)
		}
	}
	for _, limit := range []int{5, math.MaxInt - 3, math.MaxInt} {
		if out, _, err := Gunzip([]byte("dst"), src, limit); err != nil || string(out) != "dsthello" {
			t.Errorf("limit %d: %q %v", limit, out, err)
		}
	}
	if out, _, err := Gunzip(nil, gz(nil, 6), 0); err != nil || len(out) != 0 {
		t.Errorf("nothing: %q %v", out, err)
	}
	// A large buffer does not lift the limit.
	bomb := gz(make([]byte, 1<<20), 9)
	if _, _, err := Gunzip(make([]byte, 0, 2<<20), bomb, 1<<20-1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

// Bytes of the buffer that the caller did not offer stay as they are.
func TestBeyondTheLimitIsUntouched(t *testing.T) {
	src := gz(bytes.Repeat([]byte("abc"), 400), 6)
	for limit := 1150; limit <= 1250; limit++ {
		buffer := bytes.Repeat([]byte{0xee}, 4000)
		Gunzip(buffer[:0], src, limit)
		if !bytes.Equal(buffer[limit:], bytes.Repeat([]byte{0xee}, 4000-limit)) {
			t.Fatalf("limit %d: written past it", limit)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	all := samples(newRand(t), 12)
	var want [][]byte
	for _, src := range all {
		out, _, err := Gunzip(nil, src, testLimit)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, out)
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			var buffer []byte
			for i := range 100 {
				k := (g + i) % len(all)
				src := all[k]
				if i%3 == 2 {
					src = src[:len(src)/2]
				}
				out, _, err := Gunzip(buffer[:0], src, testLimit)
				if (err == nil) != (i%3 != 2) || err == nil && !bytes.Equal(out, want[k]) {
					t.Errorf("sample %d: %v", k, err)
				}
				buffer = out
			}
		})
	}
	group.Wait()
}

func TestNoAllocations(t *testing.T) {
	src := gz(bytes.Repeat([]byte("abc"), 4000), 6)
	buffer := make([]byte, 0, SizeHint(src, testLimit))
	if n := testing.AllocsPerRun(100, func() { Gunzip(buffer, src, testLimit) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

package tarball

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"
	"testing"
)

// referenceGunzip reads members one byte at a time with the standard library's decoder.
func referenceGunzip(src []byte, limit int64) ([]byte, error) {
	var out []byte
	in := bytes.NewBuffer(bytes.Clone(src))
	next := func(n int) []byte {
		if in.Len() < n {
			in.Next(n)
			return nil
		}
		return in.Next(n)
	}
	for {
		at := len(src) - in.Len()
		fixed := next(10)
		if fixed == nil || fixed[0] != 0x1f || fixed[1] != 0x8b || fixed[2] != 8 || fixed[3]&0xe0 != 0 {
			return nil, ErrGzip
		}
		flags := fixed[3]
		if flags&4 != 0 {
			size := next(2)
			if size == nil || next(int(size[0])+256*int(size[1])) == nil && (size[0] != 0 || size[1] != 0) {
				return nil, ErrGzip
			}
		}
		for _, flag := range []byte{8, 16} {
			if flags&flag == 0 {
				continue
			}
			if _, err := in.ReadBytes(0); err != nil {
				return nil, ErrGzip
			}
		}
		if flags&2 != 0 {
			sum := crc32.ChecksumIEEE(src[at : len(src)-in.Len()])
			if got := next(2); got == nil || binary.LittleEndian.Uint16(got) != uint16(sum) {
				return nil, ErrGzip
			}
		}
		member, err := io.ReadAll(io.LimitReader(flate.NewReader(in), limit-int64(len(out))+1))
		if int64(len(out)+len(member)) > limit {
			return nil, ErrTooLarge
		}
		if err != nil {
			return nil, ErrGzip
		}
		out = append(out, member...)
		trailer := next(8)
		if trailer == nil || binary.LittleEndian.Uint32(trailer) != crc32.ChecksumIEEE(member) || binary.LittleEndian.Uint32(trailer[4:]) != uint32(len(member)) {
			return nil, ErrGzip
		}
		if in.Len() == 0 || in.Bytes()[0] == 0 {
			return out, nil
		}
	}
}

func TestLimits(t *testing.T) {
	files := []item{{name: "package/a", body: repeat("a", 5000)}, {name: "package/b"}, {name: "package/c"}}
	plain := writeTar(files...)
	for _, data := range [][]byte{plain, writeGzip(plain), deflated(plain)} {
		for _, l := range []Limits{{UnpackedBytes: int64(len(plain)) - 1}, {Files: 2}} {
			if _, err := Open(data, l); !errors.Is(err, ErrTooLarge) {
				t.Errorf("%+v: error %v", l, err)
			}
		}
		if _, err := Open(data, Limits{UnpackedBytes: int64(len(plain)), Files: 3}); err != nil {
			t.Error(err)
		}
	}
	if _, err := Open(deflated(plain), Limits{Ratio: 2}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("ratio: error %v", err)
	}
}

// A length field that lies is found, wherever it stands.
func TestLyingLength(t *testing.T) {
	for _, size := range []uint32{0, 1, 1 << 31, 1<<32 - 1} {
		data := writeGzip(writeTar(item{name: "package/a", body: repeat("a", 100_000)}))
		binary.LittleEndian.PutUint32(data[len(data)-4:], size)
		if _, err := Open(data, Limits{}); !errors.Is(err, ErrGzip) {
			t.Errorf("error %v", err)
		}
		// Before an honest last member, the lie is never seen as a hint, and still found.
		if _, err := Open(concat(data, writeGzip(nil)), Limits{}); !errors.Is(err, ErrGzip) {
			t.Errorf("error %v", err)
		}
	}
}

func TestOpenFromManyGoroutines(t *testing.T) {
	archives := [][]byte{packed(item{name: "package/a", body: repeat("a", 300_000)}), packed(item{name: "package/a", body: repeat("b", 10)}), {}, packed()}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				a, err := Open(archives[(i+j)%len(archives)], Limits{})
				if err != nil {
					continue
				}
				if f, ok := a.Lookup("a"); ok && len(bytes.Trim(f.Data, "a")) != 0 && len(bytes.Trim(f.Data, "b")) != 0 {
					t.Error("mixed content")
				}
				if f, ok := a.Lookup("package.json"); !ok || string(f.Data) != manifestText {
					t.Error("no manifest")
				}
				a.Release()
				a.Release()
			}
		})
	}
	group.Wait()
	if buffers.bytes > keepBytes || len(buffers.free) > keepCount {
		t.Errorf("the pool holds %d buffers, %d bytes", len(buffers.free), buffers.bytes)
	}
}

func TestPoolPrefersTheSmallestThatFits(t *testing.T) {
	var p bufferPool
	for _, n := range []int{1 << 20, 4 << 20, 2 << 20} {
		p.put(make([]byte, 0, n))
	}
	if b := p.get(1<<20 + 1); cap(b) != 2<<20 {
		t.Errorf("got %d", cap(b))
	}
	p.put(make([]byte, 0, keepBytes+1))
	for range 2 * keepCount {
		p.put(make([]byte, 0, keepBytes/4))
	}
	if p.bytes > keepBytes || len(p.free) > keepCount {
		t.Errorf("%d buffers, %d bytes", len(p.free), p.bytes)
	}
}

func BenchmarkOpen(b *testing.B) {
	var items []item
	for i := range 50 {
		items = append(items, item{name: "package/lib/file-" + string(rune('a'+i%26)) + repeat("x", i) + ".js", body: repeat("export function a"+repeat("b", i)+"() {}\n", 300)})
	}
	data := deflated(writeTar(items...))
	b.SetBytes(int64(len(writeTar(items...))))
	b.ReportAllocs()
	for b.Loop() {
		a, err := Open(data, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		a.Release()
	}
}

package inflate

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
)

// sample is a gzip file and the length of what is in it.
type sample struct {
	packed []byte
	size   int
}

// madeTarballs look to a compressor as packages of npm do: text made of words that come again, in headers and padding of
// a tar.
func madeTarballs() []sample {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		word := make([]byte, 2+rng.IntN(9))
		for j := range word {
			word[j] = "etaoinsrhldcumfpgwybvk_$"[min(rng.IntN(24), rng.IntN(24))]
		}
		words[i] = string(word)
	}
	marks := []string{" ", " ", " ", ", ", "(", ")", ";\n    ", " = ", ".", "\n", " {\n  ", "}\n", "'", "\": \"", "// "}
	var all []sample
	for _, size := range []int{6_000, 30_000, 200_000, 1_500_000} {
		var tar bytes.Buffer
		for tar.Len() < size {
			head := make([]byte, 512)
			copy(head, "package/lib/"+words[rng.IntN(len(words))]+".js")
			copy(head[100:], "000644 \x00000000 \x00000000 \x0000000012345 03560116604 \x00012345 \x000")
			tar.Write(head)
			for end := tar.Len() + 200 + rng.IntN(9000); tar.Len() < end; {
				tar.WriteString(words[min(rng.IntN(len(words)), rng.IntN(len(words)), rng.IntN(len(words)))])
				tar.WriteString(marks[rng.IntN(len(marks))])
			}
			tar.Write(make([]byte, (512-tar.Len()%512)%512))
		}
		all = append(all, sample{packed: gz(tar.Bytes(), 6), size: tar.Len()})
	}
	return all
}

// realTarballs are those below the folder that WEFT_TARBALLS names.
func realTarballs(b *testing.B) []sample {
	dir := os.Getenv("WEFT_TARBALLS")
	if dir == "" {
		return nil
	}
	var all []sample
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".tgz") {
			return err
		}
		packed, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		out, _, err := Gunzip(nil, packed, 1<<30)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, sample{packed: packed, size: len(out)})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// sampleSet is what a benchmark goes through.
type sampleSet struct {
	name           string
	samples        []sample
	total, largest int // bytes of output
}

func sampleSets(b *testing.B) (sets []sampleSet) {
	for _, set := range []sampleSet{{name: "made", samples: madeTarballs()}, {name: "real", samples: realTarballs(b)}} {
		for _, s := range set.samples {
			set.total += s.size
			set.largest = max(set.largest, s.size)
		}
		if set.total > 0 {
			sets = append(sets, set)
		}
	}
	return sets
}

type otherDecoder struct {
	name   string
	gunzip func(dst, packed []byte) error
}

// decoderList has this decoder last.
func decoderList() []otherDecoder {
	return []otherDecoder{{"std", stdGunzip}, {"klauspost", klauspostGunzip}, {"own", func(dst, packed []byte) error {
		_, _, err := Gunzip(dst, packed, cap(dst))
		return err
	}}}
}

var (
	stdGunzip       = readerGunzip(new(gzip.Reader))
	klauspostGunzip = readerGunzip(new(kgzip.Reader))
)

// BenchmarkGunzip inflates sets of tarballs with each decoder. The rates are of output, checksums included, buffers used
// again.
func BenchmarkGunzip(b *testing.B) {
	for _, set := range sampleSets(b) {
		buffer := make([]byte, 0, set.largest)
		for _, d := range decoderList() {
			b.Run(set.name+"/"+d.name, func(b *testing.B) {
				b.SetBytes(int64(set.total))
				b.ReportAllocs()
				for b.Loop() {
					for _, s := range set.samples {
						if err := d.gunzip(buffer, s.packed); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}

func readerGunzip(r interface {
	io.Reader
	Reset(io.Reader) error
}) func(dst, packed []byte) error {
	return func(dst, packed []byte) error {
		if err := r.Reset(bytes.NewReader(packed)); err != nil {
			return err
		}
		for {
			n, err := r.Read(dst[len(dst):cap(dst)])
			dst = dst[:len(dst)+n]
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if len(dst) == cap(dst) {
				var probe [1]byte
				if n, err := r.Read(probe[:]); n != 0 || err != io.EOF {
					return fmt.Errorf("too long: %v", err)
				}
				return nil
			}
		}
	}
}

// BenchmarkPeriods inflates what repeats itself at short distances, where copies overlap.
func BenchmarkPeriods(b *testing.B) {
	for _, period := range []int{1, 3, 8, 12, 17, 26, 40, 100} {
		data := make([]byte, 1<<20)
		for i := range data {
			data[i] = byte(i % period * 7)
		}
		packed, buffer := gz(data, 6), make([]byte, 0, len(data))
		for _, d := range decoderList() {
			b.Run(fmt.Sprint(period, "/", d.name), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if err := d.gunzip(buffer, packed); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

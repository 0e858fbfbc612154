package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	kflate "github.com/klauspost/compress/flate"
)

const fuzzInputMax = 64 << 10

// FuzzGunzip takes whole gzip files.
func FuzzGunzip(f *testing.F) {
	for _, s := range append(bodies(), framings()...) {
		if len(s.data) < 8<<10 {
			f.Add(s.data)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > fuzzInputMax {
			t.Skip()
		}
		check(t, src, 1<<20)
		check(t, src, 1000)
	})
}

// FuzzBody takes bare DEFLATE, puts it into a member whose trailer is right, and asks the readers of others too.
func FuzzBody(f *testing.F) {
	for _, s := range bodies() {
		if len(s.data) < 8<<10 {
			f.Add(s.data[headerFixedBytes : len(s.data)-trailerBytes])
		}
	}
	for _, src := range samples(rand.New(rand.NewPCG(1, 2)), 10) {
		f.Add(src[headerFixedBytes : len(src)-trailerBytes])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > fuzzInputMax {
			t.Skip()
		}
		own, err := check(t, framed(body), testLimit)
		if errors.Is(err, ErrTooLarge) {
			t.Skip()
		}
		for name, r := range map[string]io.Reader{"compress/flate": flate.NewReader(bytes.NewReader(body)), "klauspost": kflate.NewReader(bytes.NewReader(body))} {
			other, otherErr := io.ReadAll(io.LimitReader(r, testLimit+1))
			if len(other) > testLimit {
				continue
			}
			if (otherErr == nil) != (err == nil) || err == nil && !bytes.Equal(own, other) {
				t.Fatalf("%v, %d bytes; %s: %v, %d bytes", err, len(own), name, otherErr, len(other))
			}
		}
	})
}

// FuzzCodes makes blocks whose codes are nearly right from a seed and follows them with data.
func FuzzCodes(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, []byte("data that follow"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		if len(data) > fuzzInputMax {
			t.Skip()
		}
		check(t, framed(append(randomDynamic(rand.New(rand.NewPCG(seed, 3))), data...)), testLimit)
	})
}

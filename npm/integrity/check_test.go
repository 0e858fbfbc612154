package integrity

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCheckGivesSHA512WhateverWasPromised(t *testing.T) {
	data := bytes.Repeat([]byte("weft"), 50_000)
	want512 := Sum(data)
	for _, algorithm := range algorithms {
		h := newHash(algorithm)
		h.Write(data)
		promise := encode(algorithm, h.Sum(nil))
		sri := Parse(promise)
		got, err := Check(data, sri)
		if err != nil || got != want512 {
			t.Errorf("%s: %q, %v", algorithm, got, err)
		}
		got, err = Check(data[1:], sri)
		var mismatch *MismatchError
		if !errors.As(err, &mismatch) || got == want512 {
			t.Fatalf("%s altered: %q, %v", algorithm, got, err)
		}
		if mismatch.Algorithm != algorithm || mismatch.Wanted != promise || mismatch.Size != int64(len(data)-1) {
			t.Errorf("%s: %+v", algorithm, mismatch)
		}
		if !strings.Contains(err.Error(), promise) {
			t.Errorf("message lacks the promise: %v", err)
		}
	}
}

func TestCheckWithoutPromise(t *testing.T) {
	got, err := Check([]byte("x"), SRI{})
	if err != nil || got != Sum([]byte("x")) {
		t.Errorf("%q, %v", got, err)
	}
	if err := Verify([]byte("x"), "md9-zzzz"); !errors.Is(err, ErrNoHash) {
		t.Errorf("verify against nonsense: %v", err)
	}
}

func TestStrongestDecides(t *testing.T) {
	data := []byte("hello")
	good := Sum(data)
	if err := Verify(data, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA= "+good); err != nil {
		t.Errorf("a weaker wrong hash must not count: %v", err)
	}
	h := newHash("sha1")
	h.Write(data)
	if err := Verify(data, encode("sha1", h.Sum(nil))+" sha512-AAAA"); err == nil {
		t.Error("a weaker right hash must not save a wrong strong one")
	}
	if err := Verify(data, "sha512-AAAA "+good+"?opt"); err != nil {
		t.Errorf("one of several may agree: %v", err)
	}
}

func TestCheckerInPieces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		data := make([]byte, r.IntN(3*checkBlock))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		algorithm := algorithms[r.IntN(len(algorithms))]
		h := newHash(algorithm)
		h.Write(data)
		c := NewChecker(Parse(encode(algorithm, h.Sum(nil))))
		for rest := data; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			if w, err := c.Write(rest[:n]); w != n || err != nil {
				t.Fatal(w, err)
			}
			rest = rest[n:]
		}
		got, err := c.Finish()
		if err != nil || got != Sum(data) {
			t.Fatalf("%s of %d bytes: %q, %v", algorithm, len(data), got, err)
		}
	}
}

func TestFromDist(t *testing.T) {
	const shasum = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
	const sha1 = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="
	for _, c := range []struct{ integrity, shasum, verify, record string }{
		{"sha512-abc", shasum, "sha512-abc", "sha512-abc"},
		{"", shasum, sha1, sha1},
		{"md9-zzz", shasum, sha1, ""},
		{"md9-zzz", "", "", ""},
		{"", "", "", ""},
		{" sha1-x\tsha512-y ", "", "sha1-x sha512-y", "sha1-x sha512-y"},
	} {
		verify, record := FromDist(c.integrity, c.shasum)
		if verify.String() != c.verify || record != c.record {
			t.Errorf("%+v: %q, %q", c, verify, record)
		}
	}
	verify, _ := FromDist("", "not hex")
	if _, err := Check(nil, verify); err == nil {
		t.Error("a damaged shasum was taken for none")
	}
	for _, bad := range []string{"", "abc", "zz"} {
		if _, err := FromHex(bad, "sha1"); err == nil {
			t.Errorf("hex %q accepted", bad)
		}
	}
	if _, err := FromHex("00", "md9"); err == nil {
		t.Error("unknown algorithm accepted")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "sha512-abc", "sha1-foo sha512-bar sha1-baz?opt?x", "-", "sha512-", "\u00a0sha1-x\ufeff", "sha512-?a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Parse(text)
		again := Parse(s.String())
		if again.String() != s.String() || len(again.Hashes()) != len(s.Hashes()) {
			t.Fatalf("%q: %q, then %q", text, s, again)
		}
		if !s.Empty() && (!s.Match(s) || !s.Match(again)) {
			t.Fatalf("%q does not match itself", text)
		}
		if merged, err := s.Merge(s); err != nil || merged.String() != s.String() {
			t.Fatalf("%q merged with itself: %q, %v", text, merged, err)
		}
		strictly := ParseStrict(text)
		for _, h := range strictly.Hashes() {
			if !strict(h.Algorithm) {
				t.Fatalf("strict kept %v", h)
			}
		}
		Verify([]byte(text), text)
	})
}

func BenchmarkCheck(b *testing.B) {
	data := make([]byte, 75<<10)
	for _, algorithm := range []string{"sha1", SHA512} {
		h := newHash(algorithm)
		h.Write(data)
		want := Parse(encode(algorithm, h.Sum(nil)))
		b.Run(fmt.Sprintf("%s/75KB", algorithm), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(data, want); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

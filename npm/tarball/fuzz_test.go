package tarball

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// checkTar holds our reading of a tar against the reference and against what the package comment promises.
func checkTar(t *testing.T, data []byte) {
	t.Helper()
	r := newReader(data, 1, defaultFiles)
	err := r.run()
	tree, refErr := referenceTar(data)
	if !errors.Is(err, refErr) || (err == nil) != (refErr == nil) {
		t.Fatalf("error %v, the reference says %v", err, refErr)
	}
	if err != nil {
		return
	}
	seen := make(map[string]bool)
	var got []fixtureFile
	for _, f := range r.tree.files {
		if f.Path == "" || path.Clean("/" + f.Path)[1:] != f.Path || !utf8.ValidString(f.Path) || strings.Contains(f.Path, "\x00") {
			t.Fatalf("unsafe path %q", f.Path)
		}
		if seen[f.Path] {
			t.Fatalf("path %q twice", f.Path)
		}
		seen[f.Path] = true
		if f.Mode&^0o777 != 0 || f.Mode&0o644 != 0o644 || f.Mode&0o022 != 0 {
			t.Fatalf("mode %o", f.Mode)
		}
		got = append(got, fixtureFile{Path: f.Path, Mode: octal(f), Size: len(f.Data), SHA1: sha1Hex(f.Data)})
	}
	for name := range seen {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				t.Fatalf("%q is a file and has %q below it", dir, name)
			}
		}
	}
	sort.Slice(got, func(i, j int) bool { return got[i].Path < got[j].Path })
	if want := refFiles(tree, ""); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %v\nwant %v\nin %q", got, want, data)
	}
}

// sealed recomputes the checksum of every block that reads like a header, so that mutations get past it.
func sealed(data []byte) []byte {
	out := bytes.Clone(data)
	for pos := 0; pos+512 <= len(out); pos += 512 {
		b := out[pos : pos+512]
		if b[155] != ' ' && b[154] != 0 {
			continue
		}
		sum := 8 * 32
		for i, c := range b {
			if i < 148 || i >= 156 {
				sum += int(c)
			}
		}
		if sum != 8*32 {
			copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
		}
	}
	return out
}

func FuzzReader(f *testing.F) {
	for name, data := range fixtureArchives() {
		if len(data) < 1<<16 {
			f.Add(data, false)
		}
		_ = name
	}
	for _, s := range shapes() {
		if len(s.data) > 1<<15 {
			continue
		}
		if data, err := gunzip(s.data, Limits{}.withDefaults()); err == nil {
			f.Add(bytes.Clone(data), true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		checkTar(t, data)
	})
}

func FuzzGunzip(f *testing.F) {
	for _, s := range shapes() {
		if len(s.data) < 1<<15 {
			f.Add(s.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := Limits{UnpackedBytes: 1 << 20}.withDefaults()
		got, err := gunzip(data, limits)
		want, wantErr := referenceGunzip(data, min(limits.UnpackedBytes, limits.Ratio*int64(len(data))))
		// Codes that cannot end a block are refused before they are used; the reference goes on until it is too much.
		early := errors.Is(err, ErrGzip) && errors.Is(wantErr, ErrTooLarge)
		if (!errors.Is(err, wantErr) || (err == nil) != (wantErr == nil)) && !early {
			t.Fatalf("error %v, the reference says %v", err, wantErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatal("other bytes than the reference")
		}
		buffers.put(got)
	})
}

// randomTar makes an archive from pieces that clash with each other, then damages some of it.
func randomTar(rng *rand.Rand) []byte {
	names := []string{"package/a", "package/a/b", "package/A", "package/./a", "package//a", "package/a/", "package", "/package/x", "package/../x",
		"package/.gitignore", "package/.npmignore", "package/d/.gitignore", "package/d/.npmignore", `package/..\x`, "package/C:/x", "package/c:",
		`package/\\h\s\x`, "package//?/x", "", "x", "package/é", "package/\xff\xe2\x82", "package/" + repeat("n", 90), "package/a/b/c/d", "package/x\ny"}
	types := "000000000000001257DxgLKNX3S?"
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	paxKeys := []string{"path", "linkpath", "size", "mtime", "uid", "SCHILY.dev", "comment", "atime"}
	paxValues := append([]string{"3", "0", "-1", "1.5", "0x4", "512", "600", "x", "../x", "../../x", "a\x00b"}, names...)
	var items []item
	for range 1 + rng.IntN(8) {
		it := item{name: pick(names), typ: types[rng.IntN(len(types))], body: repeat(string(rune('a'+rng.IntN(26))), rng.IntN(3)*rng.IntN(400)), mode: rng.IntN(0o7777)}
		it.gnu, it.v7, it.badSum = rng.IntN(6) == 0, rng.IntN(6) == 0, rng.IntN(20) == 0
		for range rng.IntN(3) * rng.IntN(2) {
			it.pax = append(it.pax, [2]string{pick(paxKeys), pick(paxValues)})
		}
		switch rng.IntN(12) {
		case 0:
			it.longName = pick(names)
		case 1:
			it.longLink = pick(names)
		case 2:
			it.link = pick(names)
		case 3:
			it.prefix = "package/" + pick(names)
		case 4:
			it.rawSize = pick([]string{"3", "-3", "0000000001", "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00", "\xff\xff", "x", "\xa0"})
		case 5:
			it.body, it.typ = paxBody([][2]string{{pick(paxKeys), pick(paxValues)}}), "xgX"[rng.IntN(3)]
		case 6:
			it.body, it.typ = pick(names), "LKN"[rng.IntN(3)]
		case 7:
			it = item{raw: string(make([]byte, 512))}
		}
		items = append(items, it)
	}
	data := writeOpen(items...)
	if rng.IntN(3) > 0 {
		data = append(data, make([]byte, 1024)...)
	}
	for range rng.IntN(4) * rng.IntN(2) {
		if len(data) > 0 {
			data[rng.IntN(len(data))] = "\x00/.\\ 7z\xff\x80"[rng.IntN(9)]
		}
	}
	if rng.IntN(2) == 0 {
		data = sealed(data)
	}
	if rng.IntN(8) == 0 {
		data = data[:rng.IntN(len(data)+1)]
	}
	return data
}

var seedFlag = flag.Uint64("seed", 0, "seed of the random tests; 0 takes the clock")

func seed(t *testing.T) uint64 {
	s := *seedFlag
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", s)
	return s
}

func TestRandomAgainstReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed(t), 1))
	for range 4_000 {
		checkTar(t, randomTar(rng))
	}
}

// TestRandomAgainstNPM runs with -npm only: the same random archives through npm's own extraction.
func TestRandomAgainstNPM(t *testing.T) {
	if *npmDir == "" {
		t.Skip("needs -npm")
	}
	rng := rand.New(rand.NewPCG(seed(t), 2))
	var all []shape
	for i := range 400 {
		all = append(all, shape{name: fmt.Sprint(i), data: writeGzip(randomTar(rng))})
	}
	for i, npm := range npmResults(t, all) {
		if strings.Contains(npm.Error, "Cache input stream") || npm.Error == "no end" { // npm hangs now and then
			continue
		}
		got, _ := open(npm.Name, all[i].data)
		if !got.sameAs(npm) {
			t.Errorf("%d: got  %v\nnpm  %v\n%q", i, got, npm, all[i].data)
		}
	}
}

package store

import (
	"bytes"
	"io/fs"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestIndexRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a-zΩ]{1,8}(/[a-z.]{1,8}){0,3}`)
		w := indexWriter{folders: rapid.SliceOfN(path, 0, 5).Draw(t, "folders")}
		for range rapid.IntRange(0, 8).Draw(t, "files") {
			w.files = append(w.files, File{
				Path: path.Draw(t, "path"),
				Mode: fs.FileMode(rapid.IntRange(0, 0o777).Draw(t, "mode")),
				Size: rapid.Int64Range(0, 1<<50).Draw(t, "size"),
				Hash: rapid.Uint64().Draw(t, "hash"),
			})
		}
		manifest := []byte(rapid.String().Draw(t, "manifest"))
		data := w.encode("key", manifest)
		var p Package
		if err := p.decode(data); err != nil {
			t.Fatal(err)
		}
		if p.Key != "key" || !bytes.Equal(p.manifest, manifest) || len(p.Files) != len(w.files) || len(p.Folders) != len(w.folders) {
			t.Fatalf("got %+v", p)
		}
		if len(w.files) > 0 && !reflect.DeepEqual(p.Files, w.files) || len(w.folders) > 0 && !reflect.DeepEqual(p.Folders, w.folders) {
			t.Fatalf("got %v %v, want %v %v", p.Files, p.Folders, w.files, w.folders)
		}
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		bit := byte(1) << rapid.IntRange(0, 7).Draw(t, "bit")
		data[at] ^= bit
		if err := p.decode(data); err == nil {
			t.Fatalf("a flipped bit in byte %d was not noticed", at)
		}
		if err := p.decode(data[:at]); err == nil {
			t.Fatalf("a cut at byte %d was not noticed", at)
		}
	})
}

// FuzzIndex seals each input, so that it gets past the checksum, and wants an error or a sound package, never a panic.
func FuzzIndex(f *testing.F) {
	w := indexWriter{files: []File{{Path: "a/b", Mode: 0o644, Size: 3}, {Path: "c"}}, folders: []string{"a"}}
	f.Add(w.encode("key", []byte("{}")))
	f.Add((&indexWriter{}).encode("", nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= headerBytes {
			data = bytes.Clone(data)
			copy(data, indexMagic)
			for i := range 8 {
				data[8+i] = byte(checksum(data[16:]) >> (8 * i))
			}
		}
		var p Package
		if err := p.decode(data); err != nil {
			return
		}
		total := len(p.Key) + len(p.manifest) + headerBytes + fileBytes*len(p.Files) + folderBytes*len(p.Folders)
		if total > len(data) {
			t.Fatalf("%d bytes of content in an index of %d", total, len(data))
		}
	})
}

// Both halves of the checksum notice every change within 32 bits, and so does the whole.
func TestChecksumSeesSmallChanges(t *testing.T) {
	data := bytes.Repeat([]byte("some text"), 20)
	want := checksum(data)
	for at := range data {
		for _, change := range []byte{1, 0x80, 0xff} {
			data[at] ^= change
			got := checksum(data)
			if uint32(got) == uint32(want) || got>>32 == want>>32 {
				t.Fatalf("a change of byte %d was not noticed", at)
			}
			data[at] ^= change
		}
	}
}

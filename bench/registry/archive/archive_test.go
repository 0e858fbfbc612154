package archive

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
)

const origin = "https://reg.example/npm/"

const full = `{ "name": "@s/a", "versions": { "1.0.0": { "license": "MIT",
	"dist": { "tarball": "https://reg.example/npm/@s/a/-/a-1.0.0.tgz" } } } }`

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	a, err := Create(dir, Info{Origin: origin, Fixture: "X"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Doc("@s/a"); !errors.Is(err, ErrAbsent) {
		t.Errorf("absent packument: %v", err)
	}
	put, err := a.PutDoc("@s/a", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PutTarball("@s/a/-/a-1.0.0.tgz", []byte("tgz")); err != nil {
		t.Fatal(err)
	}
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Info.Origin != origin || b.Info.Fixture != "X" {
		t.Errorf("info %+v", b.Info)
	}
	got, err := b.Doc("@s/a")
	if err != nil || string(got.Full) != string(put.Full) || string(got.Short) != string(put.Short) {
		t.Errorf("packument %+v, %v", got, err)
	}
	if string(got.Full) == full || len(got.Short) >= len(got.Full) {
		t.Errorf("full %s\nshort %s", got.Full, got.Short)
	}
	data, err := b.Tarball("@s/a/-/a-1.0.0.tgz")
	if err != nil || string(data) != "tgz" {
		t.Errorf("tarball %q, %v", data, err)
	}
	names, err := b.Names()
	if err != nil || !slices.Equal(names, []string{"@s/a"}) {
		t.Errorf("names %v, %v", names, err)
	}
	paths, err := b.Tarballs()
	if err != nil || !slices.Equal(paths, []string{"@s/a/-/a-1.0.0.tgz"}) {
		t.Errorf("tarballs %v, %v", paths, err)
	}
}

func TestHostilePathsStayInside(t *testing.T) {
	a, err := Create(t.TempDir(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", "/x", "a/../../x", ""} {
		if err := a.PutTarball(path, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("PutTarball(%q): %v", path, err)
		}
		if _, err := a.Tarball(path); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Tarball(%q): %v", path, err)
		}
	}
	for _, name := range []string{"..", "../../x", "@s/../x", "a\x00b", ""} {
		if _, err := a.PutDoc(name, []byte("{}")); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("PutDoc(%q): %v", name, err)
		}
	}
}

func TestPutDocRefusesWhatIsNoPackument(t *testing.T) {
	a, err := Create(t.TempDir(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"<html>", "[]", ""} {
		if _, err := a.PutDoc("a", []byte(text)); err == nil {
			t.Errorf("PutDoc took %q", text)
		}
	}
}

func TestRewrite(t *testing.T) {
	doc := `{"tarball":"https://reg.example/npm/a.tgz","x":{"tarball":"http://reg.example/npm/b.tgz"},"homepage":"https://reg.example/npm/"}`
	want := `{"tarball":"http://127.0.0.1:1/a.tgz","x":{"tarball":"http://127.0.0.1:1/b.tgz"},"homepage":"https://reg.example/npm/"}`
	if got := string(Rewrite([]byte(doc), origin, "http://127.0.0.1:1/")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

package tarball

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

var fixturesDir = flag.String("fixtures", "", "folder of node-tar's own test/fixtures archives, to read them beside ours")

type fixtureFile struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Size int    `json:"size"`
	SHA1 string `json:"sha1"`
}

type fixtureResult struct {
	OK    bool          `json:"ok"`
	Error string        `json:"error"`
	Files []fixtureFile `json:"files"`
}

type fixtureRow struct {
	File   string        `json:"file"`
	Strip0 fixtureResult `json:"strip0"`
	Strip1 fixtureResult `json:"strip1"`
}

func fixtureRows(t *testing.T) []fixtureRow {
	t.Helper()
	data, err := os.ReadFile("testdata/node-tar.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Rows []fixtureRow }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Rows
}

// fixtureArchives has the shapes of node-tar's test archives, with contents of our own.
func fixtureArchives() map[string][]byte {
	c := func(stem string, n int) string { return stem + repeat("c", n-len(stem)) }
	deep := "long-path/r/e/a/l/l/y/-/d/e/e/p/-/f/o/l/d/e/r/-/p/a/t/h/"
	hundred := repeat("x", 100)
	path := func(p string) [][2]string { return [][2]string{{"path", p}, {"ctime", "1491843252"}} }
	short := func(p string) string { return p[:min(len(p), 99)] }
	one := item{name: "one-byte.txt", body: "a"}

	long := []item{{name: c("100-byte-filename-", 100), body: hundred}}
	for _, p := range []string{c("120-byte-filename-", 120), c("170-byte-filename-", 170)} {
		long = append(long, item{name: short(p), pax: path(p), body: hundred})
	}
	for i := range deep {
		if deep[i] == '/' {
			long = append(long, item{name: deep[:i+1], typ: '5', mode: 0o755})
		}
	}
	long = append(long, item{name: deep + "a.txt", body: "short\n"})
	for _, base := range []string{repeat("c", 100), repeat("c", 120), repeat("x", 170)} {
		long = append(long, item{name: short(deep), pax: path(deep + base), body: hundred})
	}
	long = append(long, item{name: short(deep), pax: path(deep + "Ω.txt"), body: "Ω"})

	dir99 := c("99-byte-dirname-", 99) + "/"
	unlucky := dir99 + "a-truly-unlucky-file-beyond-130-byte-path-length.txt"
	some := dir99 + "some-unlucky-file.txt"
	giant := "this_is_a_really_long_directory_name_with_a_lot_of_characters/"
	tgz := giant + "this_is_a_really_long_tgz_file_with_a_lot_of_characters.tgz"
	link26 := item{name: "hardlink-1", body: repeat("h", 26)}

	return map[string][]byte{
		"bad-cksum.tar": writeTar(one, item{name: "nne-byte.txt", body: "a", badSum: true}),
		"body-byte-counts.tar": writeTar(item{name: "1024-bytes.txt", body: repeat("x", 1024)},
			item{name: "512-bytes.txt", body: repeat("x", 512)}, one, item{name: "zero-byte.txt"}),
		"dir.tar": writeTar(item{name: "dir/", typ: '5', mode: 0o755}),
		"emptypax.tar": writeTar(item{name: "🌟.txt", pax: path("🌟.txt"), body: repeat("s", 106)},
			item{name: "PaxHeader/🌟.txt", typ: 'x'}, one),
		"excessively-deep.tar": writeTar(item{name: "./a/a", body: "abc", pax: path("./" + repeat("a/", 222_370) + "f")}),
		"file.tar":             writeTar(one),
		"global-header.tar":    writeTar(item{name: "PaxHeader/ab", typ: 'g', body: "11 path=ab\n"}, one),
		"links-invalid.tar": writeTar(item{name: "hardlink-1", link: "hardlink-2", body: repeat("h", 26)},
			item{name: "hardlink-2", typ: '1'}, item{name: "symlink", typ: '2', link: "hardlink-2", mode: 0o755}),
		"links-strip.tar": writeTar(item{name: "strip-dir/", typ: '5', mode: 0o755},
			item{name: "strip-dir/hardlink-1", body: repeat("h", 26)},
			item{name: "strip-dir/hardlink-2", typ: '1', link: "strip-dir/hardlink-1"},
			item{name: "strip-dir/1/2/3/hardlink-3", typ: '1', link: "strip-dir/hardlink-1"},
			item{name: "strip-dir/symlink", typ: '2', link: "hardlink-2"}),
		"links.tar": writeTar(link26, item{name: "hardlink-2", typ: '1', link: "hardlink-1"},
			item{name: "symlink", typ: '2', link: "hardlink-2", mode: 0o755}),
		"long-linkname.tar": writeTar(item{name: "PaxHeader", typ: '2', link: "PaxHeader",
			pax: [][2]string{{"path", "test"}, {"linkpath", repeat("a", 130) + "verylongname"}}}),
		"long-paths.tar": writeTar(long...),
		"long-pax.tar": writeTar(item{name: short(c("120-byte-filename-", 120)), body: hundred,
			pax: append(path(c("120-byte-filename-", 120)), [2]string{"comment", repeat("all work ", 110)})}),
		"next-file-has-long.tar": writeTar(
			item{name: "NextFileHasLongPath", typ: 'L', rawMode: "\x00\x00\x00\x00\x00\x00\x00\x00", body: c("170-byte-filename-", 170)},
			item{name: short(c("170-byte-filename-", 170)), body: hundred},
			item{name: "longlink", typ: '2', link: "././@LongSymLink", mode: 0o755, longLink: c("170-byte-filename-", 170)}),
		"null-byte.tar": concat(writeTar(item{name: giant, typ: '5', gnu: true, mode: 0o775},
			item{name: tgz[:100], gnu: true, mode: 0o664, longName: tgz, body: repeat("t", 200)}), make([]byte, 4096)),
		"path-missing.tar": writeTar(item{name: "", body: "a"}),
		"trailing-slash-corner-case.tar": writeTar(item{name: dir99, typ: '5', gnu: true, mode: 0o755},
			item{name: unlucky[:100], gnu: true, longName: unlucky, body: repeat("u", 560)},
			item{name: some[:100], gnu: true, longName: some, body: repeat("u", 560)}),
		"utf8.tar": writeTar(item{name: "Ω.txt", pax: path("Ω.txt"), body: "Ω"},
			item{name: "🌟.txt", pax: path("🌟.txt"), body: repeat("s", 106)},
			item{name: deep + "Ω.txt", pax: path(deep + "Ω.txt"), body: "Ω"}),
	}
}

func TestFixtures(t *testing.T) {
	archives := fixtureArchives()
	for _, row := range fixtureRows(t) {
		t.Run(row.File, func(t *testing.T) {
			checkFixture(t, archives[row.File], row.Strip0, 0, false)
			checkFixture(t, archives[row.File], row.Strip1, 1, false)
			if *fixturesDir == "" {
				return
			}
			original, err := os.ReadFile(filepath.Join(*fixturesDir, row.File))
			if err != nil {
				t.Fatal(err)
			}
			checkFixture(t, original, row.Strip0, 0, true)
			checkFixture(t, original, row.Strip1, 1, true)
		})
	}
}

func checkFixture(t *testing.T, data []byte, want fixtureResult, strip int, original bool) {
	t.Helper()
	r := newReader(data, strip, 1000)
	err := r.run()
	if want.OK != (err == nil) || !want.OK && !errors.Is(err, ErrFormat) {
		t.Fatalf("strip %d: error %v, want ok=%v %s", strip, err, want.OK, want.Error)
	}
	if err != nil {
		return
	}
	files := r.tree.files
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	if len(files) != len(want.Files) {
		t.Fatalf("strip %d: %d files %v, want %d", strip, len(files), files, len(want.Files))
	}
	for i, f := range files {
		w := want.Files[i]
		wantPath, cut, elided := strings.Cut(w.Path, "…")
		if elided {
			if !strings.HasPrefix(f.Path, wantPath) || !strings.HasPrefix(cut, "(") {
				t.Errorf("strip %d: path %q, want %q", strip, f.Path, w.Path)
			}
		} else if f.Path != w.Path {
			t.Errorf("strip %d: path %q, want %q", strip, f.Path, w.Path)
		}
		if mode := octal(f); mode != w.Mode || len(f.Data) != w.Size {
			t.Errorf("strip %d: %s has mode %s, size %d; want %s, %d", strip, f.Path, mode, len(f.Data), w.Mode, w.Size)
		}
		if original && sha1Hex(f.Data) != w.SHA1 {
			t.Errorf("strip %d: %s has other content", strip, f.Path)
		}
	}
}

func octal(f File) string {
	const digits = "01234567"
	m := f.Mode.Perm()
	return string([]byte{digits[m>>6&7], digits[m>>3&7], digits[m&7]})
}

func sha1Hex(b []byte) string {
	sum := sha1.Sum(b)
	return hex.EncodeToString(sum[:])
}

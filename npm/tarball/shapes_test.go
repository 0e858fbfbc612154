package tarball

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"
)

var (
	npmDir = flag.String("npm", "", "npm's own folder (.../node_modules/npm), to compare with what it extracts")
	update = flag.Bool("update", false, "with -npm: rewrite testdata/npm.json from what npm extracts")
)

// result is what became of one tarball: here, or (testdata/npm.json) in npm.
type result struct {
	Name  string        `json:"name"`
	OK    bool          `json:"ok"`
	Error string        `json:"error,omitempty"`
	Files []fixtureFile `json:"files"`
}

type shape struct {
	name string
	data []byte
	want error // where npm refuses it: ours
}

const manifestText = `{"name":"p","version":"1.0.0"}` + "\n"

// packed puts entries behind a package.json and compresses them.
func packed(items ...item) []byte {
	return writeGzip(writeTar(append([]item{{name: "package/package.json", body: manifestText}}, items...)...))
}

func shapes() []shape {
	index := item{name: "package/index.js", body: "module.exports = 1\n"}
	deep := "deep/" + repeat("d", 90) + "/" + repeat("f", 120) + ".txt"
	tarOf := func(items ...item) []byte {
		return writeTar(append([]item{{name: "package/package.json", body: manifestText}}, items...)...)
	}
	corrupt := func(b []byte, at int) []byte {
		out := bytes.Clone(b)
		out[len(out)+at] ^= 0xff
		return out
	}
	whole := packed(index)
	s := []shape{
		{name: "top-other", data: writeGzip(writeTar(item{name: "react-thing/package.json", body: manifestText}, item{name: "react-thing/index.js", body: "1"}))},
		{name: "two-tops", data: packed(item{name: "other/extra.js", body: "x\n"}, index)},
		{name: "root-file", data: packed(item{name: "README", body: "at root\n"}, index)},
		{name: "dot-slash", data: writeGzip(writeTar(item{name: "./package/package.json", body: manifestText}, item{name: "./package/index.js", body: "1"}))},
		{name: "dot-inner", data: packed(item{name: "package/./index.js", body: "first"}, item{name: "package/index.js", body: "second"}, item{name: "package//lib//a.js", body: "a\n"})},
		{name: "duplicate-modes", data: packed(item{name: "package/a", body: "1", mode: 0o755}, item{name: "package/a", body: "2", mode: 0o644}, item{name: "package/b", body: "1", mode: 0o755}, item{name: "package/b", body: "22", typ: '7', mode: 0o600})},
		{name: "symlink-escape", data: packed(index, item{name: "package/out", typ: '2', link: "../../.."}, item{name: "package/out/pwned.txt", body: "escaped\n"}, item{name: "package/abs", typ: '2', link: "/tmp"}, item{name: "package/inside", typ: '2', link: "index.js"})},
		{name: "hardlink-escape", data: packed(index, item{name: "package/hl.txt", typ: '1', link: "package/index.js"}, item{name: "package/out.txt", typ: '1', link: "../../../victim.txt"}, item{name: "package/out.txt", body: "over\n"})},
		{name: "dotdot", data: packed(index, item{name: "package/../../../up.txt", body: "x"}, item{name: "../up2.txt", body: "x"}, item{name: "package/a/../../../../mid.txt", body: "x"}, item{name: "package/..", typ: '5', mode: 0o755}, item{name: `package/..\..\bs.txt`, body: "x"}, item{name: "../../up3/x.txt", body: "x"}, item{name: "package/a/..b/c", body: "kept"})},
		{name: "absolute", data: packed(index, item{name: "/tmp/abs.txt", body: "x\n"}, item{name: "//tmp/abs2.txt", body: "x\n"}, item{name: "package//etc/abs3", body: "x"}, item{name: `package/\\host\share\abs4`, body: "x"}, item{name: "package/C:/abs5", body: "x"}, item{name: "package/c:abs6", body: "x"}, item{name: `package/\abs7`, body: "x"}, item{name: "package//?/C:/abs8", body: "x"}, item{name: "package///?/D:/../abs9", body: "x"}, item{name: "package/c:", body: "x"}, item{name: `package/\\host`, body: "x"})},
		{name: "backslash", data: packed(item{name: `package/a\b.txt`, body: "x"})},
		{name: "pax-long", data: packed(item{name: "package/short", pax: [][2]string{{"path", "package/" + deep}}, body: "pax\n"})},
		{name: "gnu-long", data: packed(item{name: "package/short", longName: "package/" + deep, gnu: true, body: "gnu\n"})},
		{name: "ustar-prefix", data: packed(item{prefix: "package/" + repeat("p", 100), name: repeat("q", 90) + ".txt", body: "prefix\n"})},
		{name: "ustar-prefix-155", data: packed(item{prefix: "package/" + repeat("p", 147), name: "x.txt", body: "prefix\n"})},
		{name: "pax-over-prefix", data: packed(item{prefix: "package/pre", name: "x.txt", body: "p", pax: [][2]string{{"path", "package/won"}}})},
		{name: "pax-huge", data: packed(index, item{name: "package/short", pax: [][2]string{{"path", "package/" + repeat("h", 300) + "/" + repeat("z/", 2500) + "x"}}, body: "huge\n"}, item{name: "package/after", body: "x"})},
		{name: "component-255-256", data: packed(item{name: "s", pax: [][2]string{{"path", "package/" + repeat("a", 255)}}, body: "1"}, item{name: "s", pax: [][2]string{{"path", "package/" + repeat("b", 256)}}, body: "1"}, item{name: "s", pax: [][2]string{{"path", "package/d/" + repeat("c", 256) + "/x"}}, body: "1"}, item{name: "package/d", body: "file in place of the empty folder"})},
		{name: "depth-1024-1025", data: packed(item{name: "s", pax: [][2]string{{"path", "package/" + repeat("a/", 1023) + "x"}}, body: "1"}, item{name: "s", pax: [][2]string{{"path", "package/" + repeat("b/", 1024) + "x"}}, body: "1"})},
		{name: "pax-global-path", data: packed(item{name: "pax_global_header", typ: 'g', body: paxBody([][2]string{{"path", "package/renamed"}, {"comment", "abc"}})}, index)},
		{name: "pax-global-linkpath", data: packed(item{name: "g", typ: 'g', body: paxBody([][2]string{{"linkpath", "../../x"}})}, index, item{name: "package/a/b/c/d", body: "deep enough"})},
		{name: "pax-global-size", data: packed(item{name: "g", typ: 'g', body: paxBody([][2]string{{"size", "2"}})}, item{name: "package/a", rawSize: "00000000000", body: "ab"}, item{name: "package/b", pax: [][2]string{{"size", "3"}}, body: "abc"})},
		{name: "pax-linkpath-on-file", data: packed(item{name: "package/a", body: "1", pax: [][2]string{{"linkpath", "../x"}}}, item{name: "package/b/c", body: "1", pax: [][2]string{{"linkpath", "../x"}}}, item{name: "package/d", body: "1", pax: [][2]string{{"linkpath", "/../x"}}})},
		{name: "pax-size", data: packed(item{name: "package/index.js", pax: [][2]string{{"size", "19"}}, rawSize: "00000000000", body: "module.exports = 1\n"})},
		{name: "pax-size-odd", data: packed(item{name: "package/a", pax: [][2]string{{"size", "0x3"}}, body: "abc"}, item{name: "package/b", pax: [][2]string{{"size", "1.9"}}, body: "abc"}, item{name: "package/c", pax: [][2]string{{"size", "-4"}}, body: "abc"}, item{name: "package/d", pax: [][2]string{{"size", " 2 "}}, body: "abc"}, item{name: "package/e", pax: [][2]string{{"size", "2_0"}}, body: "abc"}, item{name: "package/f", pax: [][2]string{{"size", "2e0"}}, body: "abc"}, item{name: "package/g", pax: [][2]string{{"size", ""}}, body: ""})},
		{name: "pax-size-before-long-name", data: packed(item{name: "x", typ: 'x', body: paxBody([][2]string{{"size", "3"}})}, item{name: "package/a", longName: "package/long", body: "abc"}, index)},
		{name: "pax-size-zero-before-long-name", data: packed(item{name: "x", typ: 'x', body: paxBody([][2]string{{"size", "0"}})}, item{name: "package/a", longName: "package/long", body: ""}, index)},
		{name: "pax-size-infinite", data: packed(item{name: "package/a", pax: [][2]string{{"size", "Infinity"}}, body: "abc"}, index), want: ErrTruncated},
		{name: "pax-size-too-long", data: packed(item{name: "package/a", pax: [][2]string{{"size", "9000000000000000"}}, body: "abc"}), want: ErrTruncated},
		{name: "pax-newline", data: packed(item{name: "package/a", body: "1", pax: [][2]string{{"path", "package/x\ny"}}})},
		{name: "pax-nul", data: packed(item{name: "package/a", body: "1", pax: [][2]string{{"path", "package/x\x00y"}}})},
		{name: "pax-bad-length", data: packed(item{name: "x", typ: 'x', body: "99 path=package/no\n"}, item{name: "package/a", body: "1"}, item{name: "x", typ: 'x', body: "18path=package/no\n"}, item{name: "package/b", body: "1"}, item{name: "x", typ: 'x', body: "019 path=package/c\n"}, item{name: "package/d", body: "1"})},
		{name: "pax-bad-utf8", data: packed(item{name: "package/a", body: "1", pax: [][2]string{{"path", "package/\xff\xfe"}}})},
		{name: "pax-empty-path", data: packed(item{name: "package/a", body: "", pax: [][2]string{{"path", ""}}}, item{name: "package/b", body: "kept the record"})},
		{name: "pax-twice", data: packed(item{name: "x", typ: 'x', body: paxBody([][2]string{{"path", "package/one"}, {"size", "1"}})}, item{name: "package/a", body: "z", pax: [][2]string{{"path", "package/two"}}})},
		{name: "pax-old-type", data: packed(item{name: "x", typ: 'X', body: paxBody([][2]string{{"path", "package/old"}})}, item{name: "package/a", body: "z"})},
		{name: "pax-zero-size", data: packed(item{name: "x", typ: 'x'}, index)},
		{name: "pax-over-1mib", data: packed(item{name: "x", typ: 'x', body: paxBody([][2]string{{"path", "package/no"}, {"comment", repeat("c", 1<<20)}})}, index)},
		{name: "gnu-long-over-link", data: packed(item{name: "package/a", body: "1", longLink: "../../../x"}, item{name: "package/b", body: "2", longLink: "x"})},
		{name: "bad-sum", data: packed(item{name: "package/index.js", body: "module.exports = 1\n", badSum: true}, item{name: "package/after.txt", body: "after\n"})},
		{name: "modes", data: packed(item{name: "package/", typ: '5'}, item{name: "package/zero", rawMode: "0000000\x00"}, item{name: "package/lib", typ: '5', mode: 0o600}, item{name: "package/lib/a.js", body: "a\n", mode: 0o640}, item{name: "package/ro.txt", body: "ro\n", mode: 0o444}, item{name: "package/ww.txt", body: "ww\n", mode: 0o777}, item{name: "package/x1", body: "x", mode: 0o711}, item{name: "package/x2", body: "x", mode: 0o700}, item{name: "package/none", rawMode: "\x00\x00\x00\x00\x00\x00\x00\x00"}, item{name: "package/junk", rawMode: "hello \x00 "}, item{name: "package/neg", rawMode: "-000001\x00"})},
		{name: "case-pair", data: packed(item{name: "package/pageBreak.js", body: "a\n"}, item{name: "package/pagebreak.js", body: "b\n"})},
		{name: "unicode", data: packed(item{name: "package/café.txt", body: "nfc\n"}, item{name: "package/cafe\u0301.txt", body: "nfd\n"}, item{name: "package/Ω/🌟.txt", body: "star\n"})},
		{name: "bad-utf8", data: packed(item{name: "package/\xff.txt", body: "1"}, item{name: "package/\xe2\x82.txt", body: "2"}, item{name: "package/\xed\xa0\x80.txt", body: "3"}, item{name: "package/\xf0\x9f\x8c\xf0.txt", body: "4"}, item{name: "package/" + repeat("c", 91) + "é", body: "5"})},
		{name: "specials", data: packed(item{name: "package/dev", typ: '3'}, item{name: "package/blk", typ: '4'}, item{name: "package/fifo", typ: '6'}, item{name: "package/cont", typ: '7', body: "contiguous\n"}, item{name: "package/oldfile", typ: 'z', v7: true, body: "v7\n"}, item{name: "package/empty.txt"}, item{name: "package/sparse", typ: 'S', body: "sparse"}, item{name: "package/multi", typ: 'M', body: "multi"}, item{name: "package/dump", typ: 'D', body: "dump"}, item{name: "package/unknown", typ: 'q', body: "unknown"}, item{name: "package/slash/", body: "a folder, it says"}, item{name: "package/cont/", typ: '7', body: "x"})},
		{name: "file-then-dir", data: packed(index, item{name: "package/lib", body: "a file\n"}, item{name: "package/lib/x.js", body: "x\n"}, item{name: "package/lib/y/z.js", body: "x\n"})},
		{name: "dir-then-file", data: packed(item{name: "package/lib/x.js", body: "x\n"}, item{name: "package/lib", body: "a file\n"}, item{name: "package/made/", typ: '5'}, item{name: "package/made", body: "folders are not made"})},
		{name: "ignore-files", data: packed(item{name: "package/.gitignore", body: "x\n"}, item{name: "package/sub/.npmignore", body: "n\n"}, item{name: "package/sub/.gitignore", body: "y\n"}, item{name: "package/late/.gitignore", body: "y\n"}, item{name: "package/late/.npmignore", body: "n\n"}, item{name: "package/./sub/.gitignore", body: "spelt otherwise\n"}, item{name: ".gitignore", body: "root"}, item{name: "package/a.gitignore", body: "kept"})},
		{name: "nul-in-name", data: packed(item{name: "package/a\x00b", body: "1"}, item{name: "package/e\x00f\ng/h" + repeat("c", 85), body: "2"})},
		{name: "link-on-file", data: packed(item{name: "package/a", body: "1", link: "x"}, item{name: "package/b", body: "2"})},
		{name: "link-without-name", data: packed(item{name: "package/a", typ: '2'}, index)},
		{name: "base256", data: packed(item{name: "package/a", rawSize: "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03", body: "abc"}, item{name: "package/b", rawSize: "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfd", body: ""}, item{name: "package/c", rawSize: "\x90\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", body: ""}, item{name: "package/d", rawMode: "\x80\x00\x00\x00\x00\x00\x01\xed", body: "x"}, item{name: "package/e", rawMode: "\xff\xff\xff\xff\xff\xff\xff\xff", body: "x"})},
		{name: "octal-odd", data: packed(item{name: "package/a", rawSize: "  3 ", body: "abc"}, item{name: "package/b", rawSize: "3x", body: "abc"}, item{name: "package/c", rawSize: "+3", body: "abc"}, item{name: "package/d", rawSize: "9", body: ""}, item{name: "package/e", rawSize: "\u00a03", body: "abc"})},
		{name: "bad-mtime", data: packed(item{name: "package/a", patch: func(b []byte) { b[136] = 0x90 }}, item{name: "package/b", pax: [][2]string{{"mtime", "1"}}, patch: func(b []byte) { b[136] = 0x90 }}, item{name: "package/c", patch: func(b []byte) { b[476] = 0x81 }}, item{name: "package/d", v7: true, patch: func(b []byte) { b[476] = 0x81 }}, item{name: "package/e", patch: func(b []byte) { b[329] = 0xc0 }})},
		{name: "one-null-block", data: writeGzip(concat(writeOpen(item{name: "package/package.json", body: manifestText}), make([]byte, 512), writeTar(index)))},
		{name: "after-the-end", data: writeGzip(concat(writeTar(item{name: "package/package.json", body: manifestText}), writeTar(index)))},
		{name: "no-end", data: writeGzip(writeOpen(item{name: "package/package.json", body: manifestText}, index))},
		{name: "junk-after-end", data: writeGzip(concat(tarOf(index), []byte("junk that is no block")))},
		{name: "cut-in-body", data: writeGzip(tarOf(index, item{name: "package/big", body: repeat("b", 4096)})[:3100]), want: ErrTruncated},
		{name: "cut-in-padding", data: writeGzip(writeOpen(index)[:600]), want: ErrTruncated},
		{name: "cut-in-header", data: writeGzip(writeOpen(item{name: "package/package.json", body: manifestText}, index)[:1300])},
		{name: "cut-in-pax", data: writeGzip(writeOpen(index, item{name: "x", typ: 'x', body: repeat("p", 600)})[:1900]), want: ErrTruncated},
		{name: "zero-bytes", data: []byte{}, want: ErrFormat},
		{name: "three-bytes", data: []byte{0x1f, 0x8b, 8}, want: ErrFormat},
		{name: "only-nulls", data: writeGzip(make([]byte, 1024)), want: ErrFormat},
		{name: "empty-gzip", data: writeGzip(nil), want: ErrFormat},
		{name: "text", data: []byte(repeat("this is not a tarball\n", 100)), want: ErrFormat},
		{name: "all-bad-sums", data: writeGzip(writeTar(item{name: "package/a", badSum: true})), want: ErrFormat},
		{name: "only-pax", data: writeGzip(writeTar(item{name: "x", typ: 'x', body: paxBody([][2]string{{"path", "a/b"}})}))},
		{name: "only-empty-pax", data: writeGzip(writeOpen(item{name: "x", typ: 'x'})), want: ErrFormat},
		{name: "only-empty-pax-ended", data: writeGzip(writeTar(item{name: "x", typ: 'x'}))},
		{name: "plain-tar", data: tarOf(index)},
		{name: "two-members", data: concat(writeGzip(tarOf(index)[:1024]), writeGzip(tarOf(index)[1024:]))},
		{name: "empty-member-between", data: concat(writeGzip(tarOf(index)[:1024]), writeGzip(nil), writeGzip(tarOf(index)[1024:]))},
		{name: "zeros-behind", data: concat(whole, make([]byte, 512))},
		{name: "zero-then-junk", data: concat(whole, []byte{0, 1, 2, 3})},
		{name: "junk-behind", data: concat(whole, []byte("hello world")), want: ErrGzip},
		{name: "short-magic-behind", data: concat(whole, []byte{0x1f, 0x8b}), want: ErrGzip},
		{name: "bad-crc", data: corrupt(whole, -8), want: ErrGzip},
		{name: "bad-length", data: corrupt(whole, -1), want: ErrGzip},
		{name: "no-trailer", data: whole[:len(whole)-8], want: ErrGzip},
		{name: "cut-trailer", data: whole[:len(whole)-1], want: ErrGzip},
		{name: "cut-deflate", data: whole[:len(whole)/2], want: ErrGzip},
		{name: "not-deflate", data: concat([]byte{0x1f, 0x8b, 7}, whole[3:]), want: ErrGzip},
		{name: "reserved-flags", data: concat([]byte{0x1f, 0x8b, 8, 0x80}, whole[4:]), want: ErrGzip},
		{name: "header-fields", data: headerFields(tarOf(index))},
		{name: "bomb", data: deflated(append(tarOf(index), make([]byte, 40<<20)...)), want: ErrTooLarge},
	}
	return s
}

// headerFields makes a gzip member with every optional field, a name far longer than usual among them.
func headerFields(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Name, w.Comment, w.Extra = repeat("n", 3000), "comment", []byte(repeat("e", 700))
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func deflated(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func open(name string, data []byte) (result, error) {
	a, err := Open(data, Limits{})
	if err != nil {
		return result{Name: name, Error: err.Error(), Files: []fixtureFile{}}, err
	}
	defer a.Release()
	r := result{Name: name, OK: true, Files: []fixtureFile{}}
	for _, f := range a.Files {
		r.Files = append(r.Files, fixtureFile{Path: f.Path, Mode: octal(f), Size: len(f.Data), SHA1: sha1Hex(f.Data)})
	}
	return r, nil
}

// sameAs compares with npm's result, ignoring what npm wrote before it failed, and the setuid, setgid and sticky bits,
// which npm sets when it runs as root and we never do.
func (r result) sameAs(npm result) bool {
	if r.OK != npm.OK {
		return false
	}
	if !r.OK {
		return true
	}
	for i, f := range npm.Files {
		npm.Files[i].Mode = f.Mode[len(f.Mode)-3:]
	}
	for _, files := range [][]fixtureFile{r.Files, npm.Files} {
		sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	}
	return len(r.Files) == 0 && len(npm.Files) == 0 || reflect.DeepEqual(r.Files, npm.Files)
}

// npmResults runs testdata/npm-extract.mjs over the tarballs.
func npmResults(t *testing.T, all []shape) []result {
	t.Helper()
	dir := t.TempDir()
	var list strings.Builder
	for _, s := range all {
		file := filepath.Join(dir, s.name+".tgz")
		if err := os.WriteFile(file, s.data, 0o600); err != nil {
			t.Fatal(err)
		}
		list.WriteString(file + "\n")
	}
	cmd := exec.Command("node", "testdata/npm-extract.mjs", *npmDir)
	cmd.Stdin = strings.NewReader(list.String())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var results []result
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("%v in %.200s", err, out)
	}
	return results
}

// TestShapes compares every hostile and odd shape with what npm makes of it, as recorded in testdata/npm.json.
func TestShapes(t *testing.T) {
	all := shapes()
	const golden = "testdata/npm.json"
	if *npmDir != "" && *update {
		data, err := json.MarshalIndent(npmResults(t, all), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var rows []result
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	want := make(map[string]result)
	for _, r := range rows {
		want[r.Name] = r
	}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			npm, ok := want[s.name]
			if !ok {
				t.Fatal("not in " + golden)
			}
			got, err := open(s.name, s.data)
			if !got.sameAs(npm) {
				t.Errorf("got  %v\nwant %v", got, npm)
			}
			if !errors.Is(err, s.want) {
				t.Errorf("error %v, want %v", err, s.want)
			}
		})
	}
}

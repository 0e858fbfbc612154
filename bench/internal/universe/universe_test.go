package universe

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"weft/bench/registry/archive"
	"weft/internal/regtest"
)

func TestReadLock(t *testing.T) {
	d, err := readLock([]byte(`{"packages": {
		"": {"dependencies": {"a": "^1", "al": "npm:real@~2.0.0"}, "devDependencies": {"t": "next"}},
		"node_modules/a": {"version": "1.0.0", "peerDependencies": {"@s/b": "*"}},
		"node_modules/al": {"name": "real", "version": "2.0.1", "optionalDependencies": {"x": "npm:@s/b"}},
		"node_modules/a/node_modules/inner": {"version": "3.0.0", "inBundle": true, "dependencies": {"a": "^1"}},
		"node_modules/w": {"resolved": "w", "link": true},
		"w": {"version": "1.0.0"}
	}}`))
	if err != nil {
		t.Fatal(err)
	}
	wantVersions := map[string][]string{"a": {"1.0.0"}, "real": {"2.0.1"}}
	wantSpecs := map[string][]string{"a": {"^1"}, "real": {"~2.0.0"}, "t": {"next"}, "@s/b": {"*"}}
	if !reflect.DeepEqual(d.versions, wantVersions) || !reflect.DeepEqual(d.specs, wantSpecs) {
		t.Errorf("versions %v, specs %v", d.versions, d.specs)
	}
}

func TestKeep(t *testing.T) {
	all := []string{"bogus"}
	for _, major := range []string{"1", "2", "3"} {
		for _, minor := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
			all = append(all, major+"."+minor+".0")
		}
	}
	all = append(all, "4.0.0-rc.1")
	d := &demand{
		versions: map[string][]string{"a": {"1.5.0"}},
		specs:    map[string][]string{"a": {"^2.0.0", "next", "^99.0.0", "git+ssh://x"}},
	}
	kept := slices.Sorted(maps.Keys(d.keep("a", all, map[string]string{"latest": "3.4.0", "next": "2.1.0", "old": "1.0.0"})))
	want := []string{
		"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0",
		"2.1.0", "2.6.0", "2.7.0", "2.8.0", "2.9.0",
		"3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0", "3.6.0", "3.7.0", "3.8.0", "3.9.0", "4.0.0-rc.1",
	}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %v\nwant %v", kept, want)
	}
}

// tarball packs files with their modes under a folder.
func tarball(t *testing.T, files map[string]int64, content map[string]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := errors.Join(
			tw.WriteHeader(&tar.Header{Name: "package/" + name, Mode: files[name], Size: int64(len(content[name])), Typeflag: tar.TypeReg}),
			func() error { _, err := tw.Write([]byte(content[name])); return err }(),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestDigest(t *testing.T) {
	tgz := tarball(t, map[string]int64{
		"package.json": 0o644, "cli.js": 0o755, "plain.js": 0o644, "big.js": 0o644, "tools/t": 0o755, "binding.gyp": 0o644,
		"node_modules/in/package.json": 0o644, "node_modules/in/lib/package.json": 0o644,
	}, map[string]string{
		"package.json": `{"name": "a", "version": "1.0.0", "description": "long", "license": "MIT", "main": "big.js",
			"bin": {"x": "./cli.js", "y": "plain.js"}, "directories": {"lib": "lib", "bin": "./tools"}, "scripts": {"test": "t", "install": "rm -rf"}}`,
		"node_modules/in/package.json": `{"name": "in", "version": "2.0.0", "author": "x"}`,
	})
	files, executable, err := digest(tgz)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"package.json": `{"name":"a","version":"1.0.0","license":"MIT","bin":{"x":"./cli.js","y":"plain.js"},` +
			`"directories":{"bin":"./tools"},"scripts":{"install":"exit 1"}}` + "\n",
		"cli.js": "#!/usr/bin/env node\n", "plain.js": "#!/usr/bin/env node\n", "tools/t": "#!/usr/bin/env node\n",
		"binding.gyp": "{}\n", "node_modules/in/package.json": `{"name":"in","version":"2.0.0"}` + "\n",
	}
	if !maps.Equal(files, want) || !slices.Equal(executable, []string{"cli.js", "tools/t"}) {
		t.Errorf("files %q, executable %v", files, executable)
	}
	if _, _, err := digest([]byte("no gzip")); err == nil {
		t.Error("what is no tarball was digested")
	}
}

func TestTrimSaveLoadPublish(t *testing.T) {
	a, err := archive.Create(t.TempDir(), archive.Info{Origin: "https://reg.example/"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.PutDoc("a", []byte(`{"name": "a", "dist-tags": {"latest": "1.0.0", "old": "1.0.0"}, "versions": {"1.0.0": {
		"name": "a", "version": "1.0.0", "license": "MIT", "readme": "x", "deprecated": "see https://www.`+"npmjs"+`.com/package/b",
		"dist": {"tarball": "https://reg.example/a/-/a-1.0.0.tgz"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tgz := tarball(t, map[string]int64{"package.json": 0o644}, map[string]string{"package.json": `{"name": "a", "version": "1.0.0", "license": "ISC"}`})
	if err := a.PutTarball("a/-/a-1.0.0.tgz", tgz); err != nil {
		t.Fatal(err)
	}
	list, err := Trim(a, []byte(`{"packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a": {"version": "1.0.0"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Package{{Name: "a", Releases: []Release{{
		Version: "1.0.0", Manifest: []byte(`{"license":"MIT"}`), Deprecated: "see npm", Tags: []string{"latest"},
		Files: map[string]string{"package.json": `{"name":"a","version":"1.0.0","license":"ISC"}` + "\n"},
	}}}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("trimmed to %+v", list)
	}
	path := filepath.Join(t.TempDir(), "u.zst")
	if err := Save(path, list); err != nil {
		t.Fatal(err)
	}
	again, err := Load(path)
	if err != nil || !reflect.DeepEqual(again, list) {
		t.Errorf("loaded %+v, %v", again, err)
	}
	reg := regtest.New(t)
	Publish(reg, again)
	if _, err := reg.Tarball("a", "1.0.0"); err != nil {
		t.Error(err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"no zstd": []byte("{}"), "no list": pack(t, []byte("{")), "too large": pack(t, make([]byte, sizeLimit+1))} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil {
			t.Errorf("%s was loaded", name)
		}
	}
}

func pack(t *testing.T, data []byte) []byte {
	t.Helper()
	zw, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer zw.Close()
	return zw.EncodeAll(data, nil)
}

// TestFixturesNameNoRegistry looks through the committed universes.
func TestFixturesNameNoRegistry(t *testing.T) {
	host := regexp.MustCompile(`npmjs\.|registry\.[a-z]`)
	for _, name := range []string{"S", "M", "L"} {
		path := filepath.Join("..", "..", "fixtures", name, "universe.json.zst")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 600<<10 {
			t.Errorf("%s has %d bytes", path, info.Size())
		}
		list, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			for _, r := range p.Releases {
				texts := append(slices.Collect(maps.Values(r.Files)), string(r.Manifest), r.Deprecated)
				for _, text := range texts {
					if at := host.FindString(text); at != "" {
						t.Errorf("%s: %s@%s names %s", name, p.Name, r.Version, at)
					}
				}
			}
		}
	}
}

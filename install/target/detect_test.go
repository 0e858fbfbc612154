package target

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"weft/internal/jsonval"
)

// fakeNode writes a program called node that counts its runs in a file beside
// it and prints answer. Padding makes it as large as a real one, so that its
// answer is remembered.
func fakeNode(t *testing.T, folder, answer string, padding int) (path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake node is a shell script")
	}
	path = filepath.Join(folder, "node")
	script := "#!/bin/sh\necho run >>'" + path + ".runs'\necho '" + answer + "'\nexit 0\n" + strings.Repeat("#", padding)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func runs(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path + ".runs")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(data), "run\n")
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDetectOrder(t *testing.T) {
	bin := t.TempDir()
	fakeNode(t, bin, "v22.3.0", 0)
	empty := "PATH=" + t.TempDir()
	all := map[string]string{
		"package.json":  `{"devEngines":{"runtime":{"name":"node","version":"22.9.0"}}}`,
		".nvmrc":        "v18.1.0\n",
		".node-version": "16.4.2",
	}
	without := func(names ...string) map[string]string {
		left := map[string]string{}
		for name, text := range all {
			left[name] = text
		}
		for _, name := range names {
			delete(left, name)
		}
		return left
	}
	tests := []struct {
		name            string
		flag, path      string
		files           map[string]string
		version, source string
		notes           int
	}{
		{"flag first", "20.1.0", "PATH=" + bin, all, "20.1.0", SourceFlag, 0},
		{"then PATH", "", "PATH=" + bin, all, "22.3.0", SourcePath, 0},
		{"then devEngines", "", empty, all, "22.9.0", SourceDevEngines, 0},
		{"then .nvmrc", "", empty, without("package.json"), "18.1.0", SourceNvmrc, 0},
		{"then .node-version", "", empty, without("package.json", ".nvmrc"), "16.4.2", SourceNodeVersion, 0},
		{"then the constant", "", empty, nil, DefaultNodeVersion, SourceDefault, 0},
		{"no PATH at all", "", "HOME=/", nil, DefaultNodeVersion, SourceDefault, 0},
		{"list of runtimes", "", empty, map[string]string{"package.json": `{"devEngines":{"runtime":[{"name":"bun","version":"1"},{"name":"node","version":"18.2.0"}]}}`}, "18.2.0", SourceDevEngines, 0},
		{"runtime without a version", "", empty, map[string]string{"package.json": `{"devEngines":{"runtime":{"name":"node"}}}`, ".nvmrc": "18.4.0"}, "18.4.0", SourceNvmrc, 0},
		{"devEngines of the wrong shape", "", empty, map[string]string{"package.json": `{"devEngines":7}`}, DefaultNodeVersion, SourceDefault, 0},
		{"alias that nobody knows", "", empty, map[string]string{".nvmrc": "lts/unheard-of", ".node-version": "18.4.0"}, "18.4.0", SourceNodeVersion, 1},
		{"comment and blank lines", "", empty, map[string]string{".nvmrc": "# which\n\n v18.5.0 # here\n"}, "18.5.0", SourceNvmrc, 0},
		{"huge version file", "", empty, map[string]string{".nvmrc": strings.Repeat("9", versionFileLimit+1)}, DefaultNodeVersion, SourceDefault, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.files)
			got, err := Detect(t.Context(), Options{NodeVersion: tt.flag, Dir: dir, Env: []string{tt.path}})
			if err != nil {
				t.Fatal(err)
			}
			if got.NodeVersion != tt.version || got.NodeSource != tt.source || len(got.Notes) != tt.notes {
				t.Errorf("got %s from %s, notes %q; want %s from %s, %d notes",
					got.NodeVersion, got.NodeSource, got.Notes, tt.version, tt.source, tt.notes)
			}
			if got.IsDefault() != (tt.source == SourceDefault) {
				t.Errorf("IsDefault is %v", got.IsDefault())
			}
		})
	}
}

func TestDetectTakesManifest(t *testing.T) {
	manifest, err := jsonval.ParseString(`{"devEngines":{"runtime":{"name":"node","version":"^22.1.0"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Detect(t.Context(), Options{Dir: t.TempDir(), Env: []string{"PATH="}, Manifest: manifest})
	if err != nil || got.NodeSource != SourceDevEngines || !strings.HasPrefix(got.NodeVersion, "22.") {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFlagMustResolve(t *testing.T) {
	_, err := Detect(t.Context(), Options{NodeVersion: "newest please", Env: []string{"PATH="}})
	var version *VersionError
	if !errors.As(err, &version) || version.Source != SourceFlag {
		t.Errorf("got %v", err)
	}
}

func TestAnswerIsRemembered(t *testing.T) {
	bin, cache := t.TempDir(), t.TempDir()
	node := fakeNode(t, bin, "v22.3.0", shimLimit)
	o := Options{Dir: t.TempDir(), Env: []string{"PATH=" + bin + ":/usr/bin:/bin"}, CacheDir: cache}
	expect := func(version string, ran int) {
		t.Helper()
		got, err := Detect(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got.NodeVersion != version || runs(t, node) != ran {
			t.Errorf("got %s after %d runs, want %s after %d", got.NodeVersion, runs(t, node), version, ran)
		}
	}
	expect("22.3.0", 1)
	expect("22.3.0", 1)
	// Another modification time is another node.
	if err := os.Chtimes(node, time.Time{}, time.Unix(1e9, 5)); err != nil {
		t.Fatal(err)
	}
	expect("22.3.0", 2)
	// A mangled answer is asked for again.
	files, err := filepath.Glob(filepath.Join(cache, "node", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("cache holds %q, %v", files, err)
	}
	write(t, filepath.Dir(files[0]), map[string]string{filepath.Base(files[0]): node + "\n1\n2\nv1.0.0\n"})
	expect("22.3.0", 3)
	expect("22.3.0", 3)
}

func TestShimIsAskedEachTime(t *testing.T) {
	bin := t.TempDir()
	node := fakeNode(t, bin, "v22.3.0", 0)
	o := Options{Dir: t.TempDir(), Env: []string{"PATH=" + bin + ":/usr/bin:/bin"}, CacheDir: t.TempDir()}
	for i := 1; i <= 2; i++ {
		if _, err := Detect(t.Context(), o); err != nil || runs(t, node) != i {
			t.Fatalf("run %d: %d runs, %v", i, runs(t, node), err)
		}
	}
}

func TestNodeThatCannotAnswer(t *testing.T) {
	bin := t.TempDir()
	for _, answer := range []string{"not a version", "", strings.Repeat("v1.2.3 ", 1000)} {
		fakeNode(t, bin, answer, 0)
		got, err := Detect(t.Context(), Options{Dir: t.TempDir(), Env: []string{"PATH=" + bin + ":/usr/bin:/bin"}})
		if err != nil || got.NodeSource != SourceDefault || len(got.Notes) != 1 {
			t.Errorf("answer %.20q: %+v, %v", answer, got, err)
		}
	}
}

func TestPathEntriesPassedOver(t *testing.T) {
	dir := t.TempDir()
	bins := filepath.Join(dir, "node_modules", ".bin")
	if err := os.MkdirAll(bins, 0o755); err != nil {
		t.Fatal(err)
	}
	planted := fakeNode(t, bins, "v6.6.6", 0)
	t.Chdir(bins)
	got, err := Detect(t.Context(), Options{Dir: dir, Env: []string{"PATH=.:" + bins}})
	if err != nil || got.NodePath != "" || got.NodeSource != SourceDefault || runs(t, planted) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDetectCanceled(t *testing.T) {
	bin := t.TempDir()
	fakeNode(t, bin, "v22.3.0", 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Detect(ctx, Options{Dir: t.TempDir(), Env: []string{"PATH=" + bin}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestResolve(t *testing.T) {
	tests := []struct{ wish, want string }{
		{"v20.11.1", "20.11.1"},
		{" 20.11.1\n", "20.11.1"},
		{"20", "20.20.2"},
		{"v20", "20.20.2"},
		{"20.x", "20.20.2"},
		{">=20 <21", "20.20.2"},
		{"20.11", "20.11.0"},
		{"v0.12", "0.12.0"},
		{"5", "5.0.0"},
		{"*", lines[0].newest},
		{"node", lines[0].newest},
		{"stable", lines[0].newest},
		{"lts/*", DefaultNodeVersion},
		{"LTS", DefaultNodeVersion},
		{"lts/-0", DefaultNodeVersion},
		{"lts/-1", "22.23.3"},
		{"lts/Iron", "20.20.2"},
		{"lts/argon", "4.9.1"},
		{"lts/-99", ""},
		{"lts/", ""},
		{"lts/nothing", ""},
		{"iojs", ""},
		{"system", ""},
		{"", ""},
		{"20.11.1.0.0", ""},
	}
	for _, tt := range tests {
		got, ok := Resolve(tt.wish)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Resolve(%q) = %q, %v; want %q", tt.wish, got, ok, tt.want)
		}
	}
}

func TestLinesAreOrdered(t *testing.T) {
	lts := ""
	for _, l := range lines {
		if l.codename != "" && lts == "" {
			lts = l.newest
		}
	}
	if lts != DefaultNodeVersion {
		t.Errorf("the newest LTS line is %s, the constant %s", lts, DefaultNodeVersion)
	}
}

func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"v20.11.1", "20.x", "lts/*", "lts/-1", "lts/-9999999999999999999", "20.11", "\x00", "v", ">=1 || <0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, wish string) {
		version, ok := Resolve(wish)
		if ok == (version == "") {
			t.Errorf("Resolve(%q) = %q, %v", wish, version, ok)
		}
		if again, ok := Resolve(version); version != "" && (!ok || again != version) {
			t.Errorf("Resolve(%q) = %q, which resolves to %q, %v", wish, version, again, ok)
		}
	})
}

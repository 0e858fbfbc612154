package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestLibcFamily(t *testing.T) {
	tests := []struct {
		name, ldd string // ldd "-" is no such file
		bin       binary
		want      string
	}{
		{"glibc's script", "#! /bin/bash\n# This file is part of the GNU C Library.\n", binary{}, "glibc"},
		{"musl's script", "#!/bin/sh\nexec /lib/ld-musl-x86_64.so.1 --list \"$@\"\n", binary{}, "musl"},
		{"ldd decides against node", "musl", binary{libc: "glibc"}, "musl"},
		{"another ldd is no family", "#!/bin/sh\n", binary{libc: "glibc"}, ""},
		{"no ldd asks node", "-", binary{libc: "musl"}, "musl"},
		{"no ldd, no node", "-", binary{}, ""},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "ldd")
		if tt.ldd != "-" {
			write(t, filepath.Dir(path), map[string]string{"ldd": tt.ldd})
		}
		if got := libcFamily(path, tt.bin); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPlatformOverrides(t *testing.T) {
	got, err := Detect(t.Context(), Options{NodeVersion: "20.0.0", OS: "win32", CPU: "arm64", Dir: t.TempDir(), Env: []string{"PATH="}})
	if err != nil || got.OS != "win32" || got.CPU != "arm64" || got.Libc != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = Detect(t.Context(), Options{NodeVersion: "20.0.0", OS: "linux", Libc: "musl", Dir: t.TempDir(), Env: []string{"PATH="}})
	if err != nil || got.OS != "linux" || got.CPU != nodeCPU(runtime.GOARCH) || got.Libc != "musl" {
		t.Errorf("got %+v, %v", got, err)
	}
	ldd := filepath.Join(t.TempDir(), "ldd")
	write(t, filepath.Dir(ldd), map[string]string{"ldd": "musl"})
	got, err = Detect(t.Context(), Options{NodeVersion: "20.0.0", OS: "linux", Dir: t.TempDir(), Env: []string{"PATH="}, lddPath: ldd})
	if err != nil || got.Libc != "musl" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestSpellings(t *testing.T) {
	for goos, want := range map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32", "freebsd": "freebsd", "illumos": "sunos"} {
		if got := nodeOS(goos); got != want {
			t.Errorf("%s is %s, want %s", goos, got, want)
		}
	}
	for goarch, want := range map[string]string{"amd64": "x64", "386": "ia32", "arm64": "arm64", "arm": "arm", "ppc64le": "ppc64", "s390x": "s390x", "riscv64": "riscv64", "loong64": "loong64", "mipsle": "mipsel"} {
		if got := nodeCPU(goarch); got != want {
			t.Errorf("%s is %s, want %s", goarch, got, want)
		}
	}
}

// TestReadBinary reads this very test program, which the Go linker made for
// the running platform.
func TestReadBinary(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := readBinary(self).cpu; got != nodeCPU(runtime.GOARCH) {
		t.Errorf("this program is for %q", got)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"text": "#!/bin/sh\n", "cut": "\x7fELF\x02\x01\x01", "empty": ""})
	for _, name := range []string{"text", "cut", "empty", "missing"} {
		if got := readBinary(filepath.Join(dir, name)); got != (binary{}) {
			t.Errorf("%s is %+v", name, got)
		}
	}
}

// TestAgreesWithNode holds the answers against those of the machine's own
// node, where there is one.
func TestAgreesWithNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH")
	}
	out, err := exec.Command(node, "-p", `[process.version.slice(1), process.platform, process.arch, process.report.getReport().header.glibcVersionRuntime ? "glibc" : ""].join(" ")`).Output()
	if err != nil {
		t.Skipf("node -p: %v", err)
	}
	want := strings.Fields(string(out))
	got, err := Detect(t.Context(), Options{Dir: t.TempDir(), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if got.NodeSource != SourcePath || got.NodeVersion != want[0] || got.OS != want[1] || got.CPU != want[2] {
		t.Errorf("got %+v, node says %q", got, want)
	}
	if len(want) == 4 {
		found, _ := findNode(os.Environ(), ".")
		if got.Libc != "glibc" || readBinary(found.path).libc != "glibc" && !found.shim() {
			t.Errorf("got libc %q, binary %+v; node says glibc", got.Libc, readBinary(found.path))
		}
	}
}

func BenchmarkDetectRemembered(b *testing.B) {
	o := Options{Dir: b.TempDir(), CacheDir: b.TempDir()}
	for b.Loop() {
		if _, err := Detect(b.Context(), o); err != nil {
			b.Fatal(err)
		}
	}
}

//go:build !windows

package link

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const script = "#!/usr/bin/env node\nconsole.log(1)\n"

// mode returns permission bits.
func (f *fixture) mode(rel string) os.FileMode {
	f.Helper()
	info, err := os.Stat(f.path(rel))
	f.must(err)
	return info.Mode().Perm()
}

func TestBins(t *testing.T) {
	f := newFixture(t)
	a := f.put("package.json", `{"name":"a","bin":"cli.js"}`, "cli.js", script, "plain.js", script, "dos.js", "#!/usr/bin/env node\r\nx\r\n", "dir/f", "1")
	f.place(a, "node_modules/a")
	f.place(a, "node_modules/@s/b")
	f.place(a, "node_modules/a/node_modules/c")
	f.must(f.tree.Bins("node_modules", []Bin{
		{Name: "a", Package: "node_modules/a", Target: "cli.js"},
		{Name: "plain", Package: "node_modules/a", Target: "./plain.js"},
		{Name: "dos", Package: "node_modules/a", Target: "dos.js"},
		{Name: "slash", Package: "node_modules/a", Target: "cli.js/"},
		{Name: "gone", Package: "node_modules/a", Target: "gone.js"},
		{Name: "gone-dir", Package: "node_modules/a", Target: "gone/gone.js"},
		{Name: "dir", Package: "node_modules/a", Target: "dir"},
		{Name: "b", Package: "node_modules/@s/b", Target: "cli.js"},
		{Name: ".hidden", Package: "node_modules/@s/b", Target: "cli.js"},
	}))
	f.must(f.tree.Bins("node_modules/a/node_modules", []Bin{{Name: "c", Package: "node_modules/a/node_modules/c", Target: "cli.js"}}))
	f.holds("node_modules/.bin", "a -> ../a/cli.js", "plain -> ../a/plain.js", "dos -> ../a/dos.js", "slash -> ../a/cli.js", "dir -> ../a/dir",
		"b -> ../@s/b/cli.js", ".hidden -> ../@s/b/cli.js")
	f.holds("node_modules/a/node_modules/.bin", "c -> ../c/cli.js")
	for _, rel := range []string{"a/cli.js", "a/plain.js", "a/dos.js"} {
		if m := f.mode("node_modules/" + rel); m != 0o755 {
			t.Errorf("%s has mode %o", rel, m)
		}
	}
	if data, _ := os.ReadFile(f.path("node_modules/a/dos.js")); string(data) != "#!/usr/bin/env node\nx\r\n" {
		t.Errorf("repaired to %q", data)
	}
	// Neither repair may reach the store, nor another place of the same package.
	f.must(f.store.Verify(a.Key))
	if m := f.mode("node_modules/@s/b/plain.js"); m != 0o644 {
		t.Errorf("the other place has mode %o", m)
	}
	f.noneHidden()
}

func TestBinConflicts(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "cli*", script)
	for _, loc := range []string{"node_modules/b", "node_modules/a", "node_modules/Z", "node_modules/@s/x"} {
		f.place(p, loc)
	}
	f.write("packages/w/cli", script)
	f.must(f.tree.Symlink("node_modules/0w", "packages/w"))
	f.must(f.tree.Bins("node_modules", []Bin{
		{Name: "tool", Package: "node_modules/b", Target: "cli"},
		{Name: "tool", Package: "node_modules/a", Target: "cli"},
		{Name: "cased", Package: "node_modules/Z", Target: "cli"},
		{Name: "cased", Package: "node_modules/b", Target: "cli"},
		{Name: "scoped", Package: "node_modules/a", Target: "cli"},
		{Name: "scoped", Package: "node_modules/@s/x", Target: "cli"},
		{Name: "linked", Package: "node_modules/0w", Target: "cli", Linked: true},
		{Name: "linked", Package: "node_modules/b", Target: "cli"},
		{Name: "missing", Package: "node_modules/a", Target: "gone"},
		{Name: "missing", Package: "node_modules/b", Target: "cli"},
	}))
	f.holds("node_modules/.bin", "tool -> ../a/cli", "cased -> ../b/cli", "scoped -> ../@s/x/cli", "linked -> ../b/cli")
}

func TestUnsafeBins(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "cli", script)
	f.place(p, "node_modules/a")
	f.write("victim.txt", "x")
	f.must(os.Chmod(f.path("victim.txt"), 0o600))
	for _, b := range []Bin{
		{Name: "../../pwned", Target: "cli"}, {Name: "..", Target: "cli"}, {Name: ".", Target: "cli"}, {Name: "", Target: "cli"}, {Name: "a/b", Target: "cli"},
		{Name: "x", Target: "../../victim.txt"}, {Name: "x", Target: f.path("victim.txt")}, {Name: "x", Target: ""}, {Name: "x", Target: "."}, {Name: "x", Target: "a/../.."},
		{Name: "nul\x00", Target: "cli"},
	} {
		b.Package = "node_modules/a"
		err := f.tree.Bins("node_modules", []Bin{b, {Name: "good", Package: "node_modules/a", Target: "cli"}})
		if !errors.Is(err, ErrBin) {
			t.Errorf("%+v: error %v", b, err)
		}
	}
	for _, pkg := range []string{"node_modules/../..", "", "..", "src"} {
		if err := f.tree.Bins("node_modules", []Bin{{Name: "x", Package: pkg, Target: "victim.txt"}}); !errors.Is(err, ErrLocation) {
			t.Errorf("%q: error %v", pkg, err)
		}
	}
	for _, nm := range []string{"", ".", "src", "node_modules/a", "../node_modules", "node_modules/@s"} {
		if err := f.tree.Bins(nm, []Bin{{Name: "x", Package: "node_modules/a", Target: "cli"}}); !errors.Is(err, ErrLocation) {
			t.Errorf("%q: error %v", nm, err)
		}
	}
	f.holds("node_modules/.bin", "good -> ../a/cli")
	if m := f.mode("victim.txt"); m != 0o600 {
		t.Errorf("the victim has mode %o", m)
	}
}

// A package may hold symlinks once its scripts ran; a command reached through one is not touched.
func TestBinsThroughSymlinks(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "cli", script)
	f.must(f.tree.Place(p, "node_modules/a", Options{Private: true}))
	f.write("victim/file", "#!x\r\n")
	f.symlink("../../victim", "node_modules/a/dir")
	f.symlink("../../victim/file", "node_modules/a/file")
	f.symlink("../victim", "node_modules/linked")
	err := f.tree.Bins("node_modules", []Bin{
		{Name: "file", Package: "node_modules/a", Target: "file"},
		{Name: "dir", Package: "node_modules/a", Target: "dir/file"},
		{Name: "linked", Package: "node_modules/linked", Target: "file"},
	})
	if !errors.Is(err, ErrBlocked) {
		t.Errorf("error %v", err)
	}
	f.holds("node_modules/.bin", "file -> ../a/file")
	f.holds("victim", "file #!x\r\n")
	if m := f.mode("victim/file"); m != 0o644 {
		t.Errorf("the victim has mode %o", m)
	}
	// .bin itself may be one too.
	f.must(os.RemoveAll(f.path("node_modules/.bin")))
	f.symlink("../victim", "node_modules/.bin")
	f.must(f.tree.RemoveBins("node_modules", []string{"file"}))
	f.must(f.tree.Bins("node_modules", []Bin{{Name: "a", Package: "node_modules/a", Target: "cli"}}))
	f.holds("node_modules/.bin", "a -> ../a/cli")
	f.holds("victim", "file #!x\r\n")
}

// The commands of a workspace are its own files: they become executable where they are.
func TestLinkedBins(t *testing.T) {
	f := newFixture(t)
	f.write("packages/w/cli.js", "#!/usr/bin/env node\r\nx\n")
	f.write("packages/w/lib/two", script)
	f.must(f.tree.Symlink("node_modules/w", "packages/w"))
	bins := []Bin{
		{Name: "w", Package: "node_modules/w", Target: "cli.js", Linked: true},
		{Name: "two", Package: "node_modules/w", Target: "lib/two", Linked: true},
		{Name: "none", Package: "node_modules/none", Target: "cli.js", Linked: true},
	}
	for range 2 {
		f.must(f.tree.Bins("node_modules", bins))
		f.holds("node_modules/.bin", "w -> ../w/cli.js", "two -> ../w/lib/two")
	}
	f.holds("packages/w", "cli.js #!/usr/bin/env node\nx\n", "lib/two "+script)
	if f.mode("packages/w/cli.js") != 0o755 || f.mode("packages/w/lib/two") != 0o755 {
		t.Error("not executable")
	}
}

func TestBinsReplaceWhatIsThere(t *testing.T) {
	f := newFixture(t)
	p := f.put("package.json", "{}", "cli*", script)
	f.place(p, "node_modules/a")
	f.write("node_modules/.bin/file", "theirs")
	f.write("node_modules/.bin/folder/x", "theirs")
	f.symlink("../b/cli", "node_modules/.bin/stale")
	f.symlink("../a/cli", "node_modules/.bin/same")
	f.write("node_modules/.bin/other", "theirs")
	before, err := os.Lstat(f.path("node_modules/.bin/same"))
	f.must(err)
	var bins []Bin
	for _, name := range []string{"file", "folder", "stale", "same"} {
		bins = append(bins, Bin{Name: name, Package: "node_modules/a", Target: "cli"})
	}
	f.must(f.tree.Bins("node_modules", bins))
	f.holds("node_modules/.bin", "file -> ../a/cli", "folder -> ../a/cli", "stale -> ../a/cli", "same -> ../a/cli", "other theirs")
	if after, _ := os.Lstat(f.path("node_modules/.bin/same")); !os.SameFile(before, after) {
		t.Error("a right link was made anew")
	}
	f.must(f.tree.RemoveBins("node_modules", []string{"file", "same", "other", "never", "../a", "", "."}))
	f.holds("node_modules/.bin", "folder -> ../a/cli", "stale -> ../a/cli", "other theirs")
	f.must(f.tree.RemoveBins("packages/none/node_modules", []string{"x"}))
	if err := f.tree.RemoveBins("src", []string{"x"}); !errors.Is(err, ErrLocation) {
		t.Errorf("error %v", err)
	}
	f.noneHidden()
}

func TestShebangs(t *testing.T) {
	long := "#!" + strings.Repeat("x", headBytes)
	for text, want := range map[string]bool{
		"#!/bin/sh\r\n": true, "#!x\r\n": true, "#!/bin/sh\r\r\n": true, "#!/usr/bin/env node\r\nmore\r\n": true,
		"": false, "#!": false, "#!\r\n": false, "#!/bin/sh\n": false, "#!/bin/sh\n\r\n": false, " #!/bin/sh\r\n": false, "#/bin/sh\r\n": false,
		"#!/bin/sh\r": false, "x\r\n": false, long + "\r\n": false,
	} {
		if got := hasCRLFShebang([]byte(text)[:min(len(text), headBytes)]); got != want {
			t.Errorf("%.30q: %v", text, got)
		}
	}
	in := []byte("#!a\r\nb\r\n")
	if got := withoutCR(in); string(got) != "#!a\nb\r\n" || string(in) != "#!a\r\nb\r\n" {
		t.Errorf("got %q from %q", got, in)
	}
}

func TestShimScripts(t *testing.T) {
	for _, c := range []struct{ head, cmd, sh string }{
		{"#!/usr/bin/env node\n", `"%program%" "%~dp0..\a\cli.js" %*`, `exec node "$here/../a/cli.js" "$@"`},
		{"#!/usr/bin/env -S A=1 node --flag\r\n", `"%program%" --flag "%~dp0..\a\cli.js" %*`, `exec node --flag "$here/../a/cli.js" "$@"`},
		{"#!/bin/sh -e\n", `"%program%" -e "%~dp0..\a\cli.js" %*`, `exec sh -e "$here/../a/cli.js" "$@"`},
		{"binary", `@"%~dp0..\a\cli.js" %*`, `exec "$here/../a/cli.js" "$@"`},
		{"#!/usr/bin/env node; rm -rf $HOME\n", `@"%~dp0..\a\cli.js" %*`, `exec "$here/../a/cli.js" "$@"`},
		{"#!\n", `@"%~dp0..\a\cli.js" %*`, `exec "$here/../a/cli.js" "$@"`},
	} {
		cmd, sh := shimScripts([]byte(c.head), "../a/cli.js")
		if !strings.Contains(cmd, c.cmd+"\r\n") || !strings.Contains(sh, c.sh+"\n") || !strings.Contains(cmd, shimMark) || !strings.Contains(sh, shimMark) {
			t.Errorf("%q gives\n%s%s", c.head, cmd, sh)
		}
	}
	// The shell half can be run here.
	f := newFixture(t)
	f.write("node_modules/a/cli.sh", "#!/bin/sh\necho ran \"$@\"\n")
	_, sh := shimScripts([]byte("#!/bin/sh\n"), "../a/cli.sh")
	f.write("node_modules/.bin/cmd", sh)
	out, err := runScript(f.path("node_modules/.bin/cmd"), "one", "two three")
	if err != nil || out != "ran one two three\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func runScript(path string, args ...string) (string, error) {
	out, err := exec.Command("/bin/sh", append([]string{path}, args...)...).CombinedOutput()
	return string(out), err
}

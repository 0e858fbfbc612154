package state

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// project makes a folder with inputs and entries of every kind and its record.
func project(t *testing.T) (string, *Record) {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "node_modules/a/node_modules/b"), 0o755))
	must(os.MkdirAll(filepath.Join(dir, "node_modules/.bin"), 0o755))
	must(os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name":"p"}`), 0o644))
	must(os.WriteFile(filepath.Join(dir, "node_modules/a/cli.js"), []byte("1"), 0o755))
	must(os.Symlink("../a/cli.js", filepath.Join(dir, "node_modules/.bin/a")))
	r := &Record{Settings: "node 20, omit \"dev\"", Packages: 2}
	for _, p := range []string{"package.json", ".npmrc"} {
		in, err := TakeInput(dir, p)
		must(err)
		r.Inputs = append(r.Inputs, in)
	}
	for _, p := range []string{"node_modules/a", "node_modules/a/node_modules/b", "node_modules/.bin/a"} {
		e, err := TakeEntry(dir, p)
		must(err)
		r.Entries = append(r.Entries, e)
	}
	return dir, r
}

func TestCheckNamesTheFirstDifference(t *testing.T) {
	rows := []struct {
		name string
		do   func(dir string) error
		want string
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"edited input", func(d string) error {
			return os.WriteFile(filepath.Join(d, "package.json"), []byte(`{"name":"q"}`), 0o644)
		}, "package.json changed"},
		{"input rewritten alike", func(d string) error {
			return os.WriteFile(filepath.Join(d, "package.json"), []byte(`{"name":"p"}`), 0o644)
		}, ""},
		{"input removed", func(d string) error { return os.Remove(filepath.Join(d, "package.json")) }, "package.json changed"},
		{"new npmrc", func(d string) error { return os.WriteFile(filepath.Join(d, ".npmrc"), nil, 0o644) }, ".npmrc changed"},
		{"folder removed", func(d string) error { return os.RemoveAll(filepath.Join(d, "node_modules/a/node_modules/b")) }, "node_modules/a/node_modules/b missing"},
		{"folder made again", func(d string) error {
			p := filepath.Join(d, "node_modules/a/node_modules/b")
			return errors.Join(os.Remove(p), os.Mkdir(p, 0o755))
		}, "node_modules/a/node_modules/b replaced"},
		{"folder became a link", func(d string) error {
			p := filepath.Join(d, "node_modules/a/node_modules/b")
			return errors.Join(os.Remove(p), os.Symlink("..", p))
		}, "node_modules/a/node_modules/b replaced"},
		{"bin retargeted", func(d string) error {
			p := filepath.Join(d, "node_modules/.bin/a")
			return errors.Join(os.Remove(p), os.Symlink("../a/other.js", p))
		}, "node_modules/.bin/a replaced"},
		{"a file inside a package", func(d string) error { return os.WriteFile(filepath.Join(d, "node_modules/a/x"), nil, 0o644) }, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir, r := project(t)
			if err := row.do(dir); err != nil {
				t.Fatal(err)
			}
			diff, found := r.Check(dir, r.Settings)
			if got := diff.String(); got != row.want || found != (row.want != "") {
				t.Errorf("Check = %q, %v, want %q", got, found, row.want)
			}
		})
	}
}

func TestCheckComparesSettings(t *testing.T) {
	dir, r := project(t)
	if _, found := r.Check(dir, "node 22"); !found {
		t.Error("other settings were not noticed")
	}
	if _, found := new(Record).Check(dir, ""); !found {
		t.Error("the zero record vouched for a project")
	}
}

func TestRecordSurvivesTheDisk(t *testing.T) {
	dir, r := project(t)
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Marshal(), r.Marshal()) {
		t.Errorf("read back\n%s\nwrote\n%s", got.Marshal(), r.Marshal())
	}
	if diff, found := got.Check(dir, r.Settings); found {
		t.Errorf("differs after reading back: %v", diff)
	}
	if err := Suspend(dir); err != nil {
		t.Fatal(err)
	}
	got, err = Read(dir)
	if err != nil || len(got.Entries) != len(r.Entries) {
		t.Fatalf("after Suspend: %v, %v", got, err)
	}
	for _, settings := range []string{"", r.Settings} {
		if _, found := got.Check(dir, settings); !found {
			t.Errorf("it vouches for settings %q after Suspend", settings)
		}
	}
	if list := got.Replaced(dir); len(list) != 0 {
		t.Errorf("replaced: %v", list)
	}
	if err := os.Truncate(filepath.Join(dir, File), 10); err != nil {
		t.Fatal(err)
	}
	if r.Unfinished() || got.Unfinished() {
		t.Error("a record with entries is called unfinished")
	}
	for range 2 { // a damaged one, and then one that is as it has to be
		if err := Suspend(dir); err != nil {
			t.Fatal(err)
		}
		if r, err := Read(dir); err != nil || !r.Unfinished() {
			t.Errorf("a damaged record after Suspend: %+v, %v", r, err)
		}
	}
	if (*Record)(nil).Unfinished() {
		t.Error("no record is called unfinished")
	}
}

func TestSuspendWithoutModules(t *testing.T) {
	dir := t.TempDir()
	if err := Suspend(dir); err != nil {
		t.Fatal(err)
	}
	if r, err := Read(dir); err != nil || !r.Unfinished() {
		t.Errorf("%+v, %v", r, err)
	}
	other := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(other, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := Suspend(other); err != nil {
		t.Errorf("node_modules is a link: %v", err)
	}
	if _, err := Read(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written through a link: %v", err)
	}
}

func TestReplacedNamesThemAll(t *testing.T) {
	dir, r := project(t)
	inner, bin := filepath.Join(dir, "node_modules/a/node_modules/b"), filepath.Join(dir, "node_modules/.bin/a")
	if err := errors.Join(os.Remove(inner), os.Mkdir(inner, 0o755), os.Remove(bin)); err != nil {
		t.Fatal(err)
	}
	got := r.Replaced(dir)
	if want := []string{"node_modules/a/node_modules/b", "node_modules/.bin/a"}; !slices.Equal(got, want) {
		t.Errorf("Replaced = %q, want %q", got, want)
	}
}

func TestCutRecordIsDamaged(t *testing.T) {
	_, r := project(t)
	whole := r.Marshal()
	for n := range whole {
		if n == len(whole)-1 {
			continue // only the last newline is missing: nothing is lost
		}
		if _, err := Parse(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d of %d: %v", n, len(whole), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("weft state 1\nsettings \"x\"\npackages 1\ninput absent \"\" \".npmrc\"\nentry \"1.2\" \"\" \"node_modules/a\"\nend 2\n"))
	f.Add([]byte("weft state 1\nend 0\n"))
	f.Add([]byte("weft state 1\nentry \"\nend 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		again, err := Parse(r.Marshal())
		if err != nil || !bytes.Equal(again.Marshal(), r.Marshal()) {
			t.Fatalf("does not survive: %v", err)
		}
	})
}

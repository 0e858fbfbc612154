package install

import (
	"errors"
	"os"
	"strings"
	"testing"

	"weft/install/report"
	"weft/npm/lockfile"
)

// TestOlderLockfiles: the versions of lockfiles 1 and 2 are kept, and only the
// form is brought up to date, as npm does.
func TestOlderLockfiles(t *testing.T) {
	for _, version := range []int{1, 2} {
		s := newSite(t, basicProject, basics)
		s.run()
		f, err := lockfile.Parse([]byte(s.read("package-lock.json")))
		if err != nil {
			t.Fatal(err)
		}
		f.LockfileVersion = version
		text := strings.ReplaceAll(string(f.Marshal(lockfile.Format{Indent: "  ", Newline: "\n"})), "1.1.0", "1.0.0")
		// leaf is held at an older version than the newest that fits.
		old := s.sibling(basicProject)
		sri := old.sriOf("leaf", "1.0.0")
		text = strings.ReplaceAll(text, old.sriOf("leaf", "1.1.0"), sri)
		old.write("package-lock.json", text)
		old.run()
		if v := old.version("node_modules/leaf"); v != "1.0.0" {
			t.Errorf("version %d: leaf is %s", version, v)
		}
		got, err := lockfile.Parse([]byte(old.read("package-lock.json")))
		if err != nil {
			t.Fatal(err)
		}
		want := max(version, 2) // npm raises 1 to its default, 3, and leaves 2 and 3
		if version == 1 {
			want = 3
		}
		if got.LockfileVersion != want {
			t.Errorf("version %d became %d, want %d", version, got.LockfileVersion, want)
		}
		old.settled()
		old.run(ci)
		old.settled()
		if old.run(flag("lockfile-version", "2")); !strings.Contains(old.read("package-lock.json"), `"lockfileVersion": 2`) {
			t.Errorf("lockfile-version=2 gives\n%s", old.read("package-lock.json"))
		}
	}
}

// sriOf is the integrity of a published version.
func (s *site) sriOf(name, version string) string {
	s.Helper()
	text, err := s.reg.Packument(name, true)
	if err != nil {
		s.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `"`+version+`":{`)
	_, rest, _ = strings.Cut(rest, `"integrity":"`)
	sri, _, _ := strings.Cut(rest, `"`)
	return sri
}

func TestShrinkwrap(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	if err := os.Rename(s.at("package-lock.json"), s.at("npm-shrinkwrap.json")); err != nil {
		t.Fatal(err)
	}
	if s.run().UpToDate {
		t.Error("the lockfile's new name went unnoticed")
	}
	s.has("npm-shrinkwrap.json", "!package-lock.json")
	s.settled()
	s.write("package.json", strings.Replace(basicProject, `"lone": "*"`, `"lone": "*", "leaf": "1.0.0"`, 1))
	s.run()
	s.has("!package-lock.json")
	if !strings.Contains(s.read("npm-shrinkwrap.json"), `"leaf": "1.0.0"`) {
		t.Error("npm-shrinkwrap.json was not written")
	}
	s.run(ci)
	s.settled()
}

// TestLayoutOfPackageJSON: the lockfile has package.json's indentation and line
// ends, and package.json itself is never written.
func TestLayoutOfPackageJSON(t *testing.T) {
	pretty := "{\n  \"name\": \"p\",\n  \"dependencies\": {\n    \"leaf\": \"1\"\n  }\n}\n"
	for _, row := range []struct{ name, manifest, want string }{
		{"spaces", pretty, "{\n  \"name\": \"p\",\n"},
		{"tabs", strings.ReplaceAll(pretty, "  ", "\t"), "{\n\t\"name\": \"p\",\n"},
		{"CRLF", strings.ReplaceAll(pretty, "\n", "\r\n"), "{\r\n  \"name\": \"p\",\r\n"},
		{"tabs and CRLF", strings.ReplaceAll(strings.ReplaceAll(pretty, "  ", "\t"), "\n", "\r\n"), "{\r\n\t\"name\": \"p\",\r\n"},
		{"BOM", "\ufeff" + pretty, "{\n  \"name\": \"p\",\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, row.manifest, basics)
			s.run()
			if lock := s.read("package-lock.json"); !strings.HasPrefix(lock, row.want) {
				t.Errorf("the lockfile begins %q", lock[:40])
			}
			if s.read("package.json") != row.manifest {
				t.Error("package.json was written")
			}
			s.settled()
		})
	}
}

func TestLockfileThatIsALink(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.write("real/lock.json", "{}")
	if err := os.Symlink("real/lock.json", s.at("package-lock.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.at("real/lock.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run()
	if end, err := os.Readlink(s.at("package-lock.json")); err != nil || end != "real/lock.json" {
		t.Errorf("the link leads to %q, %v", end, err)
	}
	if !strings.Contains(s.read("real/lock.json"), `"node_modules/app"`) {
		t.Error("what the link leads to was not written")
	}
	if st, err := os.Stat(s.at("real/lock.json")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", st.Mode(), err)
	}
	s.settled()
}

// TestANodeModulesThatIsNone: a link or a file goes, what a link leads to stays.
func TestANodeModulesThatIsNone(t *testing.T) {
	for _, row := range []struct {
		name string
		make func(s *site) error
	}{
		{"a link to an empty folder", func(s *site) error {
			return errors.Join(os.Mkdir(s.at("elsewhere"), 0o755), os.Symlink("elsewhere", s.at("node_modules")))
		}},
		{"a link to itself moved away", func(s *site) error {
			s.run()
			return errors.Join(os.Rename(s.at("node_modules"), s.at("elsewhere")), os.Symlink("elsewhere", s.at("node_modules")))
		}},
		{"a link to nothing", func(s *site) error { return os.Symlink("nowhere", s.at("node_modules")) }},
		{"a file", func(s *site) error { return os.WriteFile(s.at("node_modules"), []byte("x"), 0o644) }},
	} {
		for _, mode := range []string{"install", "ci"} {
			t.Run(row.name+", "+mode, func(t *testing.T) {
				s := newSite(t, basicProject, basics)
				change := []func(*Options){}
				if mode == "ci" {
					s.run(func(o *Options) { o.LockOnly = true })
					change = append(change, ci)
				}
				if err := row.make(s); err != nil {
					t.Fatal(err)
				}
				before := map[string]string{}
				for name, what := range s.snapshot() {
					if strings.HasPrefix(name, "elsewhere/") {
						before[name] = what
					}
				}
				s.run(change...)
				if st, err := os.Lstat(s.at("node_modules")); err != nil || !st.IsDir() {
					t.Fatalf("node_modules is %v, %v", st, err)
				}
				s.has("node_modules/app/index.js")
				after := s.snapshot()
				for name, what := range before {
					if after[name] != what {
						t.Errorf("%s was changed", name)
					}
				}
				s.remove("elsewhere")
				s.settled()
			})
		}
	}
	t.Run("nothing to install", func(t *testing.T) {
		s := newSite(t, `{"name": "p"}`, "")
		s.write("node_modules", "x")
		s.run()
		if s.read("node_modules") != "x" {
			t.Error("a file that is in nobody's way was changed")
		}
	})
}

// TestBrokenProjects fail with words and leave everything alone.
func TestBrokenProjects(t *testing.T) {
	for _, row := range []struct{ name, file, text, code string }{
		{"package.json", "package.json", "{", report.CodeManifest},
		{"lockfile", "package-lock.json", "{", report.CodeLockfile},
		{"shrinkwrap", "npm-shrinkwrap.json", "[", report.CodeLockfile},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, basicProject, basics)
			s.run()
			s.write(row.file, row.text)
			before := s.snapshot()
			words, _ := s.fails()
			if !strings.Contains(words, row.code) {
				t.Errorf("it says:\n%s", words)
			}
			if diff := difference(before, s.snapshot()); diff != "" {
				t.Errorf("it changed:\n%s", diff)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		s := newSite(t, "", "")
		s.remove("package.json")
		if words, _ := s.fails(); !strings.Contains(words, report.CodeManifest) {
			t.Errorf("it says:\n%s", words)
		}
	})
}

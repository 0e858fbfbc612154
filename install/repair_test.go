package install

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// TestRepairs: whatever is done to node_modules behind weft's back is noticed and
// put right, with nothing from the network and no more than that placed.
func TestRepairs(t *testing.T) {
	for _, row := range []struct {
		name string
		do   func(s *site) error
		// changed are the packages placed anew, -1 for any number.
		placed int
	}{
		{"a package's folder is gone", func(s *site) error { return os.RemoveAll(s.at("node_modules/leaf")) }, 1},
		{"a nested package is gone", func(s *site) error { return os.RemoveAll(s.at("node_modules/app/node_modules/leaf")) }, 1},
		{"a scope is gone", func(s *site) error { return os.RemoveAll(s.at("node_modules/@s")) }, 1},
		{"a folder was replaced by hand", func(s *site) error {
			text := s.read("node_modules/leaf/package.json")
			err := os.RemoveAll(s.at("node_modules/leaf"))
			s.write("node_modules/leaf/package.json", text)
			return err
		}, 1},
		{"a folder with nested packages was replaced by hand", func(s *site) error {
			text := s.read("node_modules/app/package.json")
			err := os.RemoveAll(s.at("node_modules/app"))
			s.write("node_modules/app/package.json", text)
			return err
		}, 2},
		{"a nested folder was replaced by hand", func(s *site) error {
			text := s.read("node_modules/app/node_modules/leaf/package.json")
			err := os.RemoveAll(s.at("node_modules/app/node_modules/leaf"))
			s.write("node_modules/app/node_modules/leaf/package.json", text)
			return err
		}, 1},
		{"a folder became another version", func(s *site) error {
			err := os.RemoveAll(s.at("node_modules/leaf"))
			s.write("node_modules/leaf/package.json", `{"name": "leaf", "version": "0.1.0"}`)
			return err
		}, 1},
		{"a folder became a link", func(s *site) error {
			return errors.Join(os.Rename(s.at("node_modules/leaf"), s.at("elsewhere")), os.Symlink("../elsewhere", s.at("node_modules/leaf")))
		}, 1},
		{"a folder became a file", func(s *site) error {
			err := os.RemoveAll(s.at("node_modules/leaf"))
			s.write("node_modules/leaf", "x")
			return err
		}, 1},
		{"a command is gone", func(s *site) error { return os.Remove(s.at("node_modules/.bin/tool")) }, 0},
		{"a command leads elsewhere", func(s *site) error {
			return errors.Join(os.Remove(s.at("node_modules/.bin/tool")), os.Symlink("../leaf/index.js", s.at("node_modules/.bin/tool")))
		}, 0},
		{"a command is a file", func(s *site) error {
			err := os.Remove(s.at("node_modules/.bin/tool"))
			s.write("node_modules/.bin/tool", "x")
			return err
		}, 0},
		{"all commands are gone", func(s *site) error { return os.RemoveAll(s.at("node_modules/.bin")) }, 0},
		{"a bundled package is gone", func(s *site) error { return os.RemoveAll(s.at("node_modules/holder/node_modules/inner")) }, -1},
		{"a bundled package was replaced by hand", func(s *site) error {
			text := s.read("node_modules/holder/node_modules/inner/package.json")
			err := os.RemoveAll(s.at("node_modules/holder/node_modules/inner"))
			s.write("node_modules/holder/node_modules/inner/package.json", text)
			return err
		}, -1},
		{"everything is gone", func(s *site) error { return os.RemoveAll(s.at("node_modules")) }, -1},
		{"everything was replaced by copies", func(s *site) error {
			return errors.Join(os.CopyFS(s.at("copy"), os.DirFS(s.at("node_modules"))), os.RemoveAll(s.at("node_modules")), os.Rename(s.at("copy"), s.at("node_modules")))
		}, -1},
		{"a stray package", func(s *site) error {
			s.write("node_modules/stray/package.json", `{"name": "stray", "version": "1.0.0"}`)
			return os.Remove(s.at("node_modules/.weft-state"))
		}, 0},
		{"the record and the hidden lockfile are gone", func(s *site) error {
			return errors.Join(os.Remove(s.at("node_modules/.weft-state")), os.Remove(s.at(hiddenLock)))
		}, 0},
		{"the record is cut and a command is gone", func(s *site) error {
			return errors.Join(os.Truncate(s.at("node_modules/.weft-state"), 40), os.Remove(s.at("node_modules/.bin/tool")))
		}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, `{"name": "p", "dependencies": {"app": "1", "leaf": "2", "holder": "1"}}`, basics+`
-- holder@1.0.0/package.json --
{"dependencies": {"inner": "1"}, "bundleDependencies": ["inner"]}
-- holder@1.0.0/node_modules/inner/package.json --
{"name": "inner", "version": "1.0.0"}
-- holder@1.0.0/node_modules/inner/index.js --
inner
`)
			s.run()
			want := s.snapshot()
			if err := row.do(s); err != nil {
				t.Fatal(err)
			}
			s.quiet(func() {
				sum := s.run()
				if sum.UpToDate {
					t.Error("it went unnoticed")
				}
				if n := sum.Added + sum.Changed; row.placed >= 0 && n != row.placed {
					t.Errorf("%d packages were placed, want %d: %+v", n, row.placed, sum)
				}
			})
			s.remove("elsewhere")
			if diff := difference(want, s.snapshot()); diff != "" {
				t.Errorf("not as it was:\n%s", diff)
			}
			s.settled()
		})
	}
}

// TestRepairAfterARunThatWasCut: what was replaced by hand is remembered past a
// run that did not come to its end.
func TestRepairAfterARunThatWasCut(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	text := s.read("node_modules/leaf/package.json")
	s.remove("node_modules/leaf")
	s.write("node_modules/leaf/package.json", text)
	s.write("package.json", strings.Replace(basicProject, `"app": "^1.0.0"`, `"app": "^1.0.0", "absent": "1"`, 1))
	s.fails()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, s.options()); err == nil {
		t.Error("a cancelled run succeeded")
	}
	s.write("package.json", basicProject)
	s.run()
	s.settled()
}

// TestAStoreThatLostAFile is mended while placing.
func TestAStoreThatLostAFile(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	var lost int
	for _, entry := range s.storeFiles() {
		if strings.HasSuffix(entry, "/index.js") {
			if err := os.Remove(entry); err != nil {
				t.Fatal(err)
			}
			lost++
		}
	}
	if lost != 4 {
		t.Fatalf("%d files removed", lost)
	}
	s.remove("node_modules")
	s.run()
	s.settled()
}

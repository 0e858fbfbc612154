package install

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"weft/install/report"
	"weft/internal/regtest"
	"weft/npm/integrity"
	"weft/npm/registry"
)

// TestRequiredFailure: the error says which package and who wants it, nothing
// half-made is left, what worked goes on working, and the next run succeeds.
func TestRequiredFailure(t *testing.T) {
	const newer = `{"name": "p", "version": "1.0.0", "dependencies": {"app": "^1.0.0", "leaf": "^2.0.0", "top": "1"}, "devDependencies": {"lone": "*"}}`
	const more = `
-- top@1.0.0/package.json --
{"dependencies": {"mid": "1"}}
-- mid@1.0.0/package.json --
{"dependencies": {"bottom": "1"}}
-- bottom@1.0.0/package.json --
{}
`
	for _, row := range []struct {
		name  string
		fault regtest.Fault
		is    func(error) bool
	}{
		{"corrupt", regtest.Fault{Kind: regtest.Corrupt, On: regtest.Tarballs}, func(err error) bool {
			m := (*integrity.MismatchError)(nil)
			return errors.As(err, &m)
		}},
		{"not found", regtest.Fault{Kind: regtest.Answer, Status: 404, On: regtest.Tarballs}, func(err error) bool { return errors.Is(err, registry.ErrNotFound) }},
		{"down", regtest.Fault{Kind: regtest.Drop, On: regtest.Tarballs}, func(err error) bool {
			n := (*registry.NetworkError)(nil)
			return errors.As(err, &n)
		}},
		{"no document", regtest.Fault{Kind: regtest.Answer, Status: 404, On: regtest.Packuments}, func(err error) bool { return errors.Is(err, registry.ErrNotFound) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, newer, basics+more)
			s.reg.Fail("bottom", row.fault)
			check := func(change ...func(*Options)) {
				t.Helper()
				words, err := s.fails(change...)
				if !row.is(err) {
					t.Errorf("error %v", err)
				}
				for _, want := range []string{"bottom@", "top@1.0.0 > mid@1.0.0"} {
					if !strings.Contains(words, want) {
						t.Errorf("the words lack %q:\n%s", want, words)
					}
				}
				s.whole()
				s.has("!node_modules/bottom")
			}
			check() // from nothing
			s.has("!package-lock.json")

			s.remove("node_modules")
			s.write("package.json", basicProject)
			s.run()
			before := s.snapshot()
			s.write("package.json", newer)
			check() // over a tree that works
			s.write("package.json", basicProject)
			if diff := difference(before, s.snapshot()); diff != "" {
				t.Errorf("what worked was changed:\n%s", diff)
			}

			s.write("package.json", newer)
			s.reg.Heal("bottom")
			s.run()
			s.has("node_modules/bottom", "node_modules/app/node_modules/leaf")
			s.settled()
		})
	}
}

// TestOneFailureEndsAll: a package that is needed and not to be had ends the
// install although another one hangs that comes before it.
func TestOneFailureEndsAll(t *testing.T) {
	s := newSite(t, `{"name": "p", "dependencies": {"a-hangs": "1", "z-fails": "1"}}`, "-- a-hangs@1.0.0/ --\n-- z-fails@1.0.0/ --\n")
	s.reg.Fail("a-hangs", regtest.Fault{Kind: regtest.Hang, On: regtest.Tarballs})
	s.reg.Fail("z-fails", regtest.Fault{Kind: regtest.Answer, Status: 404, On: regtest.Tarballs})
	words, _ := s.fails(flag("fetch-timeout", "100000000"))
	if !strings.Contains(words, "z-fails@1.0.0") || strings.Contains(words, "a-hangs") {
		t.Errorf("it says:\n%s", words)
	}
}

func TestOptional(t *testing.T) {
	const project = `{"name": "p", "dependencies": {"plain": "1"}, "optionalDependencies": {"extra": "1"}}`
	const packages = `
-- plain@1.0.0/package.json --
{"dependencies": {"shared": "1"}}
-- shared@1.0.0/package.json --
{}
-- shared@2.0.0/package.json --
{}
-- extra@1.0.0/package.json --
{"dependencies": {"below": "1", "shared": "2"}, "bin": "index.js"}
-- below@1.0.0/package.json --
{"dependencies": {"deep": "1"}, "bin": "index.js"}
-- deep@1.0.0/package.json --
{}
`
	tarballs := func(kind regtest.Kind) regtest.Fault {
		return regtest.Fault{Kind: kind, On: regtest.Tarballs, Status: 404}
	}
	for _, row := range []struct {
		name, strikes string
		fault         regtest.Fault
		locked        string // of the lockfile: what must be in it, or with ! must not
	}{
		{"no document", "extra", regtest.Fault{Kind: regtest.Answer, Status: 404, On: regtest.Packuments}, "!extra !below !deep"},
		{"no document of what it needs", "deep", regtest.Fault{Kind: regtest.Answer, Status: 404, On: regtest.Packuments}, ""},
		{"no tarball", "extra", tarballs(regtest.Answer), "extra below deep"},
		{"a corrupt tarball", "extra", tarballs(regtest.Corrupt), "extra below deep"},
		{"no tarball of what it needs", "deep", tarballs(regtest.Answer), "extra below deep"},
		{"a corrupt tarball of what it needs", "below", tarballs(regtest.Corrupt), "extra below deep"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, project, packages)
			s.reg.Fail(row.strikes, row.fault)
			s.run()
			gone := []string{"!node_modules/extra", "!node_modules/below", "!node_modules/deep", "!node_modules/.bin/extra", "!node_modules/.bin/below"}
			s.has(append(gone, "node_modules/plain")...)
			shared := "node_modules/plain/node_modules/shared" // if extra has one at the top
			if row.strikes == "extra" && row.locked[0] == '!' {
				shared = "node_modules/shared"
			}
			if v := s.version(shared); v != "1.0.0" {
				t.Errorf("shared is %s", v)
			}
			lock := s.read("package-lock.json")
			for _, name := range strings.Fields(row.locked) {
				name, absent := strings.CutPrefix(name, "!")
				if strings.Contains(lock, `"node_modules/`+name+`"`) == absent {
					t.Errorf("lockfile and %s:\n%s", name, lock)
				}
			}
			s.settled()

			// Over a tree that has it, the failure takes nothing away: all is in place.
			s.remove("node_modules", "package-lock.json")
			s.reg.Heal(row.strikes)
			s.run()
			s.has("node_modules/extra", "node_modules/below", "node_modules/deep", "node_modules/.bin/extra", "node_modules/.bin/below")
			s.settled()
			s.reg.Fail(row.strikes, row.fault)
			s.remove("node_modules/.weft-state")
			s.run()
			s.settled()
			s.has("node_modules/extra", "node_modules/below")
		})
	}
}

// TestOptionalUpgradeThatFails: the old version goes, for it is not wanted, and
// so do the commands of what falls with it.
func TestOptionalUpgradeThatFails(t *testing.T) {
	s := newSite(t, `{"name": "p", "optionalDependencies": {"extra": "1"}}`, `
-- extra@1.0.0/package.json --
{"dependencies": {"below": "1"}}
-- extra@2.0.0/package.json --
{"dependencies": {"below": "1"}}
-- below@1.0.0/package.json --
{"bin": "index.js"}
`)
	s.run()
	s.has("node_modules/.bin/below")
	s.write("package.json", `{"name": "p", "optionalDependencies": {"extra": "2"}}`)
	s.reg.Fail("extra", regtest.Fault{Kind: regtest.Corrupt, On: regtest.Tarballs})
	s.run()
	s.has("!node_modules/extra", "!node_modules/below", "!node_modules/.bin/below")
	s.settled()
}

// TestOptionalOfAnotherPlatform is not downloaded, nor is what only it needs.
func TestOptionalOfAnotherPlatform(t *testing.T) {
	s := newSite(t, `{"name": "p", "dependencies": {"host": "1"}}`, `
-- host@1.0.0/package.json --
{"optionalDependencies": {"for-none": "1"}}
-- for-none@1.0.0/package.json --
{"os": ["plan9"], "dependencies": {"only-there": "1"}}
-- only-there@1.0.0/package.json --
{}
`)
	s.run()
	s.has("!node_modules/for-none", "!node_modules/only-there")
	for _, name := range []string{"for-none", "only-there"} {
		if !strings.Contains(s.read("package-lock.json"), `"node_modules/`+name+`"`) {
			t.Errorf("%s is not in the lockfile", name)
		}
	}
	downloaded := func(names ...string) {
		t.Helper()
		for _, q := range s.reg.Requests() {
			if q.Tarball && slices.Contains(names, q.Package) {
				t.Errorf("downloaded %s", q.Path)
			}
		}
	}
	// What it needs is looked up for the lockfile, and so may be downloaded on
	// speculation; with a lockfile there is none.
	downloaded("for-none")
	s.settled()
	if err := os.RemoveAll(s.store); err != nil {
		t.Fatal(err)
	}
	s.run(ci)
	s.has("!node_modules/for-none", "!node_modules/only-there")
	downloaded("for-none", "only-there")
}

// TestOptionalDirectoryThatFails: what a directory of the user's needs cannot be
// had. The link goes; the directory is nobody's to remove.
func TestOptionalDirectoryThatFails(t *testing.T) {
	s := newSite(t, `{"name": "p", "optionalDependencies": {"mine": "file:mine"}}`, "-- absent@1.0.0/ --\n")
	s.write("mine/package.json", `{"name": "mine", "version": "1.0.0", "dependencies": {"absent": "1"}}`)
	s.reg.Fail("absent", regtest.Fault{Kind: regtest.Corrupt, On: regtest.Tarballs})
	s.run()
	s.has("mine/package.json", "!node_modules/absent")
}

func TestCI(t *testing.T) {
	s := newSite(t, basicProject, basics)
	words, _ := s.fails(ci)
	if !strings.Contains(words, report.CodeNoLockfile) {
		t.Errorf("without a lockfile:\n%s", words)
	}
	s.run()
	want := s.snapshot()
	s.write("node_modules/stray/package.json", "{}")
	s.write("node_modules/.hidden/file", "x")
	s.write("node_modules/leaf/added.js", "x")
	s.write("node_modules/@s/other/package.json", "{}")
	s.quiet(func() { s.counts(s.run(ci), 4, 0, 0, 0) })
	if diff := difference(want, s.snapshot()); diff != "" {
		t.Errorf("after ci:\n%s", diff)
	}
	s.settled()
}

// TestCIThatFails leaves everything as it was, also the record: the install that
// was there is still up to date.
func TestCIThatFails(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	before := s.snapshot()
	if err := os.RemoveAll(s.store); err != nil {
		t.Fatal(err)
	}
	s.reg.Fail("leaf", regtest.Fault{Kind: regtest.Corrupt, On: regtest.Tarballs})
	words, _ := s.fails(ci)
	if !strings.Contains(words, "leaf@1.1.0") {
		t.Errorf("it says:\n%s", words)
	}
	if diff := difference(before, s.snapshot()); diff != "" {
		t.Errorf("a ci that failed left:\n%s", diff)
	}
	s.settled()

	s.write("package.json", strings.Replace(basicProject, `"lone": "*"`, `"lone": "*", "leaf": "2"`, 1))
	words, _ = s.fails(ci)
	if !strings.Contains(words, report.CodeLockStale) {
		t.Errorf("a stale lockfile:\n%s", words)
	}
	s.write("package.json", basicProject)
	s.settled()
}

// TestEditWhileInstalling: a package.json that is edited while an install goes on
// is not vouched for.
func TestEditWhileInstalling(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.reg.Fail("leaf", regtest.Fault{Kind: regtest.Hang, On: regtest.Tarballs, Times: 1})
	edited := strings.Replace(basicProject, `"app": "^1.0.0"`, `"app": "^1.0.0", "leaf": "2"`, 1)
	done := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), s.options(flag("fetch-timeout", "300"))) // then it is asked again
		done <- err
	}()
	for asked := false; !asked; {
		if err := s.reg.Await(t.Context(), len(s.reg.Requests())+1); err != nil {
			t.Fatal(err)
		}
		for _, q := range s.reg.Requests() {
			asked = asked || q.Tarball && q.Package == "leaf"
		}
	}
	s.write("package.json", edited)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s.run().UpToDate {
		t.Fatal("the edit went unnoticed")
	}
	if v := s.version("node_modules/leaf"); v != "2.0.0" {
		t.Errorf("leaf is %s", v)
	}
	s.settled()
}

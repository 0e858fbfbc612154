package install

import (
	"os"
	"strings"
	"testing"
	"time"
)

// basics is a small universe: a tree of three, two majors, a scope, commands.
const basics = `
-- app@1.2.0/package.json --
{"dependencies": {"leaf": "^1.0.0", "@s/tool": "1"}}
-- leaf@1.0.0/package.json --
{}
-- leaf@1.1.0/package.json --
{"license": "MIT"}
-- leaf@2.0.0/package.json --
{"bin": "cli.js"}
-- leaf@2.0.0/cli.js --
#!/usr/bin/env node
-- @s/tool@1.0.0/package.json --
{"bin": {"tool": "bin/tool.js", "tool-too": "./bin/tool.js"}}
-- @s/tool@1.0.0/bin/tool.js --
#!/usr/bin/env node
-- lone@3.0.0/package.json --
{"deprecated": "gone"}
`

const basicProject = `{"name": "p", "version": "1.0.0", "dependencies": {"app": "^1.0.0"}, "devDependencies": {"lone": "*"}}`

func TestFreshInstall(t *testing.T) {
	s := newSite(t, basicProject, basics)
	sum := s.run()
	s.counts(sum, 4, 0, 0, 0)
	if sum.UpToDate || sum.Bytes == 0 {
		t.Errorf("summary %+v", sum)
	}
	s.has("node_modules/app/index.js", "node_modules/leaf", "node_modules/@s/tool", "node_modules/lone",
		"node_modules/.bin/tool", "node_modules/.bin/tool-too", "node_modules/.package-lock.json", "package-lock.json")
	if v := s.version("node_modules/leaf"); v != "1.1.0" {
		t.Errorf("leaf %s", v)
	}
	s.settled()
}

func TestNothingToInstall(t *testing.T) {
	s := newSite(t, `{"name": "p"}`, "")
	s.counts(s.run(), 0, 0, 0, 0)
	s.has("package-lock.json")
	s.run()
	s.counts(s.run(ci), 0, 0, 0, 0)
}

// TestEdits: after a change of package.json the tree is what a fresh install of
// the new one would be, but for versions that the lockfile holds.
func TestEdits(t *testing.T) {
	for _, row := range []struct {
		name, manifest string
		added, changed int
		removed, kept  int
		has            string
	}{
		{"added", `{"name": "p", "version": "1.0.0", "dependencies": {"app": "^1.0.0", "leaf": "^2.0.0"}, "devDependencies": {"lone": "*"}}`,
			1, 1, 0, 3, "node_modules/app/node_modules/leaf node_modules/.bin/leaf"},
		{"removed", `{"name": "p", "version": "1.0.0", "devDependencies": {"lone": "*"}}`,
			0, 0, 3, 1, "!node_modules/app !node_modules/leaf !node_modules/@s !node_modules/.bin/tool !node_modules/.bin/tool-too"},
		{"changed range", `{"name": "p", "version": "1.0.0", "dependencies": {"app": "^1.0.0", "leaf": "1.0.0"}, "devDependencies": {"lone": "*"}}`,
			0, 1, 0, 3, "node_modules/leaf"},
		{"moved to devDependencies", `{"name": "p", "version": "1.0.0", "devDependencies": {"lone": "*", "app": "^1.0.0"}}`,
			0, 0, 0, 4, "node_modules/app"},
		{"all removed", `{"name": "p", "version": "1.0.0"}`,
			0, 0, 4, 0, "!node_modules/app !node_modules/lone !node_modules/@s"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t, basicProject, basics)
			s.run()
			s.write("package.json", row.manifest)
			s.counts(s.run(), row.added, row.changed, row.removed, row.kept)
			s.has(strings.Fields(row.has)...)
			s.settled()

			s.write("package.json", basicProject) // and back
			s.run()
			s.settled()
		})
	}
}

func TestKeptPackagesAreNotTouched(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	before, err := os.Stat(s.at("node_modules/app/index.js"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("package.json", strings.Replace(basicProject, `"app": "^1.0.0"`, `"app": "^1.0.0", "leaf": "1.0.0"`, 1))
	s.run()
	after, err := os.Stat(s.at("node_modules/app/index.js"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("a package that is kept was placed anew")
	}
}

// TestSettingsAreNoticed: the record does not vouch for an install under other
// settings.
func TestSettingsAreNoticed(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	s.write(".npmrc", "legacy-peer-deps=true\n")
	if s.run().UpToDate {
		t.Error("a new .npmrc went unnoticed")
	}
	s.settled()
	s.write(".npmrc", "legacy-peer-deps=true\n# a comment\n")
	if s.run().UpToDate {
		t.Error("an edited .npmrc went unnoticed")
	}
	s.remove(".npmrc")
	if s.run().UpToDate {
		t.Error("a removed .npmrc went unnoticed")
	}
	if s.run(flag("legacy-peer-deps", "true")).UpToDate {
		t.Error("a flag went unnoticed")
	}
	s.node = "18.0.0"
	if s.run(flag("legacy-peer-deps", "true")).UpToDate {
		t.Error("another Node went unnoticed")
	}
}

func TestOmit(t *testing.T) {
	s := newSite(t, basicProject, basics)
	lean := flag("omit", "dev")
	s.counts(s.run(lean), 3, 0, 0, 0)
	s.has("!node_modules/lone")
	s.settled(lean)
	s.counts(s.run(), 1, 0, 0, 3)
	s.has("node_modules/lone")
	s.settled()
	s.counts(s.run(lean), 0, 0, 1, 3)
	s.has("!node_modules/lone")
	s.settled(lean)
	s.counts(s.run(ci, lean), 3, 0, 0, 0)
	s.has("!node_modules/lone")
}

// TestOmitDownloadsNothingInVain: without a lockfile, what is left out is looked
// up for it and not downloaded.
func TestOmitDownloadsNothingInVain(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run(flag("omit", "dev"))
	for _, q := range s.reg.Requests() {
		if q.Tarball && q.Package == "lone" {
			t.Error("what is left out was downloaded")
		}
	}
}

func TestWithoutALockfile(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.write(".npmrc", "package-lock=false\n")
	s.run()
	s.has("!package-lock.json", "node_modules/app")
	s.settled()
	s.write("package-lock.json", `{"name": "p", "lockfileVersion": 3, "packages": {}}`)
	text := s.read("package-lock.json")
	s.run()
	if s.read("package-lock.json") != text {
		t.Error("a lockfile that is not used was written")
	}
	s.whole()
}

func TestLockOnly(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run(func(o *Options) { o.LockOnly = true })
	s.has("package-lock.json", "!node_modules")
	locked := s.read("package-lock.json")
	for _, q := range s.reg.Requests() {
		if q.Tarball {
			t.Errorf("downloaded %s", q.Path)
		}
	}
	s.run()
	if s.read("package-lock.json") != locked {
		t.Error("installing changed the lockfile")
	}
	s.settled()
}

// TestHiddenLockfileIsNewest: npm trusts its hidden lockfile only if no folder is
// newer.
func TestHiddenLockfileIsNewest(t *testing.T) {
	s := newSite(t, basicProject, basics)
	s.run()
	hidden, err := os.Stat(s.at(hiddenLock))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(s.packages(), "node_modules", "node_modules/@s") {
		st, err := os.Stat(s.at(name))
		if err != nil {
			t.Fatal(err)
		}
		if st.ModTime().After(hidden.ModTime()) {
			t.Errorf("%s is %v newer than the hidden lockfile", name, st.ModTime().Sub(hidden.ModTime()).Round(time.Microsecond))
		}
	}
}
